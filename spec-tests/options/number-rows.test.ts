import { readFileSync } from 'node:fs'
import t from 'tap'
import { conformFlags } from '../../src/cli/conform/conform-flags.js'
import { serveFlags } from '../../src/cli/serve/flags/serve-flags.js'
import type { NumberRow } from '../../src/shapes/number-row.js'
import { maxInt32 } from '../../src/shapes/shapes.js'
import { checkGenerated, checkTable } from '../generated.js'
import { files, type Rows } from './number-tables.js'

const tables = files.flatMap(([file, named]) =>
  Object.entries(named).map(([name, rows]) => [file, name, rows] as const),
)

for (const [file, name, rows] of tables) {
  void t.test(`editors show of ${name} what its rows say`, async (t) => {
    checkGenerated(t, file, [`export const ${name} = `, '\n}\n'], (now) =>
      Object.entries(rows).reduce((text, [member, row]) => {
        const [before = '', after = ''] = text.split(`\n  ${member}: `)
        const code = before.replace(/\n {2}\/\*\*.*$/, '')
        return `${code}\n  /** ${comment(row)} */\n  ${member}: ${after}`
      }, now),
    )
    const built = file.startsWith('src/') ? `dist/${file}` : file.replace('/src/', '/dist/')
    const declarations = readFileSync(built.replace('.ts', '.d.ts'), 'utf8')
    for (const row of Object.values(rows))
      t.ok(declarations.includes(`/** ${comment(row)} */`), row.doc)
  })

  void t.test(`the defaults of ${name} are within their ranges`, async (t) => {
    for (const [member, row] of Object.entries(rows)) {
      const { default: value, least = 0, most = Infinity, why } = row
      t.ok(least <= value && value <= most, member)
      t.not(why, '', `${member} says why`)
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

type Cell = (row: NumberRow, name: string) => string

const whole: { readonly [title: string]: Cell } = {
  Option: ({ flag }, name) => (flag === undefined ? `\`${name}\`` : `\`${name}\`, \`--${flag}\``),
  Default: formatDefault,
  'Beyond it': ({ refusal }) => refusal ?? '-',
  Meaning: describe,
}
const { 'Beyond it': _beyond, ...brief } = whole
const unflagged: Cell = (_row, name) => `\`${name}\``
const owner: Cell = (_row, name) =>
  name in rowsOf('queueRows') ? '`createPubSub`, `subscribe`, `fromEvent`' : '`postgresTransport`'
const ofPubSub = { Option: unflagged, Of: owner, Default: formatDefault, Meaning: describe }

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
  return Object.fromEntries(names.map((name) => [name, all[name] as NumberRow]))
}

function prefixed(prefix: string, rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [prefix + name, row]))
}

function comment(row: NumberRow): string {
  const unit = row.unit && { ms: 'milliseconds', bytes: 'bytes', MiB: 'MiB' }[row.unit]
  const sentence = unit === undefined ? row.doc : row.doc.replace(/\.$/, `, in ${unit}.`)
  const { most: limit = Infinity } = row
  const most = limit < maxInt32 ? `At most ${format(limit, row)}.` : ''
  const parts = [sentence, row.note, most, `Default: ${format(row.default, row)}.`]
  return parts.filter(Boolean).join(' ')
}

function describe({ doc, note }: NumberRow): string {
  return [doc, note].filter(Boolean).join(' ')
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
