import type { DocumentNode, GraphQLSchema } from 'graphql'
import { createEngine, type Engine } from '../../graphql/engine.js'
import { installedGraphQL } from '../../graphql/js/graphql.js'
import type { LimitNumbers } from '../../graphql/limits/limits.js'
import type { Outcome } from '../../index.js'
import { resolveOptions } from '../../options/settings.js'
import { findIdFault } from '../../persisted/stored-documents.js'
import type { Terminal } from '../arguments/define-command.js'
import type { CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { loadDocuments } from '../serve/load/load-documents.js'
import { loadOptions } from '../serve/load/load-plan.js'

/** What documents are checked against. */
export interface CheckPlan {
  readonly schemaFile: string
  readonly limits: { readonly [name in keyof LimitNumbers]?: number }
}

/** What was found in a document. */
interface DocumentReport {
  /** Why a server would not serve it. */
  readonly faults: readonly string[]
  /** What it uses that is deprecated. */
  readonly deprecated: readonly string[]
}

/** Checks a document as a server does at its start, and the cost of its operations without variables. */
export type CheckDocument = (id: string, text: string) => DocumentReport

/** Loads the schema, and returns the function that checks documents against it. */
export async function openCheck({
  schemaFile,
  limits,
}: CheckPlan): Promise<Outcome<CheckDocument, CliError>> {
  const source = { kind: 'sdl', file: schemaFile, resolvers: undefined } as const
  const loaded = await loadOptions({ source, data: undefined })
  if (!loaded.ok) return loaded
  const schema = loaded.value.schema as GraphQLSchema
  const settings = resolveOptions('documents', { schema, ...limits })
  const engine = createEngine(settings)
  const { maxDocumentLength } = settings
  const check: CheckDocument = (id, text) => {
    const idFault = findIdFault(id, text)
    const faults = idFault === undefined ? [] : [idFault]
    if (text.length > maxDocumentLength) {
      const tooLong = `The document has more than ${maxDocumentLength} characters.`
      return { faults: [...faults, tooLong], deprecated: [] }
    }
    const inside = checkText(text, schema, engine)
    return { ...inside, faults: [...faults, ...inside.faults] }
  }
  return { ok: true, value: check }
}

function checkText(text: string, schema: GraphQLSchema, engine: Engine): DocumentReport {
  const found = engine.findDocument(schema, text)
  if (!found.ok) return { faults: messagesOf(found.reason.errors), deprecated: [] }
  const faults = found.value.operations.flatMap((definition) => {
    const params = {
      query: text,
      operationName: definition.name?.value,
      variables: undefined,
      extensions: undefined,
    }
    const operation = engine.toOperation(schema, found.value, definition, params)
    const refusal = engine.checkCost(operation, undefined)
    // Values for its variables are not known here.
    return refusal === undefined || refusal.kind === 'variables' ? [] : messagesOf(refusal.errors)
  })
  return { faults, deprecated: findDeprecated(schema, found.value.document) }
}

function findDeprecated(schema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const rules = [installedGraphQL.NoDeprecatedCustomRule]
  return messagesOf(installedGraphQL.validate(schema, document, rules))
}

function messagesOf(errors: readonly { readonly message: string }[]): readonly string[] {
  return errors.map(({ message }) => message)
}

/** Checks the documents of manifests, and prints a line for each fault. */
export async function checkManifests(
  plan: CheckPlan & { readonly files: readonly string[]; readonly json: boolean },
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const check = await openCheck(plan)
  if (!check.ok) return check
  const reports: (DocumentReport & { readonly file: string; readonly id: string })[] = []
  let count = 0
  for (const file of plan.files) {
    const documents = await loadDocuments([file])
    if (!documents.ok) return documents
    count += documents.value.size
    for (const [id, text] of documents.value) reports.push({ file, id, ...check.value(id, text) })
  }
  const invalid = reports.filter(({ faults }) => faults.length > 0)
  if (plan.json) {
    const told = reports.filter((one) => one.faults.length + one.deprecated.length > 0)
    const report = { documents: count, invalid: invalid.length, reports: told }
    terminal.out(`${JSON.stringify(report, undefined, 2)}\n`)
  } else {
    for (const { file, id, faults, deprecated } of reports) {
      const name = `${file}: ${JSON.stringify(id)}`
      for (const fault of faults) terminal.out(`${name}: ${fault}\n`)
      for (const use of deprecated) terminal.out(`${name}: deprecated: ${use}\n`)
    }
    const state = invalid.length === 0 ? 'all valid' : `${invalid.length} invalid`
    terminal.out(`${countOf(count, 'document')}, ${state}\n`)
  }
  return { ok: true, value: exitCodes[invalid.length === 0 ? 'ok' : 'findings'].code }
}

/** A number with its noun. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
