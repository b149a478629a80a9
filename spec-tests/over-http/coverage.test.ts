import { readFileSync } from 'node:fs'
import t from 'tap'
import { editionNames } from '../../src/over-http/editions.js'
import { acceptRows } from './accept-rows.js'
import { requestRows } from './request-rows.js'
import { statusRows } from './status-rows.js'

interface Statement {
  readonly id: string
  readonly binds: 'client' | 'server'
  readonly test: 'universal' | 'standard' | 'configured' | 'untestable'
}

const rows = [...requestRows, ...acceptRows, ...statusRows]

for (const edition of editionNames) {
  const url = new URL(`../../../fixtures/statements/${edition}.json`, import.meta.url)
  const { statements } = JSON.parse(readFileSync(url, 'utf8')) as { statements: Statement[] }
  for (const { id, binds, test } of statements) {
    if (binds !== 'server' || (test !== 'universal' && test !== 'standard')) continue
    t.ok(
      rows.some((row) => row.statements.includes(id)),
      `edition ${edition}: ${id} has a row`,
    )
  }
}

const known = new Set(
  editionNames.flatMap((edition) => {
    const url = new URL(`../../../fixtures/statements/${edition}.json`, import.meta.url)
    return (JSON.parse(readFileSync(url, 'utf8')) as { statements: Statement[] }).statements.map(
      ({ id }) => id,
    )
  }),
)
t.strictSame(
  [...new Set(rows.flatMap((row) => row.statements))].filter((id) => !known.has(id)),
  [],
  'no row cites a statement that does not exist',
)

const titles = rows.map(({ title }) => title)
t.strictSame(
  titles.filter((title, at) => titles.indexOf(title) !== at),
  [],
  'no two rows have one title',
)
