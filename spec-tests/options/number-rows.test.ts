import t from 'tap'
import { runRows } from '../../src/conformance/run/run-numbers.js'
import { limitRows } from '../../src/graphql/limits/limits.js'
import { connectionRows } from '../../src/hosts/node/connection/connection-options.js'
import { http2Rows } from '../../src/hosts/node/connection/http2-options.js'
import { nodeHostRows } from '../../src/hosts/node/exchange/node-host-options.js'
import { closeRows } from '../../src/hosts/node/server/close-options.js'
import { listenRows } from '../../src/hosts/node/server/listen-options.js'
import { requestRows } from '../../src/options/numeric-options.js'
import type { NumberRow } from '../../src/shapes/number-row.js'
import { maxInt32 } from '../../src/shapes/shapes.js'
import { checkGenerated, checkTable } from '../generated.js'

interface Rows {
  readonly [name: string]: NumberRow
}

// oxfmt-ignore
const interfaces: readonly [file: string, name: string, rows: Rows][] = [
  ['src/options/numeric-options.ts',                  'RequestNumbers',    requestRows],
  ['src/graphql/limits/limits.ts',                    'LimitNumbers',      limitRows],
  ['src/hosts/node/exchange/node-host-options.ts',    'NodeHostNumbers',   nodeHostRows],
  ['src/hosts/node/connection/connection-options.ts', 'ConnectionNumbers', connectionRows],
  ['src/hosts/node/connection/http2-options.ts',      'Http2Options',      http2Rows],
  ['src/hosts/node/server/listen-options.ts',         'ListenNumbers',     listenRows],
  ['src/hosts/node/server/close-options.ts',          'CloseOptions',      closeRows],
  ['src/conformance/run/run-numbers.ts',              'RunNumbers',        runRows],
]

for (const [file, name, rows] of interfaces) {
  void t.test(`editors show of ${name} what its rows say`, async (t) => {
    const members = Object.entries(rows).map(
      ([member, row]) => `  /** ${comment(row)} */\n  readonly ${member}?: number | undefined\n`,
    )
    checkGenerated(t, file, [`export interface ${name} {\n`, '}\n'], members.join(''))
  })

  void t.test(`the defaults of ${name} are within their ranges`, async (t) => {
    for (const [member, { default: value, least, most }] of Object.entries(rows)) {
      t.ok(least <= value && value <= most, member)
    }
  })
}

const all: Rows = Object.assign({}, ...interfaces.map(([, , rows]) => rows)) as Rows

// oxfmt-ignore
const reasons: readonly [section: string, rows: Rows][] = [
  ['requests',    pick('maxUrlLength', 'maxHeaderCount', 'maxBodyBytes', 'maxJsonNesting', 'maxDocumentLength')],
  ['documents',   { ...limitRows, ...pick('costListSize', 'costMaxListSize', 'maxErrors', 'maxMessageLength') }],
  ['running',     pick('executionTimeout', 'maxInFlight', 'maxEventLoopDelay', 'maxAnswerBytes', 'documentCacheEntries', 'documentCacheBytes')],
  ['connections', { ...connectionRows, ...nodeHostRows, ...pick('backlog') }],
  ['http2',       http2Rows],
  ['closing',     closeRows],
]

for (const [section, rows] of reasons) {
  void t.test(`docs/limits.md has the limits of ${section}`, async (t) => {
    checkTable(t, 'docs/limits.md', section, [
      ['Option', 'Default', 'Beyond it', 'Meaning', 'Reason'],
      ...Object.entries(rows).map(([name, row]) => [
        spelling(name, row),
        formatDefault(row),
        row.refusal ?? '-',
        describe(row),
        row.why ?? '',
      ]),
    ])
  })
}

void t.test('docs/limits.md has every number of a server', async (t) => {
  const shown = new Set(reasons.flatMap(([, rows]) => Object.keys(rows)))
  const elsewhere = new Set(['port', ...Object.keys(runRows)])
  t.same(
    Object.keys(all).filter((name) => !shown.has(name) && !elsewhere.has(name)),
    [],
  )
})

// oxfmt-ignore
const meanings: readonly [section: string, rows: Rows][] = [
  ['connections', { ...listenRows, ...connectionRows, ...nodeHostRows }],
  ['http2',       http2Rows],
  ['closing',     closeRows],
]

for (const [section, rows] of meanings) {
  void t.test(`docs/hosts.md has the numbers of ${section}`, async (t) => {
    checkTable(t, 'docs/hosts.md', section, [
      ['Option', 'Default', 'Meaning'],
      ...Object.entries(rows).map(([name, row]) => [
        `\`${name}\``,
        formatDefault(row),
        describe(row),
      ]),
    ])
  })
}

function pick(...names: readonly string[]): Rows {
  return Object.fromEntries(names.map((name) => [name, all[name] as NumberRow]))
}

function comment(row: NumberRow): string {
  const unit = row.unit && { ms: 'milliseconds', bytes: 'bytes', MiB: 'MiB' }[row.unit]
  const sentence = unit === undefined ? row.doc : row.doc.replace(/\.$/, `, in ${unit}.`)
  const most = row.most < maxInt32 ? `At most ${format(row.most, row)}.` : ''
  return [sentence, row.note, most, `Default: ${format(row.default, row)}.`]
    .filter(Boolean)
    .join(' ')
}

function describe({ doc, note }: NumberRow): string {
  return [doc, note].filter(Boolean).join(' ')
}

function spelling(name: string, { flag }: NumberRow): string {
  return flag === undefined ? `\`${name}\`` : `\`${name}\`, \`--${flag}\``
}

function formatDefault(row: NumberRow): string {
  const { most, unit } = row
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
