import { readFileSync } from 'node:fs'
import t from 'tap'
import { conformFlags } from '../../src/cli/conform/conform-flags.js'
import { serveFlags } from '../../src/cli/serve/flags/serve-flags.js'
import type { NumberRow } from '../../src/shapes/number-row.js'
import { maxInt32 } from '../../src/shapes/shapes.js'
import { checkGenerated, checkTable } from '../generated.js'
import { inUnit, tables, type DocumentedRow, type Rows } from './number-tables.js'

for (const [file, name, rows] of tables) {
  void t.test(`editors show of ${name} what its rows say`, async (t) => {
    const built = file.startsWith('src/') ? `dist/${file}` : file.replace('/src/', '/dist/')
    const declarations = readFileSync(built.replace('.ts', '.d.ts'), 'utf8')
    for (const [member, row] of Object.entries(rows)) {
      const { comment, sentences, meaning, doc = '' } = row
      if (sentences === '') return void t.fail(`${member} has a comment in one line`)
      checkGenerated(t, file, [`/** ${sentences} `, ' */'], numbersOf(row))
      t.ok(declarations.includes(`/** ${comment} */`), `editors show the comment of ${member}`)
      t.ok(sentences.includes(inUnit(row)), `the first sentence of ${member} says the unit`)
      t.ok(meaning.startsWith(doc), `--help says of ${member} what its comment says`)
    }
  })

  void t.test(`the defaults of ${name} are within their ranges`, async (t) => {
    for (const [member, { default: value, least = 0, most = Infinity }] of Object.entries(rows)) {
      t.ok(least <= value && value <= most, member)
    }
  })

  const isOfRuns = name === 'runRows'
  const [command, flags] = isOfRuns ? ['conform', conformFlags] : ['serve', serveFlags]
  void t.test(`each flag of ${name} is a flag of ${command}`, async (t) => {
    const own = Object.values(rows).flatMap(({ flag }) => flag ?? [])
    const lost = own.filter((flag) => !Object.hasOwn(flags, flag))
    t.same(lost, [])
  })
}

/** The rows of some tables. */
function rowsOf(...names: readonly string[]): Rows {
  const found = names.map((name) => tables.find(([, one]) => one === name)?.[2])
  return Object.assign({}, ...found) as Rows
}

const all = rowsOf(...tables.map(([, name]) => name))

type Cell = (row: DocumentedRow, name: string) => string

const meaningOf: Cell = ({ meaning }) => meaning

const whole: { readonly [title: string]: Cell } = {
  Option: ({ flag }, name) => (flag === undefined ? `\`${name}\`` : `\`${name}\`, \`--${flag}\``),
  Default: formatDefault,
  'Beyond it': ({ refusal }) => refusal ?? '-',
  Meaning: meaningOf,
}
const { 'Beyond it': _beyond, ...brief } = whole
const unflagged: Cell = (_row, name) => `\`${name}\``
const owner: Cell = (_row, name) =>
  name in rowsOf('queueRows') ? '`createPubSub`, `subscribe`, `fromEvent`' : '`postgresTransport`'
const ofPubSub = { Option: unflagged, Of: owner, Default: formatDefault, Meaning: meaningOf }

// oxfmt-ignore
const reasons: readonly [section: string, rows: Rows][] = [
  ['requests',    pick('maxUrlLength', 'maxHeaderCount', 'maxBodyBytes', 'maxJsonNesting', 'maxDocumentLength')],
  ['documents',   { ...rowsOf('limitRows'), ...pick('costListSize', 'costMaxListSize', 'maxErrors', 'maxFieldErrors', 'maxMessageLength') }],
  ['running',     { ...pick('executionTimeout', 'maxInFlight', 'clientShare', 'trustedProxies', 'maxEventLoopDelay', 'maxResponseBytes'),
                    ...pick('documentCacheEntries', 'documentCacheBytes') }],
  ['batches',     prefixed('batch.', rowsOf('batchRows'))],
  ['streams',     rowsOf('streamRows')],
  ['connections', { ...rowsOf('connectionRows', 'nodeHostRows'), ...pick('backlog') }],
]

// oxfmt-ignore
const pages: readonly [page: string, section: string, rows: Rows, columns: { readonly [title: string]: Cell }][] = [
  ...reasons.map(([section, rows]) => ['limits', section, rows, whole] as [string, string, Rows, typeof whole]),
  ['websocket',     'sockets',     rowsOf('socketRows'),              whole],
  ['documents',     'apq',         prefixed('apq.', rowsOf('apqRows')),  whole],
  ['uploads',       'uploads',     rowsOf('uploadRows'),                 whole],
  ['execution',     'numbers',     rowsOf('compiledRows'),               { ...whole, Option: unflagged }],
  ['server',        'http2',       rowsOf('http2Rows'),                  { ...brief, Option: unflagged }],
  ['server',        'closing',     rowsOf('closeRows'),                  { ...brief, Option: unflagged }],
  ['pubsub',        'numbers',     rowsOf('queueRows', 'postgresRows'), ofPubSub],
]

for (const [page, section, rows, columns] of pages) {
  void t.test(`docs/${page}.md has the numbers of ${section}`, async (t) => {
    const cells = Object.values(columns)
    const lines = Object.entries(rows).map(([name, row]) => cells.map((cell) => cell(row, name)))
    checkTable(t, `docs/${page}.md`, section, [Object.keys(columns), ...lines])
  })
}

void t.test('docs/limits.md has every number of a server', async (t) => {
  const shown = new Set(reasons.flatMap(([, rows]) => Object.keys(rows)))
  const servers = ['runRows', 'http2Rows', 'closeRows', 'queueRows', 'postgresRows']
  const parts = ['socketRows', 'compiledRows', 'apqRows', 'batchRows']
  const elsewhere = { port: true, ...rowsOf(...servers, ...parts, 'uploadRows') }
  const lost = Object.keys(all).filter((name) => !shown.has(name) && !(name in elsewhere))
  t.same(lost, [])
})

function pick(...names: readonly string[]): Rows {
  return Object.fromEntries(names.map((name) => [name, all[name] as DocumentedRow]))
}

function prefixed(prefix: string, rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [prefix + name, row]))
}

function numbersOf(row: NumberRow): string {
  const { most = Infinity } = row
  const limits = most < maxInt32 ? `At most ${format(most, row)}. ` : ''
  return `${limits}Default: ${format(row.default, row)}.`
}

function formatDefault(row: NumberRow): string {
  const { most = Infinity, unit } = row
  const value = row.default === Infinity ? 'off' : format(row.default, row)
  const unitText = unit === 'bytes' || value === 'off' ? '' : unit === undefined ? '' : ` ${unit}`
  return `${value}${unitText}${most < maxInt32 ? `, at most ${format(most, row)}` : ''}`
}

function format(value: number, { unit }: NumberRow): string {
  const KiB = 1024
  if (unit === 'bytes' && value > 0 && value % KiB ** 2 === 0) return `${value / KiB ** 2} MiB`
  if (unit === 'bytes' && value > 0 && value % KiB === 0) return `${value / KiB} KiB`
  // A port is written without a comma.
  return value === 4000 || value === 65_535
    ? String(value)
    : value.toLocaleString('en-US').replace('∞', 'Infinity')
}
