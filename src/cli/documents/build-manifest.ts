import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import type {
  DefinitionNode,
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
} from 'graphql'
import { sha256 } from '../../base/sha256.js'
import { installedGraphQL } from '../../graphql/js/graphql.js'
import type { Outcome } from '../../index.js'
import { idOfHash } from '../../persisted/document-id.js'
import type { Terminal } from '../arguments/define-command.js'
import { fail, type CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { describeFileError, readTextFile } from '../process/read-text-file.js'
import { formatFault, placeAt, type Place } from '../serve/load/file-fault.js'
import { countOf, openCheck, type CheckPlan } from './check-manifests.js'
import { findFiles } from './find-files.js'

/** What is built of what. */
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
    if (!json)
      for (const { message, place } of faults) terminal.out(`${formatFault(message, [place])}\n`)
    terminal.err(`${countOf(faults.length, 'fault')}, no manifest was written\n`)
    return { ok: true, value: exitCodes.findings.code }
  }
  const manifest = Object.fromEntries(built.map(({ id, text }) => [id, text]))
  const written = await write(out, `${JSON.stringify(manifest, undefined, 2)}\n`, terminal)
  if (!written.ok) return written
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
    const { message, positions } = error as { message: string; positions?: readonly number[] }
    sources.faults.push({ message, place: placeAt(file, text, positions?.[0] ?? 0) })
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
    const place = placeAt(file, text, name?.loc?.start ?? node.loc?.start ?? 0)
    const fault = (message: string) => sources.faults.push({ message, place })
    if (node.kind === 'OperationDefinition') {
      if (name === undefined) fault('The operation has no name, which its client needs to find it.')
      else define(sources.operations, { node, place }, `operation "${name.value}"`, fault)
    } else if (node.kind === 'FragmentDefinition') {
      define(sources.fragments, { node, place }, `fragment "${node.name.value}"`, fault)
    } else fault('Documents of clients contain operations and fragments only.')
  }
}

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

function collectFragments(
  { node, place }: Defined<DefinitionNode>,
  sources: Sources,
  needed: Map<string, DefinitionNode>,
): void {
  installedGraphQL.visit(
    { kind: installedGraphQL.Kind['DOCUMENT'] as DocumentNode['kind'], definitions: [node] },
    {
      FragmentSpread({ name, loc }) {
        if (needed.has(name.value)) return
        const fragment = sources.fragments.get(name.value)
        if (fragment === undefined) {
          const at = placeAt(place.file, place.text, loc?.start ?? 0)
          const message = `There is no fragment "${name.value}" in the files.`
          sources.faults.push({ message, place: at })
          return
        }
        needed.set(name.value, fragment.node)
        collectFragments(fragment, sources, needed)
      },
    },
  )
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

/** Replaces the file as a whole: a server that watches it never reads half of it. */
async function write(
  out: string | undefined,
  text: string,
  terminal: Terminal,
): Promise<Outcome<undefined, CliError>> {
  if (out === undefined) {
    terminal.out(text)
    return { ok: true, value: undefined }
  }
  const temporary = `${out}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    await rename(temporary, out)
    return { ok: true, value: undefined }
  } catch (error) {
    await rm(temporary, { force: true })
    return fail('configuration', describeFileError(out, error))
  }
}
