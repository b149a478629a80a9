import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import {
  defaultEdition,
  editionAliases,
  editionNames,
  findEdition,
  titleOf,
} from '../../../src/conformance/suite/editions.js'
import { testClient } from '../../../src/hosts/testing.js'
import { createHandler, type EditionName } from '../../../src/index.js'
import * as engine from '../../../src/over-http/editions.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

interface EditionFact {
  readonly title: string
  readonly aliases?: readonly string[]
}

const file = JSON.parse(readFileSync(join(root, 'fixtures/editions.json'), 'utf8')) as {
  readonly [name: string]: EditionFact
}

void t.test('the suite knows the editions of fixtures/editions.json by name', async (t) => {
  t.strictSame(Object.keys(file), editionNames)
  for (const [name, { title, aliases = [] }] of Object.entries(file)) {
    t.equal(titleOf(name), title)
    const known = Object.keys(editionAliases).filter((alias) => editionAliases[alias] === name)
    t.strictSame(known.toSorted(), aliases.toSorted())
  }
  t.equal(titleOf('2020'), '2020')
})

void t.test('the schemas of fixtures list the same names', async (t) => {
  const aliases = Object.keys(editionAliases)
  for (const [schema, names] of [
    ['fixture', editionNames],
    ['report', editionNames],
    ['target', [...editionNames, ...aliases]],
  ] as const) {
    const text = readFileSync(join(root, `fixtures/meta/${schema}.schema.json`), 'utf8')
    const [, list = '[]'] = /"edition": \{\s*"enum": (\[[^\]]*\])/.exec(text) ?? []
    t.strictSame(JSON.parse(list), names, schema)
  }
})

// oxfmt-ignore
const names: readonly [name: string, edition: EditionName | undefined][] = [
  ['2026-09',       '2026-09'],
  ['september2026', '2026-09'],
  ['September2026', '2026-09'],
  ['2026-08',       '2026-09'],
  ['2025-05',       '2025-05'],
  ['2026',          undefined],
  ['',              undefined],
  ['constructor',   undefined],
]

void t.test('the engine and the suite agree on each name and alias, and on none', async (t) => {
  t.strictSame(engine.editionAliases, editionAliases)
  t.equal(engine.defaultEdition, defaultEdition)
  for (const [name, edition] of names) {
    t.equal(findEdition(name), edition, name)
    t.equal(engine.findEdition(name), edition && engine.editions[edition], name)
  }
  t.equal(findEdition('next'), 'next')
})

void t.test('a handler of each name of September 2026 answers as that says', async (t) => {
  for (const edition of [undefined, '2026-09', 'september2026', '2026-08'] as const) {
    const send = testClient(createHandler({ schema: createStandardSchema(), edition }))
    t.equal((await send({ json: { query: '{ fail }' } })).status, 294)
  }
})

// The released text is not here, so that the script is held against a text made of the quotes.
const script = join(root, 'spec-tests/compare-quotes.mjs')
const statements = JSON.parse(
  readFileSync(join(root, 'fixtures/statements/2026-09.json'), 'utf8'),
) as { statements: { id: string; quote?: string; section: string }[] }
const made = statements.statements
  .filter(({ id }) => !id.startsWith('GS-'))
  .map(({ quote, section }) => `# ${section}\n\n${quote?.split(' ').join('\n')}\n`)
  .join('\n')

void t.test('the script of quotes finds what differs', async (t) => {
  const folder = t.testdir({ 'same.md': made, 'other.md': made.replace('MUST', 'SHOULD') })
  const compare = (name: string) => {
    const done = spawnSync(process.execPath, [script, join(folder, name)], { encoding: 'utf8' })
    return { code: done.status, out: done.stdout, err: done.stderr.trim().split('\n') }
  }
  const sha256 = createHash('sha256').update(made).digest('hex')
  t.match(compare('same.md'), { code: 1, err: [new RegExp(`its sha256 is ${sha256}`)] })
  t.equal(compare('same.md').err.length, 1, 'only the hash differs')
  t.match(compare('other.md'), {
    code: 1,
    err: [/sha256/, /^URL-1: not in the text: A _server_ MUST/],
  })
  writeFileSync(join(folder, 'short.md'), made.replaceAll('# Body\n', ''))
  t.match(compare('short.md').err.join('\n'), /BD-1: no heading of the text: Body/)
  t.equal(spawnSync(process.execPath, [script]).status, 2)
})
