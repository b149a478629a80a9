import { randomUUID } from 'node:crypto'
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { describeFileError } from '../process/read-text-file.js'
import { loadDocuments } from '../serve/load/load-documents.js'

/** Replaces a manifest as a whole: a server that watches it never reads half of it. Returns why it cannot. */
export async function writeManifest(out: string, text: string): Promise<string | undefined> {
  const found = await stat(out).catch(() => undefined)
  if (found?.isFile() === true && found.size > 0 && !(await loadDocuments([out])).ok) {
    return `${out}: --out would overwrite a file that is not a manifest; delete it first, or name another.`
  }
  let temporary: string | undefined
  try {
    // A link stays, and what is no file, such as /dev/null, must not become one.
    if (found?.isFile() === false) await writeFile(out, text)
    else {
      const file = found === undefined ? out : await realpath(out)
      temporary = `${file}.${randomUUID()}.tmp`
      await writeFile(temporary, text, { flag: 'wx' })
      await rename(temporary, file)
    }
    return undefined
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true })
    const hasNoFolder = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return hasNoFolder ? `${out}: its folder does not exist.` : describeFileError(out, error)
  }
}
