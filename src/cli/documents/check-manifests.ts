import type {
  DocumentNode,
  FieldNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql'
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

/** A document that was checked, and its syntax tree if it is valid and within the limits of documents. */
interface CheckedDocument extends DocumentReport {
  readonly document: DocumentNode | undefined
}

interface DocumentCheck {
  readonly schema: GraphQLSchema
  /** Checks a document as a server does at its start, and the cost of its operations without variables. */
  check(this: void, id: string, text: string): CheckedDocument
}

/** Loads the schema that documents are checked against. */
export async function openCheck({
  schemaFile,
  limits,
}: CheckPlan): Promise<Outcome<DocumentCheck, CliError>> {
  const source = { kind: 'sdl', file: schemaFile, resolvers: undefined } as const
  const loaded = await loadOptions({ source, data: undefined })
  if (!loaded.ok) return loaded
  const schema = loaded.value.schema as GraphQLSchema
  const settings = resolveOptions('documents', { schema, ...limits })
  const engine = createEngine(settings)
  const { maxDocumentLength } = settings
  const check: DocumentCheck['check'] = (id, text) => {
    const idFault = findIdFault(id, text)
    const faults = idFault === undefined ? [] : [idFault]
    if (text.length > maxDocumentLength) {
      const tooLong = `The document has more than ${maxDocumentLength} characters.`
      return { faults: [...faults, tooLong], deprecated: [], document: undefined }
    }
    const inside = checkText(text, schema, engine)
    return { ...inside, faults: [...faults, ...inside.faults] }
  }
  return { ok: true, value: { schema, check } }
}

function checkText(text: string, schema: GraphQLSchema, engine: Engine): CheckedDocument {
  const found = engine.findDocument(schema, text)
  if (!found.ok) {
    return { faults: messagesOf(found.reason.errors), deprecated: [], document: undefined }
  }
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
  const { document } = found.value
  return { faults, deprecated: findDeprecated(schema, document), document }
}

function findDeprecated(schema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const rules = [installedGraphQL.NoDeprecatedCustomRule]
  return messagesOf(installedGraphQL.validate(schema, document, rules))
}

function messagesOf(errors: readonly { readonly message: string }[]): readonly string[] {
  return errors.map(({ message }) => message)
}

interface ManifestCheck extends CheckPlan {
  readonly files: readonly string[]
  readonly json: boolean
  /** Whether fields that no document selects are printed; as JSON they always are. */
  readonly unused: boolean
}

interface NamedReport extends DocumentReport {
  readonly file: string
  readonly id: string
}

/** Checks the documents of manifests, and prints a line for each fault. */
export async function checkManifests(
  plan: ManifestCheck,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const opened = await openCheck(plan)
  if (!opened.ok) return opened
  const { schema, check } = opened.value
  const reports: NamedReport[] = []
  const used = new Set<string>()
  const earlier = new Map<string, { readonly file: string; readonly text: string }>()
  let count = 0
  for (const file of plan.files) {
    const documents = await loadDocuments([file])
    if (!documents.ok) return documents
    count += documents.value.size
    for (const [id, text] of documents.value) {
      const { document, faults: found, deprecated } = check(id, text)
      if (document !== undefined) addFields(schema, document, used)
      const other = earlier.get(id) ?? { file, text }
      earlier.set(id, other)
      const clash = `The id names another document in ${other.file}.`
      const faults = other.text === text ? found : [clash, ...found]
      if (faults.length + deprecated.length > 0) reports.push({ file, id, faults, deprecated })
    }
  }
  const invalid = reports.filter(({ faults }) => faults.length > 0).length
  if (plan.json) {
    const report = { documents: count, invalid, reports, unused: findUnused(schema, used) }
    terminal.out(`${JSON.stringify(report, undefined, 2)}\n`)
  } else {
    const unused = plan.unused ? findUnused(schema, used) : undefined
    terminal.out(formatReports(reports, unused))
    const state = invalid === 0 ? 'all valid' : `${invalid} invalid`
    const fields = unused === undefined ? '' : `, ${countOf(unused.length, 'unused field')}`
    terminal.out(`${countOf(count, 'document')}, ${state}${fields}\n`)
  }
  return { ok: true, value: exitCodes[invalid === 0 ? 'ok' : 'findings'].code }
}

function formatReports(
  reports: readonly NamedReport[],
  unused: readonly UnusedField[] = [],
): string {
  const lines = reports.flatMap(({ file, id, faults, deprecated }) => {
    const name = `${file}: ${JSON.stringify(id)}`
    return [
      ...faults.map((fault) => `${name}: ${fault}\n`),
      ...deprecated.map((use) => `${name}: deprecated: ${use}\n`),
    ]
  })
  const fields = unused.map(({ field, deprecated }) => {
    return `unused: ${field}${deprecated ? ' (deprecated)' : ''}\n`
  })
  return [...lines, ...fields].join('')
}

/** A field of the schema, as `Type.field`, that no document selects. */
interface UnusedField {
  readonly field: string
  readonly deprecated: boolean
}

function findUnused(schema: GraphQLSchema, used: ReadonlySet<string>): readonly UnusedField[] {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  return types
    .flatMap((type) =>
      Object.values(fieldsOf(type)).map(({ name, deprecationReason }) => {
        return { field: `${type.name}.${name}`, deprecated: deprecationReason != null }
      }),
    )
    .filter(({ field }) => !used.has(field))
    .toSorted((one, other) => (one.field < other.field ? -1 : 1))
}

/** Adds the fields that a valid document selects. A field of an interface is also one of all types that implement it. */
function addFields(schema: GraphQLSchema, { definitions }: DocumentNode, used: Set<string>): void {
  for (const node of definitions) {
    if (node.kind === 'OperationDefinition') {
      addSelected(schema.getRootType(node.operation), node.selectionSet)
    } else if (node.kind === 'FragmentDefinition') {
      addSelected(schema.getType(node.typeCondition.name.value), node.selectionSet)
    }
  }

  function addSelected(type: MaybeType, { selections }: SelectionSetNode): void {
    for (const node of selections) {
      if (node.kind === 'Field') {
        addField(type, node)
      } else if (node.kind === 'InlineFragment') {
        const condition = node.typeCondition?.name.value
        addSelected(condition === undefined ? type : schema.getType(condition), node.selectionSet)
      }
    }
  }

  function addField(type: MaybeType, { name, selectionSet }: FieldNode): void {
    const field = fieldsOf(type)[name.value]
    if (field === undefined) return
    for (const owner of ownersOf(type)) used.add(`${owner}.${field.name}`)
    if (selectionSet !== undefined) addSelected(namedTypeOf(field), selectionSet)
  }

  function ownersOf(type: MaybeType): readonly string[] {
    if (type == null || !('getInterfaces' in type)) return []
    if (!('resolveType' in type)) return [type.name]
    const { objects, interfaces } = schema.getImplementations(type)
    return [type, ...interfaces, ...objects].map(({ name }) => name)
  }
}

type MaybeType = GraphQLNamedType | null | undefined
type Field = GraphQLField<unknown, unknown>

/** The fields of an object or an interface. Those of introspection are not among them. */
function fieldsOf(type: MaybeType): { readonly [name: string]: Field } {
  return type != null && 'getInterfaces' in type ? type.getFields() : {}
}

function namedTypeOf({ type }: Field): GraphQLNamedType {
  let named = type
  while ('ofType' in named) named = named.ofType
  return named
}

/** A number with its noun. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
