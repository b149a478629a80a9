import { randomUUID } from 'node:crypto'
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { installedGraphQL } from '../../../graphql/js/graphql.js'
import type { Outcome } from '../../../index.js'
import {
  findManifestFault,
  readManifest,
  type DocumentSource,
} from '../../../persisted/manifest.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { describeFileError } from '../../process/read-text-file.js'
import { readJsonFile } from './load-file.js'

/** The documents of manifests. Several clients have several manifests, in which an id must name the same text. */
export async function loadDocuments(
  files: readonly string[],
): Promise<Outcome<ReadonlyMap<string, string>, CliError>> {
  const texts = new Map<string, string>()
  for (const file of files) {
    const json = await readJsonFile(file)
    if (!json.ok) return json
    const fault = findManifestFault(json.value, file)
    if (fault !== undefined) return fail('configuration', fault)
    for (const [id, text] of readManifest(json.value as DocumentSource) ?? []) {
      if ((texts.get(id) ?? text) !== text) {
        return fail(
          'configuration',
          `${file}: the id ${JSON.stringify(id)} names another document in an earlier file.`,
        )
      }
      texts.set(id, text)
    }
  }
  return { ok: true, value: texts }
}

/** Says why a manifest must not be written to a file: it would be lost. */
export async function findOutFault(
  out: string,
  inputs: readonly string[],
): Promise<string | undefined> {
  const found = await stat(out).catch(() => undefined)
  if (found?.isFile() !== true) return undefined
  const same = await Promise.all([out, ...inputs].map((file) => realpath(file).catch(() => '')))
  if (same.lastIndexOf(same[0] ?? '') > 0) {
    return `${out}: --out would overwrite one of the files that the manifest is built from.`
  }
  if (found.size === 0) return undefined
  const documents = await loadDocuments([out])
  if (documents.ok && [...documents.value.values()].every(isDocument)) return undefined
  return `${out}: --out would overwrite a file that is not a manifest; delete it first, or name another.`
}

function isDocument(text: string): boolean {
  try {
    installedGraphQL.parse(text)
    return true
  } catch {
    return false
  }
}

/** Replaces a file as a whole: a server that watches it never reads half of it. Returns why it cannot. */
export async function replaceFile(out: string, text: string): Promise<string | undefined> {
  let temporary: string | undefined
  try {
    const file = await findFile(out)
    temporary = file && `${file}.${randomUUID()}.tmp`
    await writeFile(temporary ?? out, text, { flag: temporary === undefined ? 'w' : 'wx' })
    if (file !== undefined && temporary !== undefined) await rename(temporary, file)
    return undefined
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true })
    return describeFileError(out, error)
  }
}

/** The file that a link leads to; undefined for what must not become a file, such as /dev/null. */
async function findFile(out: string): Promise<string | undefined> {
  try {
    return (await stat(out)).isFile() ? await realpath(out) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return out
    throw error
  }
}
