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
import type { NumberRow } from '../../src/shapes/number-row.js'

export interface Rows {
  readonly [name: string]: NumberRow
}

/** All rows by the name of their table, and the files that have them. */
// oxfmt-ignore
export const files: readonly [file: string, rows: { readonly [name: string]: Rows }][] = [
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
