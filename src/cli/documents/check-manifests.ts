import type { GraphQLSchema } from 'graphql'
import { createEngine, type Engine } from '../../graphql/engine.js'
import type { LimitNumbers } from '../../graphql/limits/limits.js'
import type { Outcome } from '../../index.js'
import { resolveOptions } from '../../options/settings.js'
import { findIdFault } from '../../persisted/stored-documents.js'
import type { Terminal } from '../arguments/define-command.js'
import type { CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { loadDocuments } from '../serve/load/load-documents.js'
import { loadOptions } from '../serve/load/load-plan.js'

/** What is checked against what. */
export interface ManifestCheck {
  readonly schemaFile: string
  readonly files: readonly string[]
  readonly limits: { readonly [name in keyof LimitNumbers]?: number }
}

/** Checks each document as a server does at its start, and the cost of its operations without variables. */
export async function checkManifests(
  { schemaFile, files, limits }: ManifestCheck,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const source = { kind: 'sdl', file: schemaFile, resolvers: undefined } as const
  const loaded = await loadOptions({ source, data: undefined })
  if (!loaded.ok) return loaded
  const schema = loaded.value.schema as GraphQLSchema
  const settings = resolveOptions('documents check', { schema, ...limits })
  const engine = createEngine(settings)
  let count = 0
  let invalid = 0
  for (const file of files) {
    const documents = await loadDocuments([file])
    if (!documents.ok) return documents
    for (const [id, text] of documents.value) {
      count++
      const faults = findFaults(id, text, schema, engine, settings.maxDocumentLength)
      if (faults.length > 0) invalid++
      for (const fault of faults) terminal.out(`${file}: ${JSON.stringify(id)}: ${fault}\n`)
    }
  }
  const documents = count === 1 ? '1 document' : `${count} documents`
  terminal.out(`${documents}, ${invalid === 0 ? 'all valid' : `${invalid} invalid`}\n`)
  return { ok: true, value: invalid === 0 ? exitCodes.ok.code : exitCodes.findings.code }
}

function findFaults(
  id: string,
  text: string,
  schema: GraphQLSchema,
  engine: Engine,
  maxDocumentLength: number,
): readonly string[] {
  const ofId = findIdFault(id, text)
  const faults = ofId === undefined ? [] : [ofId]
  if (text.length > maxDocumentLength) {
    return [...faults, `The document has more than ${maxDocumentLength} characters.`]
  }
  const found = engine.findDocument(schema, text)
  if (!found.ok) return [...faults, ...found.reason.errors.map(({ message }) => message)]
  for (const definition of found.value.operations) {
    const params = {
      query: text,
      operationName: definition.name?.value,
      variables: undefined,
      extensions: undefined,
    }
    const refusal = engine.checkCost(
      engine.toOperation(schema, found.value, definition, params),
      undefined,
    )
    // Values for its variables are not known here.
    if (refusal === undefined || refusal.kind === 'variables') continue
    faults.push(...refusal.errors.map(({ message }) => message))
  }
  return faults
}
