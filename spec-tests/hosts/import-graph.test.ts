import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { reach } from '../sources.js'

const root = new URL('../../../', import.meta.url)

const dynamicImport = /\bimport\s*\(|\brequire\s*\(|\bcreateRequire\b/

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
