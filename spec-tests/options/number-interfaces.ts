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
import { socketRows } from '../../src/hosts/websocket/socket-options.js'
import { streamRows } from '../../src/options/stream-options.js'
import { uploadRows } from '@graphwire/uploads'
import type { NumberRow } from '../../src/shapes/number-row.js'

export interface Rows {
  readonly [name: string]: NumberRow
}

/** The interfaces of options that are numbers, and the rows that they are made of. */
// oxfmt-ignore
export const interfaces: readonly [file: string, name: string, rows: Rows][] = [
  ['src/options/numeric-options.ts',                  'RequestNumbers',    requestRows],
  ['src/options/stream-options.ts',                   'StreamNumbers',     streamRows],
  ['src/websocket/operations.ts',                      'WebSocketOptions',  socketRows],
  ['src/options/document-options.ts',                 'ApqNumbers',        apqRows],
  ['src/options/batch-options.ts',                    'BatchNumbers',      batchRows],
  ['packages/uploads/src/upload-numbers.ts',              'UploadNumbers',     uploadRows],
  ['src/graphql/limits/limits.ts',                    'LimitNumbers',      limitRows],
  ['src/hosts/node/exchange/node-host-options.ts',    'NodeHostNumbers',   nodeHostRows],
  ['src/hosts/node/connection/connection-options.ts', 'ConnectionNumbers', connectionRows],
  ['src/hosts/node/connection/tls-options.ts',        'Http2Options',      http2Rows],
  ['src/hosts/node/connection/connection-options.ts', 'ListenNumbers',     listenRows],
  ['src/hosts/node/server/close-options.ts',          'CloseOptions',      closeRows],
  ['src/conformance/run/run-numbers.ts',              'RunNumbers',        runRows],
  ['packages/pubsub/src/channel/event-queue.ts',             'QueueNumbers',      queueRows],
  ['packages/pubsub/src/transports/postgres.ts',             'PostgresNumbers',   postgresRows],
  ['src/compiled/compiled-options.ts',                'CompiledOptions',   compiledRows],
]
