import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { casesOf, formatCoverage, publishedEditions, type CoveredText } from './format-coverage.js'
import { titleOf } from '../../src/conformance/suite/editions.js'
import type { Statement } from '../../src/conformance/suite/statements.js'
import { fixturesFolder } from '../../src/conformance/suite/fixture-files.js'
import { readSuite } from '../../src/conformance/suite/suite.js'

const suite = readSuite()

function read(name: string): readonly Statement[] {
  const file = readFileSync(new URL(`statements/${name}.json`, fixturesFolder), 'utf8')
  return (JSON.parse(file) as { statements: Statement[] }).statements
}

const texts: readonly CoveredText[] = [
  ...publishedEditions
    .toReversed()
    .map((name) => ({ title: `Edition ${titleOf(name)}`, edition: name, statements: read(name) })),
  { title: 'RFCs', edition: '2026-09', statements: read('rfc') },
  { title: 'Streams and sockets', edition: '2026-09', statements: read('streaming') },
  { title: 'Proposals (next)', edition: 'next', statements: read('next') },
]

for (const { title, edition, statements } of texts) {
  if (edition === 'next') continue
  void t.test(`${title}: every statement that a wire can show has a case`, async (t) => {
    for (const { id, binds, test, paraphrase } of statements) {
      if (binds !== 'server' || (test !== 'universal' && test !== 'standard')) continue
      t.not(casesOf(suite, id, edition).length, 0, `${id}: ${paraphrase}`)
    }
  })
}

void t.test('every statement without a case has a reason', async (t) => {
  for (const { title, edition, statements } of texts) {
    for (const { id, how } of statements) {
      if (casesOf(suite, id, edition).length > 0) continue
      t.ok(how !== undefined && how.length > 10, `${title}, ${id}`)
    }
  }
})

void t.test('docs/reports/coverage.md says so', async (t) => {
  const page = new URL('../docs/reports/coverage.md', fixturesFolder)
  const made = `${formatCoverage(suite, texts)}\n`
  if (process.env['UPDATE'] === '1') writeFileSync(page, made)
  t.equal(
    readFileSync(page, 'utf8'),
    made,
    'the page matches the data; `npm run report:coverage` writes it',
  )
})
