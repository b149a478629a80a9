import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { watchFiles } from '../../../src/cli/serve/watch-files.js'

/** Watches a folder and gives a promise of the next change. */
function watchFolder(folder: string, ...files: string[]) {
  let changes = 0
  let tell: (() => void) | undefined
  const reports: string[] = []
  const watching = watchFiles({
    files: files.map((file) => join(folder, file)),
    debounceMs: 20,
    changed: () => {
      changes++
      tell?.()
    },
    report: (text) => reports.push(text),
  })
  t.teardown(() => watching.close())
  return {
    reports,
    changes: () => changes,
    /** Does something and resolves when it has been noticed. */
    noticed: (act: () => void) =>
      new Promise<void>((resolve) => {
        tell = resolve
        act()
      }),
  }
}

// oxfmt-ignore
const relevant: readonly [file: string, because: string][] = [
  ['schema.graphql',    'it was named'],
  ['other.gql',         'it is SDL'],
  ['resolvers.js',      'it is a module'],
  ['resolvers.mts',     'it is a TypeScript module'],
  ['data.json',         'it is JSON'],
  ['odd.name',          'it was named, whatever it is called'],
  ['lib/deep/word.cjs', 'a module in a folder within'],
]

for (const [file, because] of relevant) {
  void t.test(`a change of ${file} is noticed: ${because}`, async (t) => {
    const folder = t.testdir({ lib: { deep: {} } })
    const { noticed } = watchFolder(folder, 'schema.graphql', 'odd.name')
    await noticed(() => writeFileSync(join(folder, file), 'x'))
  })
}

const irrelevant = ['notes.txt', 'schema.graphql~', 'node_modules/x.js', '.git/x.json', '.tmp.swp']

for (const file of irrelevant) {
  void t.test(`a change of ${file} is not noticed`, async (t) => {
    const folder = t.testdir({ node_modules: {}, '.git': {} })
    const { changes, noticed } = watchFolder(folder, 'schema.graphql')
    writeFileSync(join(folder, file), 'x')
    // Events come in their order: had the one before counted, it would have come first.
    await noticed(() => writeFileSync(join(folder, 'schema.graphql'), 'x'))
    t.equal(changes(), 1)
  })
}

void t.test('several changes at once are reported once', async (t) => {
  const folder = t.testdir({})
  const { changes, noticed } = watchFolder(folder, 'a.graphql')
  await noticed(() => {
    for (const file of ['a.graphql', 'b.js', 'c.json']) writeFileSync(join(folder, file), 'x')
  })
  t.equal(changes(), 1)
})

void t.test('a folder that comes, goes and comes back is watched', async (t) => {
  const folder = t.testdir({})
  const { noticed } = watchFolder(folder, 'a.graphql')
  for (let round = 0; round < 2; round++) {
    await noticed(() => mkdirSync(join(folder, 'lib')))
    await noticed(() => writeFileSync(join(folder, 'lib', 'a.js'), String(round)))
    await noticed(() => rmSync(join(folder, 'lib'), { recursive: true }))
  }
})

void t.test('a missing folder is reported', async (t) => {
  const { reports } = watchFolder(join(t.testdir({}), 'none'), 'a.graphql')
  t.match(reports, [/^cannot watch .*none/])
})

// oxfmt-ignore
const links: readonly [file: string, what: string][] = [
  ['a.graphql',        'that is a link'],
  ['..data/a.graphql', 'in a folder that is a link'],
]

for (const [file, what] of links) {
  void t.test(`a change of the target of a named file ${what} is noticed`, async (t) => {
    const folder = t.testdir({ '..v0': { 'a.graphql': '' } })
    symlinkSync('..v0', join(folder, '..data'))
    symlinkSync('..data/a.graphql', join(folder, 'a.graphql'))
    const { noticed } = watchFolder(folder, file)
    let version = 0
    // As Kubernetes updates a ConfigMap; again and again, since polling begins at some time.
    const update = (): void => {
      const name = `..v${++version}`
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'a.graphql'), name)
      symlinkSync(name, join(folder, '..new'))
      renameSync(join(folder, '..new'), join(folder, '..data'))
    }
    const timer = setInterval(update, 100)
    await noticed(update)
    clearInterval(timer)
    await noticed(() => writeFileSync(join(folder, dirname(file), 'b.js'), ''))
  })
}

void t.test('a named file is watched even if its link has no target yet', async (t) => {
  const folder = t.testdir({ '.own': {}, '.later': {} })
  symlinkSync('.later/a.graphql', join(folder, 'a.graphql'))
  const { noticed } = watchFolder(folder, 'a.graphql', '.own/c.odd')
  await noticed(() => writeFileSync(join(folder, '.later/a.graphql'), 'x'))
  await noticed(() => writeFileSync(join(folder, '.own/c.odd'), 'x'))
})
