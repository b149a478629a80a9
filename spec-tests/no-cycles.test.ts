import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(root, name))

/** The source files that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)].map(([, path]) =>
    resolve(dirname(file), `${path}.ts`),
  )
}

const graph = new Map(files.map((file) => [file, importsOf(file)]))

void t.test('no file imports itself by a detour, types included', async (t) => {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) {
      const cycle = [...path.slice(at), file].map((name) => name.slice(root.length + 1))
      t.fail(cycle.join(' -> '))
    } else if (!done.has(file)) {
      for (const next of graph.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
  }
  for (const file of files) visit(file, [])
  t.ok(graph.size > 40, `${graph.size} files`)
})

void t.test('every import leads to a file', async (t) => {
  for (const [file, imports] of graph) {
    for (const path of imports) if (!graph.has(path)) t.fail(`${file} imports ${path}`)
  }
  t.pass()
})
