import type { OperationTypeNode } from 'graphql'
import { bodyRefusals, type BodyRefusal } from './body-refusals.js'
import { denials, type Denial } from './denials.js'
import { documentRefusals, type DocumentRefusal } from './document-refusals.js'
import { allow } from './methods.js'
import { responseTypes } from './response-types.js'
import { quote, retrySoon, sizes, type RefusalRows } from './refusal-row.js'

export type { Denial, DocumentRefusal }

/** Every reason to reject a request at the HTTP level, before GraphQL processes it. */
export type Refusal = HeadRefusal | BodyRefusal | DocumentRefusal | Denial

/** What can be wrong with a request beside its body, or with the server. */
type HeadRefusal =
  | { readonly kind: 'not-found'; readonly path: string }
  | { readonly kind: 'method-not-allowed'; readonly method: string; readonly methods: Methods }
  | {
      readonly kind: 'operation-not-allowed'
      readonly operation: string
      readonly method: string
      readonly methods: Methods
    }
  | { readonly kind: 'uri-too-long'; readonly limit: number; readonly found: number }
  | { readonly kind: 'too-many-headers'; readonly limit: number; readonly found: number }
  | { readonly kind: 'invalid-host'; readonly host: string }
  | { readonly kind: 'unsupported-transfer-coding'; readonly coding: string }
  | { readonly kind: 'mutation-by-query' }
  | {
      readonly kind: 'not-acceptable'
      readonly operation?: OperationTypeNode
      /** Whether the body is a list of requests. */
      readonly isBatch?: boolean
    }
  | { readonly kind: 'cross-site'; readonly origin: string | undefined }
  | { readonly kind: 'foreign-socket'; readonly origin: string }
  | {
      readonly kind: 'header-missing'
      readonly names: readonly string[]
      readonly isUpload?: boolean
    }
  | { readonly kind: 'cancelled'; readonly cause: CancelCause }
  | { readonly kind: 'overloaded'; readonly by: keyof typeof overloads }
  | { readonly kind: 'internal'; readonly id: string }

/** The methods of the resource, without OPTIONS. */
type Methods = readonly string[]

/** Why work was cancelled. */
export type CancelCause = 'client-gone' | 'timed-out'

/** Every refusal, one row each; a kind without a row does not compile. */
export const refusals: RefusalRows<Refusal> = {
  // Before anything is read.
  'uri-too-long': {
    status: 414,
    message: ({ limit, found }) =>
      `The URL has ${found} characters, more than the limit of ${limit}: use POST or QUERY.`,
    details: sizes,
    doc: ['The URL is longer than `maxUrlLength`.', 'Use POST or QUERY.'],
  },
  'too-many-headers': {
    status: 431,
    message: ({ limit, found }) =>
      `The request has ${found} header lines, more than the limit of ${limit}.`,
    details: sizes,
    doc: ['There are more header lines than `maxHeaderCount`.', 'Send fewer.'],
  },
  'invalid-host': {
    status: 400,
    message: ({ host }) =>
      `Host must be one host name, with or without a port, not ${quote(host)}.`,
    doc: ['`Host` is not a host name, or is sent twice.', 'Send exactly one valid `Host`.'],
  },
  'unsupported-transfer-coding': {
    status: 501,
    message: ({ coding }) =>
      `The Transfer-Encoding ${quote(coding)} is not supported: only chunked is.`,
    doc: [
      'A transfer coding other than chunked.',
      'Use chunked alone; to compress, use `Content-Encoding`.',
    ],
  },
  overloaded: {
    status: 503,
    message: ({ by }) => overloads[by],
    headers: retrySoon,
    doc: [
      '`maxInFlight`, `maxEventLoopDelay`, `maxStreams`, `maxStreamBytes` or `uploads.maxConcurrent` was exceeded, or the share of the client.',
      'Retry after `Retry-After`.',
    ],
  },

  // Path, method and Accept.
  'not-found': {
    status: 404,
    message: ({ path }) => `Nothing is served at ${quote(path)}.`,
    doc: ['The path is not that of the endpoint.', 'Check the path.'],
  },
  'method-not-allowed': {
    status: 405,
    message: ({ method, methods }) =>
      `The method ${quote(method)} is not supported: use ${methods.join(', ').replace(/, (\w+)$/, ' or $1')}.`,
    headers: ({ methods }) => allow(methods),
    doc: ['The method is not listed in `Allow`.', 'Use POST.'],
  },
  'operation-not-allowed': {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: ({ operation, method }) =>
      `A ${operation} cannot be sent with ${method}, which is a safe method: use POST.`,
    // The URL names a mutation: for this resource, GET and HEAD are not allowed methods.
    headers: ({ methods }) => allow(methods.filter((name) => name !== 'GET' && name !== 'HEAD')),
    doc: ['A GET or HEAD asks for a mutation.', 'Use POST.'],
  },
  'mutation-by-query': {
    status: 422,
    code: 'MUTATION_NOT_SUPPORTED',
    message: 'A mutation cannot be sent with QUERY, which is a safe method: use POST.',
    doc: ['A QUERY asks for a mutation.', 'Use POST.'],
  },
  'not-acceptable': {
    status: 406,
    message: ({ operation, isBatch }) => neededTypes[isBatch ? 'batch' : (operation ?? 'query')],
    doc: ['`Accept` allows none of the available media types.', 'Send `Accept: application/json`.'],
  },
  'cross-site': {
    status: 403,
    message: ({ origin }) =>
      `Cross-site GET requests are blocked${origin === undefined ? '' : ` (origin ${quote(origin)})`}. ` +
      'Use POST; the operator can allow the origin with `cors.origins`.',
    doc: [
      'A page of another origin sent a GET.',
      'Use POST, or allow the origin with `cors.origins`.',
    ],
  },
  'foreign-socket': {
    status: 403,
    message: ({ origin }) =>
      `WebSockets from pages of other sites are blocked (${quote(origin)}). ` +
      'The operator can list the origin in `cors.origins`; "*" is not enough.',
    doc: ['A page of another origin opened a WebSocket.', 'List it in `cors.origins`.'],
  },
  'header-missing': {
    status: 403,
    message: ({ names, isUpload }) =>
      `${isUpload ? 'A multipart request' : 'A GET'} must have ${names.length === 1 ? 'the header' : 'at least one of the headers'} ${names.join(', ')}.`,
    doc: [
      'A GET has none of the headers of `getHeaders`, or a multipart request none of `uploads.headers`.',
      'Send one of them.',
    ],
  },

  ...bodyRefusals,
  ...documentRefusals,
  ...denials,

  // During execution.
  cancelled: {
    // 499 is never received: it shows in logs and metrics that the client left, not that the server failed.
    status: ({ cause }) => (cause === 'client-gone' ? 499 : 503),
    message: ({ cause }) =>
      cause === 'timed-out'
        ? 'The operation took longer than the server allows.'
        : 'The client closed the connection before the operation was done.',
    headers: retrySoon,
    details: ({ cause }) => ({ cause }),
    doc: [
      'The request exceeded `executionTimeout`, or the client disconnected.',
      'Request less at once.',
    ],
  },
  internal: {
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Internal server error',
    details: ({ id }) => ({ id }),
    doc: ['A bug; the log lists it under the same `id`.', 'Report the `id`.'],
  },
}

const unserved = `Accept admits none of the types served: ${responseTypes.map(({ name }) => name).join(', ')}.`

/** By the kind of the operation. */
const neededTypes = {
  query: unserved,
  mutation: unserved,
  subscription:
    'A subscription needs Accept: text/event-stream, or multipart/mixed;subscriptionSpec=1.0.',
  batch: 'A list of requests needs Accept: application/json, or application/jsonl.',
} as const

const overloads = {
  requests: 'Too many concurrent requests; retry in 1 second.',
  'event-loop': 'The server is overloaded; retry in 1 second.',
  streams: 'Too many open streams; retry in 1 second.',
  uploads: 'Too many concurrent uploads; retry in 1 second.',
  bodies: 'Too many request bodies in progress; retry in 1 second.',
} as const
