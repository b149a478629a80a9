import type {
  DefinitionNode,
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLError,
  OperationDefinitionNode,
} from 'graphql'
import { sha256 } from '../../base/sha256.js'
import { installedGraphQL } from '../../graphql/js/graphql.js'
import type { Outcome } from '../../index.js'
import { idOfHash } from '../../persisted/document-id.js'
import type { Terminal } from '../arguments/define-command.js'
import { fail, type CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { readTextFile } from '../process/read-text-file.js'
import { formatFault, type Place } from '../serve/load/file-fault.js'
import { countOf, openCheck, type CheckPlan } from './check-manifests.js'
import { findFiles } from './find-files.js'
import { findOutFault, replaceFile } from './write-manifest.js'

/** The files of a manifest, and where it is written. */
export interface ManifestBuild {
  readonly patterns: readonly string[]
  readonly out: string | undefined
  readonly schemaFile: string | undefined
  readonly limits: CheckPlan['limits']
  readonly json: boolean
}

interface Fault {
  readonly place: Place
  readonly message: string
}

/** A definition, and where its name stands. */
interface Defined<Node> {
  readonly node: Node
  readonly place: Place
}

/** The definitions of all files by name. */
interface Sources {
  readonly operations: Map<string, Defined<OperationDefinitionNode>>
  readonly fragments: Map<string, Defined<FragmentDefinitionNode>>
  /** Files that define types and nothing else, such as a schema among the documents. */
  readonly skipped: string[]
  readonly faults: Fault[]
}

interface Built {
  readonly id: string
  readonly text: string
  readonly operation: Defined<OperationDefinitionNode>
}

/** Writes a manifest of the operations in the files, each with the fragments that it needs. */
export async function buildManifest(
  { patterns, out, schemaFile, limits, json }: ManifestBuild,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const files = await findFiles(patterns)
  if (!files.ok) return files
  const inputs = schemaFile === undefined ? files.value : [...files.value, schemaFile]
  const outFault = out === undefined ? undefined : await findOutFault(out, inputs)
  if (outFault !== undefined) return fail('configuration', outFault)
  const sources: Sources = { operations: new Map(), fragments: new Map(), skipped: [], faults: [] }
  for (const file of files.value) {
    const text = await readTextFile(file)
    if (!text.ok) return text
    readDefinitions(file, text.value, sources)
  }
  const built = buildDocuments(sources)
  const checked = await checkBuilt(built, schemaFile, limits)
  if (!checked.ok) return checked
  const faults = withoutRepetitions([...sources.faults, ...checked.value])
  if (built.length === 0 && faults.length === 0) {
    return fail('configuration', `${patterns.join(', ')}: no operations.`)
  }
  if (json) terminal.out(formatJson(built, sources.skipped, faults))
  if (faults.length > 0) {
    const shown = json ? [] : faults
    for (const { message, place } of shown) terminal.out(`${formatFault(message, [place])}\n`)
    terminal.err(`${countOf(faults.length, 'fault')}, no manifest was written\n`)
    return { ok: true, value: exitCodes.findings.code }
  }
  const manifest = Object.fromEntries(built.map(({ id, text }) => [id, text]))
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`
  if (out === undefined) terminal.out(text)
  const fault = out === undefined ? undefined : await replaceFile(out, text)
  if (fault !== undefined) return fail('configuration', fault)
  for (const file of sources.skipped) terminal.err(`${file}: skipped, it only defines types\n`)
  terminal.err(`${countOf(built.length, 'document')}${out === undefined ? '' : ` in ${out}`}\n`)
  return { ok: true, value: exitCodes.ok.code }
}

function readDefinitions(file: string, text: string, sources: Sources): void {
  let definitions
  try {
    const source = new installedGraphQL.Source(text, file)
    definitions = installedGraphQL.parse(source).definitions
  } catch (error) {
    const { message, locations } = error as Partial<GraphQLError> & Error
    const { line, column } = locations?.[0] ?? start
    // The parser of graphql-js recurses.
    const shown = error instanceof RangeError ? 'The document is nested too deeply.' : message
    sources.faults.push({ message: shown, place: { file, text, line, column } })
    return
  }
  const known = definitions.filter(
    (node) => node.kind === 'OperationDefinition' || node.kind === 'FragmentDefinition',
  )
  if (known.length === 0) {
    sources.skipped.push(file)
    return
  }
  for (const node of definitions) {
    const name = 'name' in node ? node.name : undefined
    const { line, column } = name?.loc?.startToken ?? node.loc?.startToken ?? start
    const place = { file, text, line, column }
    const fault = (message: string) => sources.faults.push({ message, place })
    if (node.kind === 'OperationDefinition') {
      if (name === undefined) fault('The operation has no name, which its client needs to find it.')
      else define(sources.operations, { node, place }, `operation "${name.value}"`, fault)
    } else if (node.kind === 'FragmentDefinition') {
      define(sources.fragments, { node, place }, `fragment "${node.name.value}"`, fault)
    } else fault('Documents of clients contain operations and fragments only.')
  }
}

const start = { line: 1, column: 1 }

function define<Node extends OperationDefinitionNode | FragmentDefinitionNode>(
  defined: Map<string, Defined<Node>>,
  one: Defined<Node>,
  what: string,
  fault: (message: string) => void,
): void {
  const name = one.node.name?.value ?? ''
  const before = defined.get(name)
  if (before === undefined) defined.set(name, one)
  else fault(`There is another ${what} at ${before.place.file}:${before.place.line}.`)
}

/** The documents by the names of their operations. Their texts do not depend on files or their order. */
function buildDocuments(sources: Sources): readonly Built[] {
  const byName = [...sources.operations].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return byName.map(([, operation]) => {
    const needed = new Map<string, DefinitionNode>()
    collectFragments(operation, sources, needed)
    const fragments = [...needed].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const nodes = [operation.node, ...fragments.map(([, node]) => node)]
    const text = nodes.map((node) => installedGraphQL.print(node)).join('\n\n')
    return { id: idOfHash(sha256(text)), text, operation }
  })
}

/** Without recursion: fragments may need each other in long chains. */
function collectFragments(
  operation: Defined<DefinitionNode>,
  sources: Sources,
  needed: Map<string, DefinitionNode>,
): void {
  const waiting = [operation]
  for (const { node, place } of waiting) {
    installedGraphQL.visit(
      { kind: installedGraphQL.Kind['DOCUMENT'] as DocumentNode['kind'], definitions: [node] },
      {
        FragmentSpread({ name, loc }) {
          if (needed.has(name.value)) return
          const fragment = sources.fragments.get(name.value)
          if (fragment === undefined) {
            const { line, column } = loc?.startToken ?? start
            const message = `There is no fragment "${name.value}" in the files.`
            sources.faults.push({ message, place: { ...place, line, column } })
            return
          }
          needed.set(name.value, fragment.node)
          waiting.push(fragment)
        },
      },
    )
  }
}

/** A fragment is searched for each operation that needs it. */
function withoutRepetitions(faults: readonly Fault[]): readonly Fault[] {
  const keyed = faults.map((fault) => {
    const { file, line, column } = fault.place
    return [JSON.stringify([file, line, column, fault.message]), fault] as const
  })
  return [...new Map(keyed).values()]
}

async function checkBuilt(
  built: readonly Built[],
  schemaFile: string | undefined,
  limits: CheckPlan['limits'],
): Promise<Outcome<readonly Fault[], CliError>> {
  if (schemaFile === undefined) return { ok: true, value: [] }
  const check = await openCheck({ schemaFile, limits })
  if (!check.ok) return check
  const faults = built.flatMap(({ id, text, operation: { place } }) =>
    check.value.check(id, text).faults.map((message) => ({ message, place })),
  )
  return { ok: true, value: faults }
}

function formatJson(
  built: readonly Built[],
  skipped: readonly string[],
  faults: readonly Fault[],
): string {
  const documents = built.map(({ id, operation: { node, place } }) => ({
    id,
    name: node.name?.value,
    type: node.operation,
    file: place.file,
  }))
  const shown = faults.map(({ message, place: { file, line, column } }) => ({
    file,
    line,
    column,
    message,
  }))
  return `${JSON.stringify({ documents, skipped, faults: shown }, undefined, 2)}\n`
}
