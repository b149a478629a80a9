import { channel } from 'node:diagnostics_channel'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { examplesOf } from './docs-examples.js'
import { checkTable } from './generated.js'
import { readRoot } from '../site/pages/read-root.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const packages = readdirSync(`${root}packages`).map((name) => `packages/${name}/README.md`)
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'src/README.md',
  ...packages,
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const workloads: readonly (readonly [name: string, title: string])[] = [
  ['W1', 'a constant field'],
  ['W2', 'a person with address and friends'],
  ['W3', 'a list of 500 people'],
  ['W5', 'a document never seen before'],
]

void t.test('the README has the figures of the report', async (t) => {
  const report = readRoot('docs/reports/performance.md')
  const columns = workloads.map(([name, title]) => {
    const [, table = ''] = new RegExp(`\n### ${name}: .*\n\n(\\|[^]*?)\n\n`).exec(report) ?? []
    const rows = table.split('\n').slice(2)
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
    return { title, figures: new Map(cells.map(([, server = '', cpu = '']) => [server, cpu])) }
  })
  const servers = [...(columns[0]?.figures.keys() ?? [])].filter((name) => !name.startsWith('raw'))
  t.ok(servers.length > 5)
  checkTable(t, 'README.md', 'speed', [
    ['', ...columns.map(({ title }) => title)],
    ...servers.map((name) => [name, ...columns.map(({ figures }) => figures.get(name) ?? '-')]),
  ])
})

// oxfmt-ignore
const runnable = [
  'auth', 'testing', 'hooks', 'extensions', 'rest', 'schema', 'incremental', 'batching', 'uploads',
  'pubsub', 'subscriptions', 'execution', 'mcp', 'surfaces', 'caching', 'observability', 'ide',
  'migration/mercurius',
]

// In a folder of the package, so that an example can import the package by its name.
const examples = `${root}dist/docs-examples/`
mkdirSync(examples, { recursive: true })

for (const page of [
  ...runnable.map((name) => `docs/${name}.md`),
  ...packages.filter((name) => !/ide/.test(name)),
]) {
  for (const [at, code] of examplesOf(page, 'js').entries()) {
    void t.test(`example ${at + 1} of ${page} runs`, async (t) => {
      const file = `${examples}${page.replaceAll('/', '-')}-${at}.mjs`
      writeFileSync(file, code)
      await import(file)
      // Other tests share this process.
      t.notOk(channel('graphwire:arrival').hasSubscribers, 'it has stopped its traces')
    })
  }
}

void t.test('every link of the pages leads to a file', async (t) => {
  for (const page of pages) {
    for (const [, target = ''] of readRoot(page).matchAll(/\]\(([^)#]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const path = new URL(target, new URL(page, `file://${root}`))
      t.ok(existsSync(path), `${page}: ${target}`)
    }
  }
})

void t.test('every test that docs/security.md names is there', async (t) => {
  const quoted = readRoot('docs/security.md').matchAll(/`([\w/-]*spec-tests\/[\w/{},.-]+)`/g)
  const named = [...quoted].flatMap(([, path = '']) => {
    const [, start = path, list, end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
    return list === undefined ? [path] : list.split(',').map((word) => start + word.trim() + end)
  })
  t.ok(named.length > 40, `${named.length} tests`)
  for (const path of named) {
    t.ok(existsSync(root + path) || existsSync(`${root}${path}.test.ts`), path)
  }
})

void t.test('the docs have at most 70 pages and 70,000 words, figures apart', async (t) => {
  const docs = pages.filter((name) => name.startsWith('docs/'))
  t.ok(docs.length <= 70, `${docs.length} pages`)
  const words = docs.flatMap((name) => readRoot(name).split(/\s+/))
  const { length } = words.filter((word) => /\p{L}/u.test(word))
  t.ok(length <= 70_000, `${length} words`)
})

void t.test('every page of decisions is in the index once', async (t) => {
  const index = readRoot('docs/decisions/README.md')
  for (const name of readdirSync(`${root}docs/decisions`).filter((one) => one !== 'README.md')) {
    t.equal(index.split(`](${name})`).length, 2, name)
  }
})

void t.test('every option has its line in the options', async (t) => {
  const bodies = ['Options', 'Hooks'].map((name) => {
    const source = readRoot(`src/options/${name.toLowerCase()}.ts`)
    return new RegExp(`export interface ${name}\\b[^{]*\\{([^]*?)\\n\\}`).exec(source)?.[1] ?? ''
  })
  const lines = bodies.join('\n').split('\n')
  // What is further in is a parameter.
  const members = lines.filter((line) => /^ {2}(?:readonly )?\w+\??[:(]/.test(line))
  t.ok(members.length > 15, `${members.length} options`)
  for (const member of members) {
    const before = lines[lines.indexOf(member) - 1] ?? ''
    t.match(before, /^ {2}\/\*\* .*\*\/$/, member)
    if (!member.includes('readonly schema')) t.match(before, /Default/, member)
  }
})
