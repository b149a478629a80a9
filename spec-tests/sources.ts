import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

const packages = readdirSync(`${root}packages`).map((name) => `packages/${name}/src`)

/** The modules of folders, by their paths from the root. */
export function readSources(folders: readonly string[] = ['src', ...packages]) {
  return folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/^(?:dist|node_modules|spec-tests)\//.test(name))
      .map((name) => `${folder}/${name}`)
      .map((name) => ({ name, text: readFileSync(`${root}${name}`, 'utf8') })),
  )
}

/** `import x from`, `import { x } from`, `import * as x from`, `import`, `export { x } from`, `export * from`. */
const staticImport =
  /^(?:import|export)\s+(?:(?:\w+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+)?\s*from\s+)?['"]([^'"]+)['"]/gm

/** Everything that a module loads, itself included: files by their URL, packages by their name. */
export function reach(entry: URL, found: Set<string> = new Set([entry.href])): Set<string> {
  for (const [, specifier = ''] of readFileSync(entry, 'utf8').matchAll(staticImport)) {
    const isOurs = /^@?graphwire\b/.test(specifier)
    const named = isOurs ? import.meta.resolve(specifier) : specifier
    const name = specifier.startsWith('.') ? new URL(specifier, entry).href : named
    if (found.has(name)) continue
    found.add(name)
    if (name.startsWith('file:')) reach(new URL(name), found)
  }
  return found
}
