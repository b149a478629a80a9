import { dirname, join } from 'node:path'
import t from 'tap'
import { readSources } from './sources.js'

/** The modules of some folders, each with those it imports, types included. */
function graphOf(names?: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(readSources(names).map(({ name, text }) => [name, importsOf(name, text)]))
}

function importsOf(file: string, text: string): string[] {
  const found = text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)
  return Array.from(found, ([, path]) => join(dirname(file), `${path}.ts`))
}

const graph = graphOf()

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
    if (at >= 0) return [...path.slice(at), place].join(' -> ')
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
    const imports = graphOf([folder])
    const counts = new Map([...imports.keys()].map((file) => [file, 0]))
    for (const files of imports.values()) {
      for (const file of new Set(files)) counts.set(file, (counts.get(file) ?? 0) + 1)
    }
    const single = [...counts].filter(([, count]) => count === 1).map(([file]) => file)
    t.ok(single.length <= counts.size / 5, `${single.length} of ${counts.size}`)
  })
}
