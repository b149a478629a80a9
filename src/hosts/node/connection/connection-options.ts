import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpResponse } from '../../../http/message.js'
import {
  bytes,
  count,
  milliseconds,
  resolveNumbers,
  shapesOf,
  type NumbersOf,
  type Resolved,
} from '../../../shapes/number-row.js'
import { objectOf, type Shape, type Shapes } from '../../../shapes/shape.js'
import { absolutePath, aFunction, aString, maxInt32 } from '../../../shapes/shapes.js'
import {
  nodeHostShapes,
  resolveNodeHostOptions,
  type NodeHostOptions,
  type NodeHostSettings,
} from '../exchange/node-host-options.js'
import { resolveTlsOptions, tlsShape, type TlsOptions, type TlsSettings } from './tls-options.js'

/** How a server treats its connections. */
export interface ConnectionOptions extends NodeHostOptions, NumbersOf<typeof connectionRows> {
  /** Encrypts: `{ key, cert }` as `tls.createServer` takes them. Also offers HTTP/2. Default: none. */
  readonly tls?: TlsOptions | undefined
  /** Path of the liveness probe, which answers 200 while the process runs; false for none. Default: '/livez'. */
  readonly livePath?: string | false | undefined
  /** Path of the readiness probe for load balancers; false for none. Default: '/readyz'. */
  readonly readyPath?: string | false | undefined
  /** Whether requests can be served. No response within two seconds counts as false. Default: always true. */
  ready?(): boolean | Promise<boolean>
  /** Serves the WebSockets of this server: what `createWebSocketHost` makes. Default: none. */
  readonly sockets?: UpgradeHost | undefined
}

/** What a server needs of a host for WebSockets. */
export interface UpgradeHost {
  /** For the event `upgrade` of a server, which should use `SocketIncomingMessage`. A `refusal` is sent as it is. */
  upgrade(
    this: void,
    incoming: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    refusal?: HttpResponse,
  ): void
}

export interface ConnectionSettings extends NodeHostSettings, Resolved<typeof connectionRows> {
  readonly tls: TlsSettings | undefined
  readonly livePath: string | undefined
  readonly readyPath: string | undefined
  readonly ready: () => boolean | Promise<boolean>
  readonly sockets: UpgradeHost | undefined
}

/** Limits of connections, in size and in time. For Node a time of 0 would mean "no limit". */
export const connectionRows = {
  /** Time limit for the head of a request, in milliseconds. Default: 5,000. */
  // Beyond it: 408. Reason: a head that trickles in holds a socket; with TLS this is also the limit
  // of the handshake, unless `tls.handshakeTimeout` is set.
  headersTimeout: milliseconds(5000),
  /** Time limit for a whole request, in milliseconds. Default: 10,000. */
  // Beyond it: 408. Reason: a body that trickles in holds a socket too.
  requestTimeout: milliseconds(10_000),
  /** How often to check `headersTimeout`, `requestTimeout` and `sendTimeout`, in milliseconds. Default: 1,000. */
  // Reason: these times are only as exact as this.
  connectionsCheckingInterval: milliseconds(1000),
  /** How long a connection may be idle between two requests, in milliseconds. Default: 5,000. */
  // Reason: idle sockets are not free: the connection is closed.
  keepAliveTimeout: milliseconds(5000),
  /** Maximum size of the head of a request, in bytes. Default: 16 KiB. */
  // Beyond it: 431. Reason: bounds memory before routing.
  maxHeaderBytes: bytes(16_384, {
    least: 1,
    most: maxInt32,
  }),
  /** Maximum number of open connections of a process. Default: 10,000. */
  // Beyond it: the connection is cut. Reason: bounds memory and file descriptors.
  maxSockets: count(10_000, {
    doc: 'Maximum number of open connections of a process.',
    flag: 'max-sockets',
  }),
  /** Maximum number of requests on one connection. Default: 10,000. */
  // Beyond it: the last response says `Connection: close`. Reason: a client moves to another
  // process in time.
  maxRequestsPerSocket: count(10_000),
}

const probePath: Shape = {
  expected: `false or ${absolutePath.expected}`,
  fits: (value) => value === false || absolutePath.fits(value),
}

const connectionShapes: Shapes<ConnectionOptions> = {
  ...nodeHostShapes,
  ...shapesOf(connectionRows),
  tls: tlsShape,
  livePath: probePath,
  readyPath: probePath,
  ready: aFunction,
  sockets: {
    expected: 'a host such as createWebSocketHost makes',
    fits: (value) => typeof (value as Partial<UpgradeHost> | null)?.upgrade === 'function',
  },
}

export const connectionShape: Shape = objectOf<ConnectionOptions>(
  '{ maxSockets }',
  connectionShapes,
)

/** Fills in the defaults of options that have been checked one by one; throws a TypeError if two of them contradict. */
export function resolveConnectionOptions(
  caller: string,
  options: ConnectionOptions,
): ConnectionSettings {
  const { livePath = '/livez', readyPath = '/readyz' } = options
  const numbers = resolveNumbers(connectionRows, options)
  const settings: ConnectionSettings = {
    ...resolveNodeHostOptions(options),
    ...numbers,
    tls: options.tls && resolveTlsOptions(options.tls, numbers.headersTimeout),
    livePath: livePath === false ? undefined : livePath,
    readyPath: readyPath === false ? undefined : readyPath,
    ready: options.ready?.bind(options) ?? (() => true),
    sockets: options.sockets,
  }
  const conflict = findConflict(settings)
  if (conflict !== undefined) throw new TypeError(`${caller}: ${conflict}`)
  return settings
}

function findConflict(settings: ConnectionSettings): string | undefined {
  const { livePath, readyPath, headersTimeout, requestTimeout } = settings
  if (livePath !== undefined && livePath === readyPath) {
    return `readyPath and livePath must differ, both are "${readyPath}".`
  }
  return headersTimeout > requestTimeout
    ? `headersTimeout: ${headersTimeout} exceeds requestTimeout (${requestTimeout}).`
    : undefined
}

/** A health check would hide the endpoint at the same path. */
export function findPathConflict(
  path: string,
  { livePath, readyPath }: ConnectionSettings,
): string | undefined {
  if (path !== livePath && path !== readyPath) return undefined
  return `path: ${path} is already a health check; change livePath or readyPath.`
}

/** Where to listen, and how to treat connections. */
export interface ListenOptions extends ConnectionOptions, NumbersOf<typeof listenRows> {
  /** The address to listen on. Default: 'localhost'. */
  readonly host?: string | undefined
}

export interface ListenSettings extends ConnectionSettings, Resolved<typeof listenRows> {
  readonly host: string
}

export const listenRows = {
  /** Port to listen on; 0 picks a free one. At most 65535. Default: 4000. */
  port: count(4000, {
    doc: 'Port to listen on; 0 picks a free one.',
    least: 0,
    most: 65_535,
    flag: 'port',
  }),
  /** Maximum number of new connections that the system queues. Default: 4,096. */
  // Reason: a burst of new connections is queued and not dropped.
  backlog: count(4096),
}

export const listenShapes: Shapes<ListenOptions> = {
  ...connectionShapes,
  ...shapesOf(listenRows),
  host: aString,
}

/** Fills in the defaults of options that have been checked one by one; throws a TypeError if two of them contradict. */
export function resolveListenOptions(caller: string, options: ListenOptions): ListenSettings {
  const { host = 'localhost' } = options
  return {
    ...resolveConnectionOptions(caller, options),
    ...resolveNumbers(listenRows, options),
    host,
  }
}
