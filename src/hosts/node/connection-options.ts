import { checkNumber, longestTimer } from './check-number.js'
import {
  resolveNodeHostOptions,
  type NodeHostOptions,
  type NodeHostSettings,
} from './node-host-options.js'

/** How a server treats its connections. */
export interface ConnectionOptions extends NodeHostOptions {
  /** How long the head of a request may take, in milliseconds; then 408. Default: 5,000. */
  readonly headersTimeout?: number | undefined
  /** How long a request may take until its last byte, in milliseconds; then 408. Default: 10,000. */
  readonly requestTimeout?: number | undefined
  /** How often these times and `sendTimeout` are looked at, in milliseconds. Default: 1,000. */
  readonly connectionsCheckingInterval?: number | undefined
  /** How long a connection may be idle between two requests, in milliseconds. Default: 5,000. */
  readonly keepAliveTimeout?: number | undefined
  /** The largest head of a request in bytes; then 431. Default: 16,384. */
  readonly maxHeaderBytes?: number | undefined
  /** How many connections are open at once; one too many is cut. Default: 10,000. */
  readonly maxSockets?: number | undefined
  /** How many requests a connection may carry before it closes. Default: 10,000. */
  readonly maxRequestsPerSocket?: number | undefined
  /** Where a supervisor asks whether the process lives; false for nowhere. Default: '/livez'. */
  readonly livePath?: string | false | undefined
  /** Where a load balancer asks whether to send requests; false for nowhere. Default: '/readyz'. */
  readonly readyPath?: string | false | undefined
  /** Whether requests can be served; more than two seconds are a no. Default: always. */
  ready?(): boolean | Promise<boolean>
}

/** The options with nothing left to decide. */
export interface ConnectionSettings extends NodeHostSettings {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  readonly keepAliveTimeout: number
  readonly maxHeaderBytes: number
  readonly maxSockets: number
  readonly maxRequestsPerSocket: number
  readonly livePath: string | undefined
  readonly readyPath: string | undefined
  readonly ready: () => boolean | Promise<boolean>
}

/** Fills in the defaults and checks them. */
export function resolveConnectionOptions(options: ConnectionOptions): ConnectionSettings {
  const livePath = checkPath('livePath', options.livePath ?? '/livez')
  const readyPath = checkPath('readyPath', options.readyPath ?? '/readyz')
  if (livePath !== undefined && livePath === readyPath) {
    throw new TypeError(`readyPath: ${readyPath} is the livePath, too.`)
  }
  const settings: ConnectionSettings = {
    ...resolveNodeHostOptions(options),
    headersTimeout: numberOf(options, 'headersTimeout', 5_000),
    requestTimeout: numberOf(options, 'requestTimeout', 10_000),
    connectionsCheckingInterval: numberOf(options, 'connectionsCheckingInterval', 1_000),
    keepAliveTimeout: numberOf(options, 'keepAliveTimeout', 5_000),
    maxHeaderBytes: numberOf(options, 'maxHeaderBytes', 16_384),
    maxSockets: numberOf(options, 'maxSockets', 10_000),
    maxRequestsPerSocket: numberOf(options, 'maxRequestsPerSocket', 10_000),
    livePath,
    readyPath,
    ready: options.ready?.bind(options) ?? (() => true),
  }
  const { headersTimeout, requestTimeout } = settings
  if (headersTimeout > requestTimeout) {
    throw new TypeError(
      `headersTimeout: expected at most the requestTimeout of ${requestTimeout}, got ${headersTimeout}.`,
    )
  }
  return settings
}

/** Throws where what is served stands at the path of a probe, which would hide it. */
export function checkServedPath(path: string, options: ConnectionOptions): void {
  const { livePath, readyPath } = resolveConnectionOptions(options)
  if (path !== livePath && path !== readyPath) return
  throw new TypeError(`path: ${path} is the path of a probe; set livePath or readyPath.`)
}

type NumericOption =
  | 'headersTimeout'
  | 'requestTimeout'
  | 'connectionsCheckingInterval'
  | 'keepAliveTimeout'
  | 'maxHeaderBytes'
  | 'maxSockets'
  | 'maxRequestsPerSocket'

function numberOf(options: ConnectionOptions, name: NumericOption, fallback: number): number {
  // For Node 0 would be "without a limit".
  return checkNumber(name, options[name] ?? fallback, 1, longestTimer)
}

function checkPath(name: string, path: string | false): string | undefined {
  if (path === false) return undefined
  if (typeof path === 'string' && /^\/[^?#\s]*$/.test(path)) return path
  throw new TypeError(
    `${name}: expected false or an absolute path without query, such as "/${name}", got ${JSON.stringify(path)}.`,
  )
}
