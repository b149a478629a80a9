import { readFileSync } from 'node:fs'
import { runRows } from '../../src/conformance/run/run-numbers.js'
import { compiledRows } from '../../src/compiled/compiled-options.js'
import { limitRows } from '../../src/graphql/limits/limits.js'
import { connectionRows, listenRows } from '../../src/hosts/node/connection/connection-options.js'
import { http2Rows } from '../../src/hosts/node/connection/tls-options.js'
import { nodeHostRows } from '../../src/hosts/node/exchange/node-host-options.js'
import { closeRows } from '../../src/hosts/node/server/close-options.js'
import { postgresRows, queueRows } from '@graphwire/pubsub'
import { apqRows } from '../../src/options/document-options.js'
import { batchRows } from '../../src/options/batch-options.js'
import { requestRows } from '../../src/options/numeric-options.js'
import { socketRows } from '../../src/websocket/socket-options.js'
import { streamRows } from '../../src/options/stream-options.js'
import { uploadRows } from '@graphwire/uploads'
import { root } from '../generated.js'
import type { NumberRow } from '../../src/shapes/number-row.js'

/** A row, and what the comments above it say. */
export interface DocumentedRow extends NumberRow {
  /** What editors show. */
  readonly comment: string
  /** The same without the numbers at its end, and then without the unit. */
  readonly sentences: string
  readonly meaning: string
  readonly refusal: string | undefined
  readonly why: string | undefined
}

export interface Rows {
  readonly [name: string]: DocumentedRow
}

/** The files of all rows, by the name of their table. */
// oxfmt-ignore
const files: readonly [file: string, rows: { readonly [name: string]: { readonly [name: string]: NumberRow } }][] = [
  ['src/options/numeric-options.ts',                    { requestRows }],
  ['src/options/stream-options.ts',                     { streamRows }],
  ['src/websocket/socket-options.ts',                   { socketRows }],
  ['src/options/document-options.ts',                   { apqRows }],
  ['src/options/batch-options.ts',                      { batchRows }],
  ['packages/uploads/src/upload-numbers.ts',            { uploadRows }],
  ['src/graphql/limits/limits.ts',                      { limitRows }],
  ['src/hosts/node/exchange/node-host-options.ts',      { nodeHostRows }],
  ['src/hosts/node/connection/connection-options.ts',   { connectionRows }],
  ['src/hosts/node/connection/tls-options.ts',          { http2Rows }],
  ['src/hosts/node/connection/connection-options.ts',   { listenRows }],
  ['src/hosts/node/server/close-options.ts',            { closeRows }],
  ['src/conformance/run/run-numbers.ts',                { runRows }],
  ['packages/pubsub/src/channel/event-queue.ts',        { queueRows }],
  ['packages/pubsub/src/transports/postgres.ts',        { postgresRows }],
  ['src/compiled/compiled-options.ts',                  { compiledRows }],
]

export const tables: readonly (readonly [file: string, name: string, rows: Rows])[] = files.flatMap(
  ([file, named]) =>
    Object.entries(named).map(([name, rows]) => [file, name, document(file, name, rows)] as const),
)

function document(file: string, table: string, rows: { readonly [name: string]: NumberRow }): Rows {
  const text = readFileSync(new URL(file, root), 'utf8')
  const from = text.indexOf(`export const ${table} = `)
  const body = text.slice(from, text.indexOf('\n}\n', from))
  const documented = Object.entries(rows).map(([name, row]) => {
    const pattern = new RegExp(`^ {2}/\\*\\* (.*) \\*/\\n((?: {2}// .*\\n)*) {2}${name}:`, 'm')
    const [, comment = '', more = ''] = pattern.exec(body) ?? []
    const words = more.replaceAll(/ {2}\/\/|\n/g, '').trim()
    const [, refusal, why] = /^(?:Beyond it: (.*?)\.(?: |$))?(?:Reason: (.*)\.)?$/.exec(words) ?? []
    const sentences = comment.replace(/(?: At most [\d,]+(?: [KM]iB)?\.)? Default: .*$/, '')
    const meaning = sentences.replace(inUnit(row), '.')
    return [name, { ...row, comment, sentences, meaning, refusal, why }] as const
  })
  return Object.fromEntries(documented)
}

/** How the sentence of a row ends. */
export function inUnit({ unit }: NumberRow): string {
  return unit === undefined
    ? '.'
    : `, in ${{ ms: 'milliseconds', bytes: 'bytes', MiB: 'MiB' }[unit]}.`
}
