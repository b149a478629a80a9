import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = new URL('../../../', import.meta.url)

/** `import x from`, `import { x } from`, `import * as x from`, `import`, `export { x } from`, `export * from`. */
const staticImport =
  /^(?:import|export)\s+(?:(?:\w+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+)?\s*from\s+)?['"]([^'"]+)['"]/gm
const dynamicImport = /\bimport\s*\(|\brequire\s*\(|\bcreateRequire\b/

/** Everything that a module loads, itself included: files by their URL, packages by their name. */
function reach(entry: URL, found: Set<string> = new Set([entry.href])): Set<string> {
  for (const specifier of importsOf(entry)) {
    const isPackage = /^@?graphwire\b/.test(specifier)
    const name = specifier.startsWith('.')
      ? new URL(specifier, entry).href
      : isPackage
        ? import.meta.resolve(specifier)
        : specifier
    if (found.has(name)) continue
    found.add(name)
    if (name.startsWith('file:')) reach(new URL(name), found)
  }
  return found
}

function importsOf(file: URL): string[] {
  const found = readFileSync(file, 'utf8').matchAll(staticImport)
  return Array.from(found, ([, specifier = '']) => specifier)
}

// oxfmt-ignore
const entries: readonly [entry: string, packages: readonly string[]][] = [
  ['dist/src/hosts/fetch/index.js', ['graphql']],
  ['dist/src/index.js', ['graphql']],
  ['packages/mcp/dist/index.js', ['graphql']],
  ['packages/pubsub/dist/index.js', []],
  ['packages/rate-limit/dist/index.js', ['graphql']],
  ['packages/response-cache/dist/index.js', ['graphql', 'node:crypto']],
  ['packages/rest/dist/index.js', ['graphql']],
  ['packages/uploads/dist/index.js', ['@fastify/busboy', 'graphql']],
  ['packages/otel/dist/index.js', ['@opentelemetry/api', 'node:crypto', 'node:diagnostics_channel']],
]

for (const [entry, allowed] of entries) {
  void t.test(`${entry} reaches nothing but our own files and: ${allowed.join()}`, async (t) => {
    const found = [...reach(new URL(entry, root))]
    const files = found.filter((name) => name.startsWith('file:'))
    const packages = found.filter((name) => !name.startsWith('file:'))
    t.ok(files.length > 3, `${files.length} files`)
    const outside = files.filter((file) => !/\/(?:dist\/src|packages\/[\w-]+\/dist)\//.test(file))
    t.same(outside, [], 'none outside src and the packages')
    const others = packages.filter((name) => !allowed.includes(name))
    t.same(others, [], 'no other package, and nothing of node:')
    for (const file of files) {
      const code = readFileSync(new URL(file), 'utf8')
      t.notMatch(code, dynamicImport, `${fileURLToPath(file)} imports nothing in other ways`)
    }
  })
}
