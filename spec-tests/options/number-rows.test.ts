import t from 'tap'
import { conformFlags } from '../../src/cli/conform/conform-flags.js'
import { serveFlags } from '../../src/cli/serve/flags/serve-flags.js'
import { runRows } from '../../src/conformance/run/run-numbers.js'
import { compiledRows } from '../../src/compiled/compiled-options.js'
import { limitRows } from '../../src/graphql/limits/limits.js'
import { connectionRows } from '../../src/hosts/node/connection/connection-options.js'
import { http2Rows } from '../../src/hosts/node/connection/tls-options.js'
import { nodeHostRows } from '../../src/hosts/node/exchange/node-host-options.js'
import { closeRows } from '../../src/hosts/node/server/close-options.js'
import { postgresRows, queueRows } from '@graphwire/pubsub'
import { apqRows } from '../../src/options/document-options.js'
import { batchRows } from '../../src/options/batch-options.js'
import { socketRows } from '../../src/hosts/websocket/socket-options.js'
import { streamRows } from '../../src/options/stream-options.js'
import { uploadRows } from '@graphwire/uploads'
import type { NumberRow } from '../../src/shapes/number-row.js'
import { maxInt32 } from '../../src/shapes/shapes.js'
import { checkGenerated, checkTable } from '../generated.js'
import { interfaces, type Rows } from './number-interfaces.js'

for (const [file, name, rows] of interfaces) {
  void t.test(`editors show of ${name} what its rows say`, async (t) => {
    const members = Object.entries(rows).map(
      ([member, row]) => `  /** ${comment(row)} */\n  readonly ${member}?: number | undefined\n`,
    )
    checkGenerated(t, file, [`export interface ${name} {\n`, '}\n'], members.join(''))
  })

  void t.test(`the defaults of ${name} are within their ranges`, async (t) => {
    for (const [member, { default: value, least = 0, most = Infinity, why }] of Object.entries(
      rows,
    )) {
      t.ok(least <= value && value <= most, member)
      t.not(why, '', `${member} says why`)
    }
  })

  const [command, flags] = rows === runRows ? ['conform', conformFlags] : ['serve', serveFlags]
  void t.test(`each flag of ${name} is a flag of ${command}`, async (t) => {
    const own = Object.values(rows).flatMap(({ flag }) => flag ?? [])
    const lost = own.filter((flag) => !Object.hasOwn(flags, flag))
    t.same(lost, [])
  })
}

const all: Rows = Object.assign({}, ...interfaces.map(([, , rows]) => rows)) as Rows

type Cell = (row: NumberRow, name: string) => string

const whole: { readonly [title: string]: Cell } = {
  Option: ({ flag }, name) => (flag === undefined ? `\`${name}\`` : `\`${name}\`, \`--${flag}\``),
  Default: formatDefault,
  'Beyond it': ({ refusal }) => refusal ?? '-',
  Meaning: describe,
}
const { 'Beyond it': _beyond, ...brief } = whole
const unflagged: Cell = (_row, name) => `\`${name}\``
const ofPubSub = {
  Option: unflagged,
  Of: (_row: NumberRow, name: string) =>
    name in queueRows ? '`createPubSub`, `subscribe`, `fromEvent`' : '`postgresTransport`',
  Default: formatDefault,
  Meaning: describe,
}

const cacheNames = ['documentCacheEntries', 'documentCacheBytes']

// oxfmt-ignore
const reasons: readonly [section: string, rows: Rows][] = [
  ['requests',    pick('maxUrlLength', 'maxHeaderCount', 'maxBodyBytes', 'maxJsonNesting', 'maxDocumentLength')],
  ['documents',   { ...limitRows, ...pick('costListSize', 'costMaxListSize', 'maxErrors', 'maxFieldErrors', 'maxMessageLength') }],
  [
    'running',
    pick('executionTimeout', 'maxInFlight', 'clientShare', 'trustedProxies', 'maxEventLoopDelay', 'maxResponseBytes', ...cacheNames),
  ],
  ['batches',     prefixed('batch.', batchRows)],
  ['streams',     streamRows],
  ['connections', { ...connectionRows, ...nodeHostRows, ...pick('backlog') }],
]

// oxfmt-ignore
const tables: readonly [page: string, section: string, rows: Rows, columns: { readonly [title: string]: Cell }][] = [
  ...reasons.map(([section, rows]) => ['limits', section, rows, whole] as [string, string, Rows, typeof whole]),
  ['websocket',     'sockets',     socketRows,                    whole],
  ['documents',     'apq',         prefixed('apq.', { ...apqRows }), whole],
  ['uploads',       'uploads',     { ...uploadRows },             whole],
  ['execution',     'numbers',     { ...compiledRows },           { ...whole, Option: unflagged }],
  ['server',        'http2',       http2Rows,                     { ...brief, Option: unflagged }],
  ['server',        'closing',     closeRows,                     { ...brief, Option: unflagged }],
  ['pubsub',        'numbers',     { ...queueRows, ...postgresRows }, ofPubSub],
]

for (const [page, section, rows, columns] of tables) {
  void t.test(`docs/${page}.md has the numbers of ${section}`, async (t) => {
    const cells = Object.values(columns)
    const lines = Object.entries(rows).map(([name, row]) => cells.map((cell) => cell(row, name)))
    checkTable(t, `docs/${page}.md`, section, [Object.keys(columns), ...lines])
  })
}

void t.test('docs/limits.md has every number of a server', async (t) => {
  const shown = new Set(reasons.flatMap(([, rows]) => Object.keys(rows)))
  const ofServers = { ...runRows, ...http2Rows, ...closeRows, ...queueRows, ...postgresRows }
  const ofParts = { ...socketRows, ...compiledRows, ...apqRows, ...batchRows, ...uploadRows }
  const elsewhere = new Set(['port', ...Object.keys({ ...ofServers, ...ofParts })])
  const lost = Object.keys(all).filter((name) => !shown.has(name) && !elsewhere.has(name))
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
