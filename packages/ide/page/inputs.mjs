// What the assets are made of: the files of this folder that are in the repository.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

const folder = fileURLToPath(new URL('.', import.meta.url))
const ignored = /^(?:node_modules|dist)(?:\/|$)/

/** A hash of the names and contents of all inputs. */
export function hashInputs() {
  const hash = createHash('sha256')
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .filter((name) => !ignored.test(name))
    .toSorted()
  for (const name of names) {
    // A checkout may have changed the ends of lines.
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${name}\0${text}\0`)
  }
  return hash.digest('hex')
}
