import { installedGraphQL } from '../../surface/parts.js'
import { loadDocuments, type Texts } from '../serve/load/load-file.js'
import { openCheck, type DocumentCheck, type DocumentsCall } from './check-manifests.js'
import type { Exit } from '../process/exit.js'
import { toJson } from '../process/terminal.js'

interface Document {
  readonly id: string
  /** The names of its operations; empty if it has none, or cannot be parsed. */
  readonly name: string
}

/** Prints what two manifests differ in, and the documents of both that do not fit the schema. */
export async function diffManifests(call: DocumentsCall): Promise<Exit> {
  const { flags, words, terminal } = call
  const [before = '', after = ''] = words
  const [old, fresh] = [await loadDocuments([before]), await loadDocuments([after])]
  const check = await openCheck(call)
  const broken = check && [...findBroken(before, old, check), ...findBroken(after, fresh, check)]
  const diff = compare(old, fresh)
  if (flags.json.value) terminal.out(toJson({ ...diff, broken }))
  else {
    const { added, removed, changed } = diff
    for (const one of added) terminal.out(`added    ${show(one)}\n`)
    for (const one of removed) terminal.out(`removed  ${show(one)}\n`)
    for (const { name, before: id, after: next } of changed) {
      const what = next === id ? 'another text' : JSON.stringify(next)
      terminal.out(`changed  ${show({ id, name })}: ${what}\n`)
    }
    for (const { file, faults, ...one } of broken ?? []) {
      for (const fault of faults) terminal.out(`broken   ${show(one)} in ${file}: ${fault}\n`)
    }
    const last = broken === undefined ? '' : `, ${broken.length} broken`
    const counts = `${added.length} added, ${removed.length} removed, ${changed.length} changed`
    terminal.out(`${counts}${last}\n`)
  }
  return broken === undefined || broken.length === 0 ? 'ok' : 'findings'
}

/** Ids that are hashes change with the text, so documents are also matched by the names of their operations. */
function compare(old: Texts, fresh: Texts) {
  const removed = describe([...old].filter(([id]) => !fresh.has(id)))
  const added = describe([...fresh].filter(([id]) => !old.has(id)))
  const edited = describe([...old].filter(([id, text]) => (fresh.get(id) ?? text) !== text))
  const [oldNames, newNames] = [byName(removed), byName(added)]
  const renamed = removed.flatMap(({ id, name }) => {
    const [successor, ...more] = newNames.get(name) ?? []
    const isClear = more.length === 0 && oldNames.get(name)?.length === 1
    return successor !== undefined && isClear ? [{ name, before: id, after: successor }] : []
  })
  const known = new Set(renamed.flatMap(({ before, after }) => [before, after]))
  return {
    added: added.filter(({ id }) => !known.has(id)),
    removed: removed.filter(({ id }) => !known.has(id)),
    changed: [...edited.map(({ id, name }) => ({ name, before: id, after: id })), ...renamed],
  }
}

function byName(documents: readonly Document[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>()
  for (const { id, name } of documents) {
    if (name !== '') ids.set(name, [...(ids.get(name) ?? []), id])
  }
  return ids
}

function describe(documents: readonly (readonly [id: string, text: string])[]) {
  return documents.map(([id, text]): Document => ({ id, name: namesOf(text) }))
}

function namesOf(text: string): string {
  try {
    const { definitions } = installedGraphQL.parse(text)
    const names = definitions.flatMap((node) =>
      node.kind === 'OperationDefinition' ? (node.name?.value ?? []) : [],
    )
    return names.join(', ')
  } catch {
    return ''
  }
}

function findBroken(file: string, texts: Texts, { check }: DocumentCheck) {
  return [...texts].flatMap(([id, text]) => {
    const { faults } = check(id, text)
    return faults.length === 0 ? [] : [{ file, id, name: namesOf(text), faults }]
  })
}

function show({ id, name }: Document): string {
  return `${JSON.stringify(id)}${name === '' ? '' : ` (${name})`}`
}
