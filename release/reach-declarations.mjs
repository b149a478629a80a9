import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The declarations that the entries of the package reach: a user's compiler reads no others. */
export function reachDeclarations(root, exports) {
  const found = new Set()
  const open = Object.values(exports).flatMap(({ types }) => types?.slice('./'.length) ?? [])
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, specifier] of text.matchAll(
      /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g,
    )) {
      open.push(`${posix.join(posix.dirname(path), specifier)}.d.ts`)
    }
  }
  return found
}
