import type { GraphQLSchema } from 'graphql'
import { createTools, installedGraphQL, resolveOptions, type Engine } from '../../surface/parts.js'
import { limitRows } from '../../graphql/limits/limits.js'
import type { ValidationRule } from '../../index.js'
import { findIdFault } from '../../persisted/stored-documents.js'
import type { Call } from '../arguments/command.js'
import { numbersOf } from '../arguments/flag.js'
import { loadDocuments } from '../serve/load/load-file.js'
import { loadOptions } from '../serve/load/load-plan.js'
import type { Exit } from '../process/exit.js'
import { countOf } from '../../base/prose.js'
import { toJson } from '../process/terminal.js'

export interface DocumentsFlags {
  readonly schema: string | undefined
  readonly out: string | undefined
  /** Whether fields that no document selects are printed; as JSON they always are. */
  readonly unused: boolean
  readonly json: boolean
}

export type DocumentsCall = Call<DocumentsFlags>

interface CheckedDocument {
  /** Why a server would not serve it. */
  readonly faults: readonly string[]
  /** What it uses that is deprecated. */
  readonly deprecated: readonly string[]
  /** The fields that it selects, as `Type.field`; none if it is not valid. */
  readonly fields: readonly string[]
}

export interface DocumentCheck {
  readonly schema: GraphQLSchema
  /** Checks a document as a server does at its start, and the cost of its operations without variables. */
  check(this: void, id: string, text: string): CheckedDocument
}

/** Loads the schema that documents are checked against, if there is one. */
export async function openCheck({ flags }: DocumentsCall): Promise<DocumentCheck | undefined> {
  const file = flags.schema.value
  if (file === undefined) return undefined
  const loaded = await loadOptions({ kind: 'sdl', file, resolvers: undefined })
  const schema = loaded.schema as GraphQLSchema
  const limits = numbersOf(limitRows, flags)
  const settings = resolveOptions('documents', { schema, ...limits })
  const { engine } = createTools(settings)
  const { maxDocumentLength } = settings
  const check: DocumentCheck['check'] = (id, text) => {
    const inside =
      text.length > maxDocumentLength
        ? onlyFaults([`The document has more than ${maxDocumentLength} characters.`])
        : checkText(text, schema, engine)
    return { ...inside, faults: [findIdFault(id, text) ?? [], inside.faults].flat() }
  }
  return { schema, check }
}

function checkText(text: string, schema: GraphQLSchema, engine: Engine): CheckedDocument {
  const found = engine.findDocument(schema, text)
  if (!found.ok) return onlyFaults(messagesOf(found.reason.errors))
  const faults = found.value.operations.flatMap((definition) => {
    const operationName = definition.name?.value
    const params = { query: text, operationName, variables: undefined, extensions: undefined }
    const operation = engine.toOperation(schema, found.value, definition, params)
    const refusal = engine.checkCost(operation, undefined)
    // Values for its variables are not known here.
    return refusal === undefined || refusal.kind === 'variables' ? [] : messagesOf(refusal.errors)
  })
  const { document } = found.value
  const fields = new Set<string>()
  const rules = [installedGraphQL.NoDeprecatedCustomRule, collectFields(schema, fields)]
  const deprecated = messagesOf(installedGraphQL.validate(schema, document, rules))
  return { faults, deprecated, fields: [...fields] }
}

function onlyFaults(faults: readonly string[]): CheckedDocument {
  return { faults, deprecated: [], fields: [] }
}

/** Collects the fields that a valid document selects. A field of an interface is also one of all types that implement it. */
function collectFields(schema: GraphQLSchema, fields: Set<string>): ValidationRule {
  return (context) => ({
    Field({ name }) {
      const type = context.getParentType()
      if (type == null || !('getInterfaces' in type)) return
      const { objects, interfaces } =
        'resolveType' in type ? schema.getImplementations(type) : { objects: [], interfaces: [] }
      for (const owner of [type, ...interfaces, ...objects])
        fields.add(`${owner.name}.${name.value}`)
    },
  })
}

function messagesOf(errors: readonly { readonly message: string }[]): readonly string[] {
  return errors.map(({ message }) => message)
}

interface DocumentReport extends Omit<CheckedDocument, 'fields'> {
  readonly file: string
  readonly id: string
}

export async function checkManifests(call: DocumentsCall): Promise<Exit> {
  const { flags, words, terminal } = call
  const { schema, check } = (await openCheck(call)) as DocumentCheck
  const reports: DocumentReport[] = []
  const used = new Set<string>()
  const earlier = new Map<string, { readonly file: string; readonly text: string }>()
  let count = 0
  for (const file of words) {
    const documents = await loadDocuments([file])
    count += documents.size
    for (const [id, text] of documents) {
      const { fields, faults: found, deprecated } = check(id, text)
      for (const field of fields) used.add(field)
      const other = earlier.get(id) ?? { file, text }
      earlier.set(id, other)
      const clash = `The id names another document in ${other.file}.`
      const faults = other.text === text ? found : [clash, ...found]
      if (faults.length + deprecated.length > 0) reports.push({ file, id, faults, deprecated })
    }
  }
  const invalid = reports.filter(({ faults }) => faults.length > 0).length
  const unused = flags.json.value || flags.unused.value ? findUnused(schema, used) : undefined
  if (flags.json.value) terminal.out(toJson({ documents: count, invalid, reports, unused }))
  else {
    for (const { file, id, faults, deprecated } of reports) {
      const name = `${file}: ${JSON.stringify(id)}`
      for (const fault of faults) terminal.out(`${name}: ${fault}\n`)
      for (const use of deprecated) terminal.out(`${name}: deprecated: ${use}\n`)
    }
    for (const { field, deprecated } of unused ?? []) {
      terminal.out(`unused: ${field}${deprecated ? ' (deprecated)' : ''}\n`)
    }
    const state = invalid === 0 ? 'all valid' : `${invalid} invalid`
    const fields = unused === undefined ? '' : `, ${countOf(unused.length, 'unused field')}`
    terminal.out(`${countOf(count, 'document')}, ${state}${fields}\n`)
  }
  return invalid === 0 ? 'ok' : 'findings'
}

/** The fields of the schema, as `Type.field`, that no document selects. */
function findUnused(schema: GraphQLSchema, used: ReadonlySet<string>) {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || !('getInterfaces' in type)) return []
    return Object.values(type.getFields()).map(({ name, deprecationReason }) => {
      return { field: `${type.name}.${name}`, deprecated: deprecationReason != null }
    })
  })
  return fields
    .filter(({ field }) => !used.has(field))
    .toSorted((one, other) => (one.field < other.field ? -1 : 1))
}
