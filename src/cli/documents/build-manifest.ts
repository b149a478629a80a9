import { randomUUID } from 'node:crypto'
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { DefinitionNode, GraphQLError } from 'graphql'
import { installedGraphQL } from '../../surface/parts.js'
import { sha256 } from '../../base/sha256.js'
import { idOfHash } from '../../persisted/document-id.js'
import { describeFileError, readTextFile } from '../process/read-text-file.js'
import { loadDocuments } from '../serve/load/load-file.js'
import { formatFault, type Place } from '../serve/load/file-fault.js'
import { openCheck, type DocumentsCall } from './check-manifests.js'
import { findFiles } from './find-files.js'
import { fail, type Exit } from '../process/exit.js'
import { countOf } from '../../base/prose.js'
import { toJson } from '../process/terminal.js'

/** A definition, and where its name stands. */
interface Defined {
  readonly node: DefinitionNode
  readonly place: Place
}

interface Sources {
  /** The operations and fragments of all files by kind and name, such as `fragment "A"`. */
  readonly defined: Map<string, Defined>
  /** Files that define types and nothing else, such as a schema among the documents. */
  readonly skipped: string[]
  /** By text and place, since a fragment is searched for each operation that needs it. */
  readonly faults: Map<string, { readonly place: Place; readonly message: string }>
}

/** Writes a manifest of the operations in the files, each with the fragments that it needs. */
export async function buildManifest(call: DocumentsCall): Promise<Exit> {
  const { flags, words, terminal } = call
  const [out, json] = [flags.out.value, flags.json.value]
  const sources: Sources = { defined: new Map(), skipped: [], faults: new Map() }
  for (const file of await findFiles(words)) {
    readDefinitions(file, await readTextFile(file), sources)
  }
  const built = buildDocuments(sources)
  const opened = await openCheck(call)
  for (const { id, text, place } of built) {
    for (const message of opened?.check(id, text).faults ?? []) addFault(sources, message, place)
  }
  const faults = [...sources.faults.values()]
  if (built.length === 0 && faults.length === 0) {
    fail('configuration', `${words.join(', ')}: no operations.`)
  }
  if (json) {
    const documents = built.map(({ id, node, place: { file } }) => {
      return { id, name: node.name?.value, type: node.operation, file }
    })
    const shown = faults.map(({ message, place }) => ({ ...place, text: undefined, message }))
    terminal.out(toJson({ documents, skipped: sources.skipped, faults: shown }))
  }
  if (faults.length > 0) {
    const shown = json ? [] : faults
    for (const { message, place } of shown) terminal.out(`${formatFault(message, [place])}\n`)
    terminal.err(`${countOf(faults.length, 'fault')}, no manifest was written\n`)
    return 'findings'
  }
  const text = toJson(Object.fromEntries(built.map((one) => [one.id, one.text])))
  if (out === undefined) terminal.out(text)
  else await writeManifest(out, text)
  for (const file of sources.skipped) terminal.err(`${file}: skipped, it only defines types\n`)
  terminal.err(`${countOf(built.length, 'document')}${out === undefined ? '' : ` in ${out}`}\n`)
  return 'ok'
}

function addFault({ faults }: Sources, message: string, place: Place): void {
  const { file, line, column } = place
  faults.set(JSON.stringify([file, line, column, message]), { message, place })
}

function readDefinitions(file: string, text: string, sources: Sources): void {
  const placeOf = ({ line, column } = { line: 1, column: 1 }): Place => ({
    file,
    text,
    line,
    column,
  })
  let definitions
  try {
    const source = new installedGraphQL.Source(text, file)
    definitions = installedGraphQL.parse(source).definitions
  } catch (error) {
    const { message, locations } = error as Partial<GraphQLError> & Error
    // The parser of graphql-js recurses.
    const shown = error instanceof RangeError ? 'The document is nested too deeply.' : message
    return addFault(sources, shown, placeOf(locations?.[0]))
  }
  if (!definitions.some(({ kind }) => kind in kinds)) {
    sources.skipped.push(file)
    return
  }
  for (const node of definitions) {
    const name = 'name' in node ? node.name : undefined
    const place = placeOf(name?.loc?.startToken ?? node.loc?.startToken)
    const what = kinds[node.kind]
    const key = `${what} "${name?.value}"`
    const before = sources.defined.get(key)?.place
    if (what === undefined) {
      addFault(sources, 'Documents of clients contain operations and fragments only.', place)
    } else if (name === undefined) {
      addFault(sources, 'The operation has no name, which its client needs to find it.', place)
    } else if (before !== undefined) {
      addFault(sources, `There is another ${key} at ${before.file}:${before.line}.`, place)
    } else sources.defined.set(key, { node, place })
  }
}

const kinds: { readonly [kind: string]: string } = {
  OperationDefinition: 'operation',
  FragmentDefinition: 'fragment',
}

/** The documents by the names of their operations. Their texts do not depend on files or their order. */
function buildDocuments(sources: Sources) {
  return [...sources.defined].toSorted(byKey).flatMap(([, { node, place }]) => {
    if (node.kind !== 'OperationDefinition') return []
    const nodes = [node, ...fragmentsOf({ node, place }, sources)]
    const text = nodes.map((one) => installedGraphQL.print(one)).join('\n\n')
    return [{ id: idOfHash(sha256(text)), text, node, place }]
  })
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

/** Without recursion: fragments may need each other in long chains. */
function fragmentsOf(operation: Defined, sources: Sources): readonly DefinitionNode[] {
  const needed = new Map<string, DefinitionNode>()
  const waiting = [operation]
  for (const { node, place } of waiting) {
    installedGraphQL.visit(
      { kind: 'Document', definitions: [node] },
      {
        FragmentSpread({ name, loc }) {
          if (needed.has(name.value)) return
          const fragment = sources.defined.get(`fragment "${name.value}"`)
          if (fragment === undefined) {
            const { line, column } = loc?.startToken ?? place
            const message = `There is no fragment "${name.value}" in the files.`
            return addFault(sources, message, { ...place, line, column })
          }
          needed.set(name.value, fragment.node)
          waiting.push(fragment)
        },
      },
    )
  }
  return Array.from([...needed].toSorted(byKey), ([, fragment]) => fragment)
}

/** Replaces a manifest as a whole: a server that watches it never reads half of it. */
async function writeManifest(out: string, text: string): Promise<void> {
  const found = await stat(out).catch(() => undefined)
  if (found?.isFile() === true && found.size > 0) {
    const other = `${out}: --out would overwrite a file that is not a manifest; delete it first, or name another.`
    await loadDocuments([out]).catch(() => fail('configuration', other))
  }
  let temporary: string | undefined
  try {
    // A link stays, and /dev/null, for example, must not become a file.
    if (found?.isFile() === false) await writeFile(out, text)
    else {
      const file = found === undefined ? out : await realpath(out)
      temporary = `${file}.${randomUUID()}.tmp`
      await writeFile(temporary, text, { flag: 'wx' })
      if (found !== undefined) await chmod(temporary, found.mode)
      await rename(temporary, file)
    }
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true })
    const hasNoFolder = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = hasNoFolder
      ? `${out}: its folder does not exist.`
      : describeFileError(out, error)
    fail('configuration', reason)
  }
}
