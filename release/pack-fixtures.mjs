import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** All files of the fixtures as one, for src/conformance/suite/fixture-files.ts: their texts by path, as JSON, with brotli. */
export function packFixtures(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .toSorted()
  const texts = paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])
  return brotliCompressSync(JSON.stringify(Object.fromEntries(texts)))
}
