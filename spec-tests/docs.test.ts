import { channel } from 'node:diagnostics_channel'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { examplesOf } from './docs-examples.js'
import { checkTable } from './generated.js'

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
  const report = readFileSync(`${root}docs/reports/performance.md`, 'utf8')
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

const runnable = [
  'auth',
  'testing',
  'hooks',
  'extensions',
  'rest',
  'schema',
  'incremental',
  'batching',
  'uploads',
  'pubsub',
  'subscriptions',
  'execution',
  'mcp',
  'surfaces',
  'caching',
  'observability',
  'ide',
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
    const text = readFileSync(`${root}${page}`, 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const path = new URL(target, new URL(page, `file://${root}`))
      t.doesNotThrow(() => readdirOrFile(fileURLToPath(path)), `${page}: ${target}`)
    }
  }
})

function readdirOrFile(path: string): unknown {
  try {
    return readFileSync(path)
  } catch {
    return readdirSync(path)
  }
}

void t.test('every test that docs/security.md names is there', async (t) => {
  const text = readFileSync(`${root}docs/security.md`, 'utf8')
  const named = [...text.matchAll(/`([\w/-]*spec-tests\/[\w/{},.-]+)`/g)].flatMap(
    ([, path = '']) => {
      const [, start = path, list, end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
      return list === undefined ? [path] : list.split(',').map((word) => start + word.trim() + end)
    },
  )
  t.ok(named.length > 40, `${named.length} tests`)
  for (const path of named) {
    const places = [path, `${path}.test.ts`].map((one) => root + one)
    t.ok(
      places.some((one) => existsSync(one)),
      path,
    )
  }
})

void t.test('the docs have at most 70 pages and 70,000 words, figures apart', async (t) => {
  const docs = pages.filter((name) => name.startsWith('docs/'))
  t.ok(docs.length <= 70, `${docs.length} pages`)
  const texts = docs.map((name) => readFileSync(root + name, 'utf8'))
  const words = texts
    .join('\n')
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word)).length
  t.ok(words <= 70_000, `${words} words`)
})

void t.test('every page of decisions is in the index once', async (t) => {
  const folder = `${root}docs/decisions/`
  const index = readFileSync(`${folder}README.md`, 'utf8')
  for (const name of readdirSync(folder).filter((one) => one !== 'README.md')) {
    t.equal(index.split(`](${name})`).length, 2, name)
  }
})

void t.test('every option has its line in the options', async (t) => {
  const bodies = ['Options', 'Hooks'].map((name) => {
    const source = readFileSync(`${root}src/options/${name.toLowerCase()}.ts`, 'utf8')
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
