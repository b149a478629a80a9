import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../src', import.meta.url))

/** The source files below a folder, each with those it imports, types included. */
function graphOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^(?:dist|node_modules|spec-tests)\//.test(name))
    .map((name) => join(folder, name))
  return new Map(files.map((file) => [file, importsOf(file)]))
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)].map(([, path]) =>
    resolve(dirname(file), `${path}.ts`),
  )
}

const packages = readdirSync(join(root, '../packages')).map((name) => `../packages/${name}/src`)
const graph = new Map(['.', ...packages].flatMap((folder) => [...graphOf(join(root, folder))]))

const folders = new Map<string, string[]>()
for (const [file, imports] of graph) {
  const folder = dirname(file)
  const others = imports.map(dirname).filter((other) => other !== folder)
  folders.set(folder, [...(folders.get(folder) ?? []), ...others])
}

/** A way from a place back to itself, if there is one. */
function findCycle(places: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>()
  const visit = (place: string, path: readonly string[]): string | undefined => {
    const at = path.indexOf(place)
    if (at >= 0) {
      return [...path.slice(at), place].map((name) => name.slice(root.length + 1)).join(' -> ')
    }
    if (done.has(place)) return undefined
    done.add(place)
    return first(places.get(place) ?? [], [...path, place])
  }
  const first = (ways: Iterable<string>, path: readonly string[]): string | undefined => {
    for (const place of ways) {
      const cycle = visit(place, path)
      if (cycle !== undefined) return cycle
    }
    return undefined
  }
  return first(places.keys(), [])
}

void t.test('no file imports itself by a detour, types included', async (t) => {
  t.ok(graph.size > 40, `${graph.size} files`)
  t.equal(findCycle(graph), undefined)
})

void t.test('no folder does, types included', async (t) => {
  t.ok(folders.size > 20, `${folders.size} folders`)
  t.equal(findCycle(folders), undefined)
})

// A file earns its place by two importers, a test of its own, or an idea that needs a page.
for (const folder of ['src', 'people']) {
  void t.test(`at most a fifth of the files of ${folder} have a single importer`, async (t) => {
    const imports = graphOf(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
    const counts = new Map([...imports.keys()].map((file) => [file, 0]))
    for (const files of imports.values()) {
      for (const file of new Set(files)) counts.set(file, (counts.get(file) ?? 0) + 1)
    }
    const single = [...counts].filter(([, count]) => count === 1).map(([file]) => file)
    t.ok(single.length <= counts.size / 5, `${single.length} of ${counts.size}`)
  })
}
