import { closeRows } from '../../../hosts/node/server/close-options.js'
import { connectionRows, listenRows } from '../../../hosts/node/connection/connection-options.js'
import { nodeHostRows } from '../../../hosts/node/exchange/node-host-options.js'
import { limitRows } from '../../../graphql/limits/limits.js'
import { streamRows } from '../../../options/stream-options.js'
import { batchRows } from '../../../options/batch-options.js'
import { requestRows } from '../../../options/numeric-options.js'
import type { ReportableLimit } from '../../../index.js'
import { absolutePath } from '../../../shapes/shapes.js'
import { defaultEdition, editionNames } from '../../../over-http/editions.js'
import {
  choiceType,
  editionType,
  inGroup,
  integerType,
  listType,
  numberFlags,
  rowFlag,
  switchType,
  textType,
  withVariables,
  type FlagType,
  type Flag,
  type ValuesOf,
} from '../../arguments/flag.js'
import type { LogFormat } from '../metrics/log-line.js'
import { capabilityNames } from './capabilities.js'

const urlPath: FlagType<string> = {
  placeholder: 'path',
  expected: 'a path such as /graphql, without "?" and "#"',
  read: (text) => (absolutePath.fits(text) ? text : undefined),
}

const optionalPath: FlagType<string | false> = {
  placeholder: 'path|off',
  expected: `${urlPath.expected}, or off`,
  read: (text) => (text === 'off' ? false : urlPath.read(text)),
}

/** A list, or a word for everything, which wins if both are given. */
function listOr<Item, Word extends string>(
  word: Word,
  placeholder: string,
  item: FlagType<Item>,
): FlagType<Word | readonly Item[]> {
  const list = listType(item)
  return {
    placeholder,
    expected: `${list.expected}, or ${word}`,
    read: (text) => (text === word ? word : list.read(text)),
    combine: (values) => {
      const lists = values.filter((value) => value !== word) as (readonly Item[])[]
      return lists.length < values.length ? word : lists.flat()
    },
  }
}

/** The origins of pages that may send requests; a star is all of them. */
type Origins = '*' | readonly string[]

const originsType: FlagType<Origins> = listOr('*', 'origins', {
  placeholder: 'origin',
  expected: 'origins such as https://example.com',
  read: (text) => (URL.canParse(text) && new URL(text).origin === text ? text : undefined),
})

/** The limits to report instead of enforce, by the names of their options. */
type ReportOnly = 'all' | readonly ReportableLimit[]

const reportOnlyType: FlagType<ReportOnly> = listOr('all', 'limits', {
  placeholder: 'limit',
  expected: 'option names such as maxDepth',
  // The handler checks whether these limits can be reported only.
  read: (text) =>
    /^(?:max[A-Z][A-Za-z]*|trustedOnly)$/.test(text) ? (text as ReportableLimit) : undefined,
})

/** The numeric options of a server; those whose row has a flag can be set by it. */
export const servedRows = {
  ...requestRows,
  ...streamRows,
  ...limitRows,
  ...nodeHostRows,
  ...connectionRows,
}

const source = inGroup('Schema and data')
const address = inGroup('Address')
const request = inGroup('Requests')
const stored = inGroup('Stored documents')
const limit = inGroup('Limits')
const tls = inGroup('TLS')
const connection = inGroup('Connections')
const output = inGroup('Log and metrics')
const processes = inGroup('Processes')

const pemFile = textType('file', 'the name of a PEM file')
const none = { defaultText: 'none' }

/** Flags that are off in production, since they reveal the server to strangers. */
const unlessProduction: Partial<Flag<boolean>> = {
  defaultIn: (env) => env['NODE_ENV'] !== 'production',
  defaultText: 'on, but off if NODE_ENV=production',
}

// oxfmt-ignore
export const serveFlags = withVariables({
  resolvers:         source(textType('file', 'the name of a module'), undefined, 'Module with the resolvers for an SDL file, by type and field.'),
  data:              source(textType('file', 'the name of a JSON file'), undefined, 'JSON file with the values of the root fields.'),
  standard:          source(switchType, false, 'Serve the standard schema of the conformance suite.'),
  capabilities:      source(listOr('all', 'capability', choiceType(...capabilityNames)), [], 'With --standard, turn on optional capabilities that the suite can test, or all of them.', none),
  port:              rowFlag(listenRows.port, 'Address', ['PORT']),
  host:              address(textType('host', 'a host name or an address'), 'localhost', 'Host name or address to listen on; 0.0.0.0 is every IPv4 interface.', { env: ['HOST'] }),
  path:              address(urlPath, '/graphql', 'Path to serve; all other paths are 404.'),
  edition:           request(editionType(...editionNames), defaultEdition, 'Edition of GraphQL over HTTP; september2026 and 2026-08 mean 2026-09.'),
  introspection:     request(switchType, true, 'Let clients read the schema. If off, error messages do not suggest names either.', unlessProduction),
  cors:              request<Origins | undefined>(originsType, undefined, 'Origins whose pages may send requests, separated by commas, or * for all.'),
  get:               request(switchType, true, 'Accept queries sent with GET.'),
  gzip:              request(switchType, false, 'Accept request bodies compressed with gzip, br or deflate.'),
  compiled:          request(switchType, true, 'Compile operations that are used again.'),
  websocket:         request(switchType, undefined, 'Serve WebSockets (graphql-transport-ws) at the same path.', { defaultText: 'on if the schema has subscriptions' }),
  ide:               request(switchType, true, 'Show browsers that open the endpoint an IDE: the package @graphwire/ide.', unlessProduction),
  etag:              request(switchType, false, 'Send an ETag with queries by GET and QUERY, and 304 to clients that have the response.'),
  'cache-hints':     request(switchType, false, 'Let @cacheControl of the schema set how long caches may store queries by GET and QUERY.'),
  batch:             request(switchType, false, 'Accept lists of requests, and lists of variables.'),
  documents:         stored(listType(textType('file', 'names of JSON files')), [], 'Manifests of stored documents, which clients name by documentId.', none),
  'trusted-only':    stored(switchType, false, 'Execute only stored documents.'),
  'watch-documents': stored(switchType, false, 'Reload when a manifest changes; if the new one is broken, keep serving the old one.'),
  ...numberFlags({ ...requestRows, ...streamRows, ...limitRows }, 'Limits'),
  ...numberFlags({ ...batchRows }, 'Limits'),
  'report-only':     limit(reportOnlyType, [], 'Report these limits instead of enforcing them, such as maxDepth,maxCost, or all.', none),
  'tls-cert':        tls(pemFile, undefined, 'PEM file with the certificate and its chain. Serves https.'),
  'tls-key':         tls(pemFile, undefined, 'PEM file with the private key of the certificate.'),
  http2:             tls(switchType, true, 'With a certificate, offer HTTP/2 as well as HTTP/1.1.'),
  ...numberFlags({ ...nodeHostRows, ...connectionRows }, 'Connections'),
  'live-path':       connection(optionalPath, '/livez', 'Path of the liveness probe: 200 while the process runs.'),
  'ready-path':      connection(optionalPath, '/readyz', 'Path of the readiness probe: 200, and 503 once the server shuts down.'),
  ...numberFlags({ ...closeRows }, 'Shutdown'),
  log:               output(choiceType<LogFormat | 'off'>('json', 'pretty', 'off'), 'off', 'Write one line per request to stderr.'),
  metrics:           output(optionalPath, false, 'Serve Prometheus metrics at this path, such as /metrics, to every client.'),
  workers:           processes(integerType(1, 256), 1, 'Number of workers. If set, even to 1, a supervising process is added.'),
  watch:             processes(switchType, false, 'Reload when a file changes; if the new schema is broken, keep serving the old one.'),
})

export type ServeFlags = ValuesOf<typeof serveFlags>
