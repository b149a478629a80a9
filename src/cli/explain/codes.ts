import { defaultEdition, editions } from '../../over-http/editions.js'
import { fillRow, type RefusalRow } from '../../over-http/refusal-row.js'
import { refusals } from '../../over-http/refusals.js'
import { importInstalled } from '../process/import-installed.js'

/** A reason for which an error has a code. */
export interface CodeRow {
  /** Of a refusal. */
  readonly kind?: string
  readonly code: string
  /** The status in the newest edition; undefined if the application decides it, or within a stream or beside data. */
  readonly status: number | undefined
  readonly cause: string
  readonly advice: string
  readonly by: 'HTTP' | 'routes' | 'GraphQL' | 'connections' | 'streams' | 'uploads'
  readonly statements: readonly string[]
}

/** Every reason that the engine and its hosts have, by the tables that send them. */
export function listCodes(): readonly CodeRow[] {
  return [
    ...Object.entries(refusals).map(([kind, row]) => toCode(kind, row, 'HTTP')),
    ...Object.entries(rest?.routeRefusals ?? {}).map(([kind, row]) => toCode(kind, row, 'routes')),
    ...others,
  ]
}

/** The refusals of routes, if their package is installed. */
const rest = await importInstalled<{ readonly routeRefusals: Rows }>('@graphwire/rest')

/** What messages about unknown codes and statuses add without that package. */
export const missingCodes: string =
  rest === undefined ? ' Codes of routes need the package @graphwire/rest.' : ''

type Rows = { readonly [kind: string]: RefusalRow<never> }

/** Describes a refusal in general, with the defaults of what the application may choose. */
function toCode(kind: string, row: RefusalRow<never>, by: CodeRow['by']): CodeRow {
  const [cause, advice] = row.doc
  const general = { ...row, message: '', headers: () => [], details: () => ({}) }
  const { code, status } = fillRow(general, { kind } as never, editions[defaultEdition])
  return { kind, code, status, cause, advice, by, statements: cited[kind as RefusalKind] ?? [] }
}

/** Of a refusal of HTTP, or the one of routes that has its own. */
type RefusalKind = keyof typeof refusals | 'condition-failed'

/** The statements about a refusal where those about its status do not fit best. */
const cited: { readonly [kind in RefusalKind]?: readonly string[] } = {
  'invalid-host': ['R9112-3.2b'],
  'operation-not-allowed': ['GET-7', 'GET-8', 'GET-9'],
  'mutation-by-query': ['R9110-9.2.1'],
  'not-acceptable': ['SC-10', 'BD-8', 'BD-6'],
  'cross-site': ['URL-4', 'URL-5'],
  'method-not-allowed': ['SC-8', 'R9110-15.5.6'],
  'unsupported-media-type': ['SC-9', 'PO-3', 'PO-1'],
  'unsupported-charset': ['SC-9', 'PO-1'],
  'unsupported-transfer-coding': ['R9112-6.1d'],
  'invalid-json': ['SC-14', 'LJ-5'],
  'json-too-deep': ['URL-4'],
  'invalid-utf-8': ['PO-2', 'SC-14'],
  'invalid-parameter': ['SC-15', 'RP-1', 'RP-2', 'RP-3', 'RP-4', 'LJ-6'],
  'batching-not-supported': ['SC-15', 'JS-1'],
  'uri-too-long': ['SC-12', 'R9112-3a', 'CL-12'],
  'too-many-headers': ['SC-12', 'R9110-5.4'],
  'rate-limited': ['URL-4', 'URL-5'],
  'condition-failed': ['R9110-13.1.2b', 'R9110-13.2.2'],
}

// oxfmt-ignore
const others: readonly CodeRow[] = [
  // Request errors of GraphQL: their statuses are those of the newest edition.
  { code: 'GRAPHQL_PARSE_FAILED',         status: 400, by: 'GraphQL', cause: 'The document is not valid GraphQL syntax.', advice: 'See `locations`.', statements: ['SC-16', 'LJ-7'] },
  { code: 'GRAPHQL_VALIDATION_FAILED',    status: 422, by: 'GraphQL', cause: 'The document does not fit the schema.', advice: 'Compare the document with the schema that is served; it may be of another version.', statements: ['SC-17', 'VA-1', 'LJ-8'] },
  { code: 'OPERATION_RESOLUTION_FAILURE', status: 422, by: 'GraphQL', cause: 'The document has several operations or none, or not the one that `operationName` names.', advice: 'Send the name of one of its operations.', statements: ['SC-18', 'LJ-9'] },
  { code: 'BAD_USER_INPUT',               status: 422, by: 'GraphQL', cause: 'A variable is missing, or its value is not of its type.', advice: 'Send a value of the type that the operation declares for the variable.', statements: ['SC-19', 'LJ-10'] },
  { code: 'DOCUMENT_LIMIT_EXCEEDED',      status: 422, by: 'GraphQL', cause: 'The document is larger, deeper or more expensive than a limit allows. 400 for limits that are measured before parsing.', advice: 'See `limit`, `allowed` and `found` of the error; ask for less at once.', statements: ['VA-2', 'SC-17'] },
  { code: 'INTERNAL_SERVER_ERROR',        status: undefined, by: 'GraphQL', cause: 'A resolver failed, and its error was not made for clients. The status is 294 beside data, and 422 if the source of a subscription fails.', advice: 'Look in the log of the server for the `id` of the error.', statements: ['SC-5'] },
  { code: 'TOO_MANY_FIELD_ERRORS',         status: undefined, by: 'GraphQL', cause: 'More fields failed than `maxFieldErrors` allows, so the operation was stopped. The status is 294, with `data` that is null.', advice: 'See the second error, which is the first that occurred.', statements: ['SC-5'] },
  { code: 'FILE_TOO_LARGE',               status: undefined, by: 'uploads', cause: 'A file is larger than `uploads.maxFileBytes`.', advice: 'Send a smaller file.', statements: [] },
  { code: 'FILE_MISSING',                 status: undefined, by: 'uploads', cause: 'The map of a multipart request names a part that did not come.', advice: 'Send a part for each name of the map.', statements: [] },
  { code: 'FILE_SKIPPED',                 status: undefined, by: 'uploads', cause: 'A resolver opened a later file first, and there is no room for this one in `uploads.maxHeldBytes`.', advice: 'Send the files in the order in which they are read.', statements: [] },
  { code: 'FILE_READ',                    status: undefined, by: 'uploads', cause: 'Two fields or operations read the same file.', advice: 'Send it twice, as two files.', statements: [] },
  { code: 'UPLOAD_INCOMPLETE',            status: undefined, by: 'uploads', cause: 'A multipart body was cut off, or is malformed behind the map.', advice: 'Send it again.', statements: [] },
  { code: 'UPLOAD_CLOSED',                status: undefined, by: 'uploads', cause: 'A resolver reads a file when the response has begun.', advice: 'Read files before: not in deferred fragments or subscriptions.', statements: [] },
  // Node's hosts, and handshakes of WebSockets.
  { code: 'BAD_REQUEST',                  status: 400, by: 'connections', cause: 'The request is not HTTP/1.1, is not complete, or is not a valid handshake.', advice: 'Let a library make the request; look for a proxy that changes or cuts it.', statements: ['R9112-2.2c'] },
  { code: 'REQUEST_TIMEOUT',              status: 408, by: 'connections', cause: 'The request was not complete within `headersTimeout` or `requestTimeout`.', advice: 'Send it again; look for a proxy or a network that holds bytes back.', statements: ['SC-11'] },
  { code: 'TOO_MANY_CHUNKS',              status: 413, by: 'connections', cause: 'The body has too many small chunks.', advice: 'Send larger chunks.', statements: ['SC-13'] },
  { code: 'CHUNK_EXTENSIONS_TOO_LARGE',   status: 413, by: 'connections', cause: 'The chunk extensions of the body are too large.', advice: 'Send none.', statements: ['SC-13'] },
  { code: 'EXPECTATION_FAILED',           status: 417, by: 'connections', cause: '`Expect` has something other than 100-continue.', advice: 'Omit `Expect`.', statements: ['R9110-10.1.1d'] },
  { code: 'UPGRADE_REQUIRED',             status: 426, by: 'connections', cause: 'The handshake has another version of WebSocket than 13.', advice: 'Use version 13.', statements: [] },
  { code: 'HEAD_TOO_LARGE',               status: 431, by: 'connections', cause: 'The request line and headers exceed `maxHeaderBytes`, or 250 lines.', advice: 'Send fewer or shorter headers; large cookies are a common cause.', statements: ['SC-12', 'R9110-5.4'] },
  { code: 'HTTP_VERSION_NOT_SUPPORTED',   status: 505, by: 'connections', cause: 'The request has another major version of HTTP than its connection.', advice: 'Use HTTP/1.1, or HTTP/2 over TLS.', statements: ['R9110-15.6.6'] },
  { code: 'METHOD_NOT_ALLOWED',           status: 405, by: 'connections', cause: 'CONNECT; or a handshake or a probe by another method than GET.', advice: 'Use GET.', statements: ['R9110-15.5.6'] },
  { code: 'OVERLOADED',                   status: 503, by: 'connections', cause: 'Too many bodies or sockets at once, or the server is shutting down.', advice: 'Retry after `Retry-After`.', statements: ['SC-22'] },
  // Within a stream or a socket, whose status has been sent.
  { code: 'EVENTS_LOST',                  status: undefined, by: 'streams', cause: 'The subscriber was too slow, or the connection to the source was lost: events are missing.', advice: 'Subscribe again, and read the current state first.', statements: [] },
  { code: 'SERVER_SHUTDOWN',              status: undefined, by: 'streams', cause: 'The server stops.', advice: 'Connect again.', statements: [] },
  { code: 'STREAM_TOO_LONG',              status: undefined, by: 'streams', cause: 'The stream was open for `maxStreamDuration`.', advice: 'Connect again.', statements: [] },
  { code: 'TOO_MANY_STREAMS',             status: undefined, by: 'streams', cause: 'The socket has as many operations as it may have at once.', advice: 'End one first.', statements: [] },
  { code: 'UNAUTHENTICATED',              status: undefined, by: 'streams', cause: 'The credentials of an open stream have expired or were revoked.', advice: 'Get new credentials, and connect again.', statements: [] },
]
