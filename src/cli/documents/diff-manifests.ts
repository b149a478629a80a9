import type { Outcome } from '../../index.js'
import { installedGraphQL } from '../../graphql/js/graphql.js'
import type { Terminal } from '../arguments/define-command.js'
import type { CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { loadDocuments } from '../serve/load/load-documents.js'
import { openCheck, type CheckPlan } from './check-manifests.js'

/** What is compared with what. */
export interface ManifestDiff {
  readonly before: string
  readonly after: string
  readonly schemaFile: string | undefined
  readonly limits: CheckPlan['limits']
  readonly json: boolean
}

interface Document {
  readonly id: string
  /** The names of its operations; empty if it has none, or cannot be parsed. */
  readonly name: string
}

interface Changed {
  readonly name: string
  readonly before: string
  readonly after: string
}

interface Broken extends Document {
  readonly manifests: readonly string[]
  readonly faults: readonly string[]
}

type Texts = ReadonlyMap<string, string>

/** Prints what two manifests differ in, and the documents of both that do not fit the schema. */
export async function diffManifests(
  { before, after, schemaFile, limits, json }: ManifestDiff,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const old = await loadDocuments([before])
  if (!old.ok) return old
  const fresh = await loadDocuments([after])
  if (!fresh.ok) return fresh
  const differences = compare(old.value, fresh.value)
  const manifests = [[before, old.value] as const, [after, fresh.value] as const]
  const broken = await findBroken(manifests, schemaFile, limits)
  if (!broken.ok) return broken
  const diff = { ...differences, ...(broken.value !== undefined && { broken: broken.value }) }
  terminal.out(json ? `${JSON.stringify(diff, undefined, 2)}\n` : format(diff))
  const isBroken = (broken.value ?? []).length > 0
  return { ok: true, value: exitCodes[isBroken ? 'findings' : 'ok'].code }
}

interface Differences {
  readonly added: readonly Document[]
  readonly removed: readonly Document[]
  readonly changed: readonly Changed[]
}

/** Ids that are hashes change with their text, so a document is also found again by the names of its operations. */
function compare(old: Texts, fresh: Texts): Differences {
  const removed = describeAll(old, (id) => !fresh.has(id))
  const added = describeAll(fresh, (id) => !old.has(id))
  const changed: Changed[] = describeAll(
    old,
    (id, text) => fresh.has(id) && fresh.get(id) !== text,
  ).map(({ id, name }) => ({ name, before: id, after: id }))
  const oldNames = byName(removed)
  const newNames = byName(added)
  const successors = new Map<string, string>()
  for (const [name, [one, ...others]] of oldNames) {
    const [successor, ...more] = newNames.get(name) ?? []
    if (one === undefined || successor === undefined || others.length + more.length > 0) continue
    successors.set(one.id, successor.id)
    changed.push({ name, before: one.id, after: successor.id })
  }
  const found = new Set(successors.values())
  return {
    added: added.filter(({ id }) => !found.has(id)),
    removed: removed.filter(({ id }) => !successors.has(id)),
    changed,
  }
}

function byName(documents: readonly Document[]): ReadonlyMap<string, readonly Document[]> {
  const names = new Map<string, Document[]>()
  for (const one of documents) {
    if (one.name !== '') names.set(one.name, [...(names.get(one.name) ?? []), one])
  }
  return names
}

function describeAll(
  texts: Texts,
  matches: (id: string, text: string) => boolean,
): readonly Document[] {
  return [...texts]
    .filter(([id, text]) => matches(id, text))
    .map(([id, text]) => ({ id, name: namesOf(text) }))
}

function namesOf(text: string): string {
  try {
    const names = installedGraphQL
      .parse(text)
      .definitions.flatMap((node) =>
        node.kind === 'OperationDefinition' ? (node.name?.value ?? []) : [],
      )
    return names.join(', ')
  } catch {
    return ''
  }
}

/** The documents that do not fit the schema, each with the manifests that have it; undefined without a schema. */
async function findBroken(
  manifests: readonly (readonly [file: string, texts: Texts])[],
  schemaFile: string | undefined,
  limits: CheckPlan['limits'],
): Promise<Outcome<readonly Broken[] | undefined, CliError>> {
  if (schemaFile === undefined) return { ok: true, value: undefined }
  const check = await openCheck({ schemaFile, limits })
  if (!check.ok) return check
  const broken = new Map<string, Broken>()
  for (const [file, texts] of manifests) {
    for (const [id, text] of texts) {
      const { faults } = check.value.check(id, text)
      if (faults.length === 0) continue
      const key = JSON.stringify([id, text])
      const files = [...(broken.get(key)?.manifests ?? []), file]
      broken.set(key, { id, name: namesOf(text), manifests: files, faults })
    }
  }
  return { ok: true, value: [...broken.values()] }
}

function format({
  added,
  removed,
  changed,
  broken,
}: Differences & { readonly broken?: readonly Broken[] }): string {
  const lines = [
    ...added.map((one) => `added    ${show(one)}`),
    ...removed.map((one) => `removed  ${show(one)}`),
    ...changed.map(({ name, before, after }) => {
      const next = after === before ? 'another text' : JSON.stringify(after)
      return `changed  ${show({ id: before, name })}: ${next}`
    }),
    ...(broken ?? []).flatMap((one) =>
      one.faults.map((fault) => `broken   ${show(one)} in ${one.manifests.join(', ')}: ${fault}`),
    ),
  ]
  const counts = [
    `${added.length} added`,
    `${removed.length} removed`,
    `${changed.length} changed`,
    ...(broken === undefined ? [] : [`${broken.length} broken`]),
  ]
  return [...lines, counts.join(', '), ''].join('\n')
}

function show({ id, name }: Document): string {
  return `${JSON.stringify(id)}${name === '' ? '' : ` (${name})`}`
}
