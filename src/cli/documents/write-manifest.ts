import { randomUUID } from 'node:crypto'
import { lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { installedGraphQL } from '../../graphql/js/graphql.js'
import { describeFileError } from '../process/read-text-file.js'
import { loadDocuments } from '../serve/load/load-documents.js'

/** Says why a manifest must not replace a file whose contents would be lost. */
export async function findOutFault(
  out: string,
  inputs: readonly string[],
): Promise<string | undefined> {
  const found = await stat(out).catch(() => undefined)
  if (found === undefined && (await isLink(out))) {
    return `${out}: --out is a symbolic link that leads to no file; name the file itself.`
  }
  if (found?.isFile() !== true) return undefined
  const read = await Promise.all(inputs.map((file) => stat(file).catch(() => undefined)))
  if (read.some((input) => input?.dev === found.dev && input.ino === found.ino)) {
    return `${out}: --out would overwrite one of the files that the manifest is built from.`
  }
  if (found.size === 0) return undefined
  const documents = await loadDocuments([out])
  if (documents.ok && [...documents.value.values()].every(isDocument)) return undefined
  return `${out}: --out would overwrite a file that is not a manifest; delete it first, or name another.`
}

async function isLink(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined)
  return found?.isSymbolicLink() === true
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
    const hasNoFolder = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return hasNoFolder ? `${out}: its folder does not exist.` : describeFileError(out, error)
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
