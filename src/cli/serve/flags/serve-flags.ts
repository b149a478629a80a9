import { closeRows } from '../../../hosts/node/server/close-options.js'
import { connectionRows } from '../../../hosts/node/connection/connection-options.js'
import { nodeHostRows } from '../../../hosts/node/exchange/node-host-options.js'
import { listenRows } from '../../../hosts/node/server/listen-options.js'
import { limitRows } from '../../../graphql/limits/limits.js'
import { streamRows } from '../../../options/stream-options.js'
import { batchRows } from '../../../options/batch-options.js'
import { requestRows } from '../../../options/numeric-options.js'
import { defaultEdition, editionNames, type EditionName } from '../../../over-http/editions.js'
import { editionType } from '../../arguments/edition-type.js'
import {
  choiceType,
  integerType,
  rowFlag,
  switchType,
  textType,
  type FlagTable,
} from '../../arguments/flag.js'
import type { LogFormat } from '../metrics/log-line.js'
import { capabilitiesType, type CapabilityName } from './capabilities.js'
import { optionalFlags, type OptionalFlags } from './optional-flags.js'
import {
  optionalPath,
  originsType,
  reportOnlyType,
  urlPath,
  type Origins,
  type ReportOnly,
} from './flag-values.js'
import { numberFlags } from './number-flags.js'

/** The flags of `serve` besides the numeric options. */
export interface ServeFlags extends OptionalFlags {
  readonly resolvers: string | undefined
  readonly data: string | undefined
  readonly standard: boolean
  readonly capabilities: readonly CapabilityName[]
  readonly port: number
  readonly host: string
  readonly path: string
  readonly edition: EditionName
  readonly introspection: boolean | undefined
  readonly cors: Origins | undefined
  readonly get: boolean
  readonly gzip: boolean
  readonly compiled: boolean
  readonly websocket: boolean | undefined
  readonly 'report-only': ReportOnly
  readonly 'tls-cert': string | undefined
  readonly 'tls-key': string | undefined
  readonly http2: boolean
  readonly 'live-path': string | false
  readonly 'ready-path': string | false
  readonly log: LogFormat | 'off'
  readonly metrics: string | false
  readonly workers: number
  readonly watch: boolean
}

const sourceGroup = 'Schema and data'
const addressGroup = 'Address'
const requestGroup = 'Requests'
const limitGroup = 'Limits'
const tlsGroup = 'TLS'
const connectionGroup = 'Connections'
const outputGroup = 'Log and metrics'
const processGroup = 'Processes'

/** The flags of `serve`: help, the documentation and the parser read this table. */
export const serveFlags: FlagTable<ServeFlags> = {
  resolvers: {
    type: textType('file', 'the name of a module'),
    default: undefined,
    env: ['GRAPHWIRE_RESOLVERS'],
    group: sourceGroup,
    doc: 'Module with the resolvers for an SDL file, by type and field.',
  },
  data: {
    type: textType('file', 'the name of a JSON file'),
    default: undefined,
    env: ['GRAPHWIRE_DATA'],
    group: sourceGroup,
    doc: 'JSON file with the values of the root fields.',
  },
  standard: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_STANDARD'],
    group: sourceGroup,
    doc: 'Serve the standard schema of the conformance suite.',
  },
  capabilities: {
    type: capabilitiesType,
    default: [],
    defaultText: 'none',
    env: ['GRAPHWIRE_CAPABILITIES'],
    group: sourceGroup,
    doc: 'With --standard, turn on optional capabilities that the suite can test, or all of them.',
  },
  port: rowFlag(listenRows.port, addressGroup, ['GRAPHWIRE_PORT', 'PORT']),
  host: {
    type: textType('host', 'a host name or an address'),
    default: 'localhost',
    env: ['GRAPHWIRE_HOST', 'HOST'],
    group: addressGroup,
    doc: 'Host name or address to listen on; 0.0.0.0 is every IPv4 interface.',
  },
  path: {
    type: urlPath,
    default: '/graphql',
    env: ['GRAPHWIRE_PATH'],
    group: addressGroup,
    doc: 'Path to serve; all other paths are 404.',
  },
  edition: {
    type: editionType(...editionNames),
    default: defaultEdition,
    env: ['GRAPHWIRE_EDITION'],
    group: requestGroup,
    doc: 'Edition of GraphQL over HTTP; september2026 and 2026-08 mean 2026-09.',
  },
  introspection: {
    type: switchType,
    default: undefined,
    defaultText: 'on, but off if NODE_ENV=production',
    env: ['GRAPHWIRE_INTROSPECTION'],
    group: requestGroup,
    doc: 'Let clients read the schema. If off, error messages do not suggest names either.',
  },
  cors: {
    type: originsType,
    default: undefined,
    env: ['GRAPHWIRE_CORS'],
    group: requestGroup,
    doc: 'Origins whose pages may send requests, separated by commas, or * for all.',
  },
  get: {
    type: switchType,
    default: true,
    env: ['GRAPHWIRE_GET'],
    group: requestGroup,
    doc: 'Accept queries sent with GET.',
  },
  gzip: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_GZIP'],
    group: requestGroup,
    doc: 'Accept request bodies compressed with gzip, br or deflate.',
  },
  compiled: {
    type: switchType,
    default: true,
    env: ['GRAPHWIRE_COMPILED'],
    group: requestGroup,
    doc: 'Compile operations that are used again.',
  },
  websocket: {
    type: switchType,
    default: undefined,
    defaultText: 'on if the schema has subscriptions',
    env: ['GRAPHWIRE_WEBSOCKET'],
    group: requestGroup,
    doc: 'Serve WebSockets (graphql-transport-ws) at the same path.',
  },
  ...optionalFlags,
  ...numberFlags({ ...requestRows, ...streamRows, ...limitRows }, limitGroup),
  ...numberFlags({ ...batchRows }, limitGroup),
  'report-only': {
    type: reportOnlyType,
    default: [],
    defaultText: 'none',
    env: ['GRAPHWIRE_REPORT_ONLY'],
    group: limitGroup,
    doc: 'Report these limits instead of enforcing them, such as maxDepth,maxCost, or all.',
  },
  'tls-cert': {
    type: textType('file', 'the name of a PEM file'),
    default: undefined,
    env: ['GRAPHWIRE_TLS_CERT'],
    group: tlsGroup,
    doc: 'PEM file with the certificate and its chain. Serves https.',
  },
  'tls-key': {
    type: textType('file', 'the name of a PEM file'),
    default: undefined,
    env: ['GRAPHWIRE_TLS_KEY'],
    group: tlsGroup,
    doc: 'PEM file with the private key of the certificate.',
  },
  http2: {
    type: switchType,
    default: true,
    env: ['GRAPHWIRE_HTTP2'],
    group: tlsGroup,
    doc: 'With a certificate, offer HTTP/2 as well as HTTP/1.1.',
  },
  ...numberFlags({ ...nodeHostRows, ...connectionRows }, connectionGroup),
  'live-path': {
    type: optionalPath,
    default: '/livez',
    env: ['GRAPHWIRE_LIVE_PATH'],
    group: connectionGroup,
    doc: 'Path of the liveness probe: 200 while the process runs.',
  },
  'ready-path': {
    type: optionalPath,
    default: '/readyz',
    env: ['GRAPHWIRE_READY_PATH'],
    group: connectionGroup,
    doc: 'Path of the readiness probe: 200, and 503 once the server shuts down.',
  },
  ...numberFlags(closeRows, 'Shutdown'),
  log: {
    type: choiceType<LogFormat | 'off'>('json', 'pretty', 'off'),
    default: 'off',
    env: ['GRAPHWIRE_LOG'],
    group: outputGroup,
    doc: 'Write one line per request to stderr.',
  },
  metrics: {
    type: optionalPath,
    default: false,
    env: ['GRAPHWIRE_METRICS'],
    group: outputGroup,
    doc: 'Serve Prometheus metrics at this path, such as /metrics, to every client.',
  },
  workers: {
    type: integerType(1, 256),
    default: 1,
    env: ['GRAPHWIRE_WORKERS'],
    group: processGroup,
    doc: 'Number of workers. If set, even to 1, a supervising process is added.',
  },
  watch: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_WATCH'],
    group: processGroup,
    doc: 'Reload when a file changes; if the new schema is broken, keep serving the old one.',
  },
}
