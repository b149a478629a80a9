import type { HeaderList } from '../http/message.js'
import type { Refusal } from './refusal.js'
import {
  quote,
  retryAfter,
  retrySoon,
  secondsInWords,
  sizes,
  type RefusalRow,
} from './refusal-row.js'

type Rows = {
  readonly [Kind in Refusal['kind']]: RefusalRow<Extract<Refusal, { readonly kind: Kind }>>
}

/** For the `Allow` header. */
export const allMethods = 'GET, HEAD, POST, QUERY, OPTIONS'
export const methodsWithoutGet = 'POST, QUERY, OPTIONS'
/** RFC 10008: the media type that QUERY accepts. */
export const acceptQuery: HeaderList = ['Accept-Query', 'application/json']

const acceptsJson: HeaderList = ['Accept', 'application/json', ...acceptQuery]

/** Every refusal, one row each; a kind without a row does not compile. */
export const refusals: Rows = {
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
    doc: ['`Host` is not a host name, or is sent twice.', 'Send one.'],
  },
  'unsupported-transfer-coding': {
    status: 501,
    message: ({ coding }) =>
      `The Transfer-Encoding ${quote(coding)} is not supported: only chunked is.`,
    doc: ['A transfer coding other than chunked.', 'Use `Content-Encoding`.'],
  },
  overloaded: {
    status: 503,
    message: ({ by }) =>
      by === 'requests'
        ? 'Too many concurrent requests; retry in 1 second.'
        : 'The server is overloaded; retry in 1 second.',
    headers: retrySoon,
    doc: ['`maxInFlight` or `maxEventLoopDelay` was exceeded.', 'Retry after `Retry-After`.'],
  },

  // Path, method and Accept.
  'not-found': {
    status: 404,
    message: ({ path }) => `Nothing is served at ${quote(path)}.`,
    doc: ['The path is not that of the endpoint.', 'Check the path.'],
  },
  'method-not-allowed': {
    status: 405,
    message: ({ method, get }) =>
      `The method ${quote(method)} is not supported: use ${get ? 'POST, QUERY or GET' : 'POST or QUERY'}.`,
    headers: ({ get }) => ['Allow', get ? allMethods : methodsWithoutGet, ...acceptQuery],
    doc: ['The method is not one of `Allow`.', 'Use POST.'],
  },
  'operation-not-allowed': {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: ({ operation, method }) =>
      `A ${operation} cannot be run by ${method}, which is a safe method: use POST.`,
    // The URL names a mutation: for this resource, GET and HEAD are not allowed methods.
    headers: () => ['Allow', methodsWithoutGet, ...acceptQuery],
    doc: ['A GET names a mutation or a subscription.', 'Use POST.'],
  },
  'mutation-by-query': {
    status: 422,
    code: 'MUTATION_NOT_SUPPORTED',
    message: 'A mutation cannot be run by QUERY, which is a safe method: use POST.',
    doc: ['A QUERY names a mutation.', 'Use POST.'],
  },
  'not-acceptable': {
    status: 406,
    message:
      'Accept admits none of the types served: application/graphql-response+json, application/json.',
    doc: ['`Accept` admits neither media type.', 'Accept one of them.'],
  },
  'cross-site': {
    status: 403,
    message: ({ origin }) =>
      `Cross-site GET requests are blocked${origin === undefined ? '' : ` (${quote(origin)})`}. ` +
      'Use POST, or add the origin to `cors.origins`.',
    doc: ['A page of another origin sent a GET.', 'Use POST, or `cors.origins`.'],
  },
  'header-missing': {
    status: 403,
    message: ({ names }) => `A GET must have one of the headers ${names.join(', ')}.`,
    doc: ['None of the headers of `getHeaders` is sent.', 'Send one of them.'],
  },

  // The body.
  'content-on-get': {
    status: 415,
    message: ({ mediaType }) =>
      `A GET has no content of the type ${quote(mediaType)}: omit Content-Type, or use POST.`,
    doc: ['A GET has a `Content-Type` that is not JSON.', 'Omit it.'],
  },
  'unsupported-media-type': {
    status: 415,
    message: ({ mediaType }) =>
      mediaType === undefined
        ? 'Content-Type is missing: send application/json.'
        : `The Content-Type ${quote(mediaType)} is not supported: send application/json.`,
    headers: () => acceptsJson,
    doc: ['`Content-Type` is not JSON.', 'Send `application/json`.'],
  },
  'unsupported-charset': {
    status: 415,
    message: ({ charset }) => `The charset ${quote(charset)} is not supported: send UTF-8.`,
    headers: () => acceptsJson,
    doc: ['`Content-Type` has a charset other than UTF-8.', 'Send UTF-8.'],
  },
  'unsupported-encoding': {
    status: 415,
    message: ({ coding, supported }) =>
      `The Content-Encoding ${quote(coding)} is not supported: send the body ${['uncompressed', ...supported].join(' or ')}.`,
    headers: ({ supported }) => [
      'Accept-Encoding',
      [...supported, 'identity'].join(', '),
      ...acceptQuery,
    ],
    doc: ['The server cannot decompress the body.', 'Use `Accept-Encoding`.'],
  },
  'broken-encoding': {
    status: 400,
    message: ({ coding }) => `The body is not valid ${coding}, or is truncated.`,
    doc: ['The body cannot be decompressed.', 'Check the compression.'],
  },
  'body-too-large': {
    status: 413,
    message: ({ limit, found }) =>
      found === undefined
        ? `The body is larger than the limit of ${limit} bytes.`
        : `The body has ${found} bytes, more than the limit of ${limit}.`,
    details: sizes,
    doc: ['The body is larger than `maxBodyBytes`.', 'Send less at once.'],
  },
  'document-too-long': {
    status: 413,
    message: ({ limit, found }) =>
      `The document has ${found} characters, more than the limit of ${limit}.`,
    details: sizes,
    doc: ['The document is longer than `maxDocumentLength`.', 'Split it.'],
  },
  'invalid-utf-8': {
    status: 400,
    message: 'The body is not well-formed UTF-8.',
    doc: ['The body is not UTF-8.', 'Send UTF-8.'],
  },
  'invalid-json': {
    status: 400,
    message: ({ where, detail }) => `${placeOf(where)} is not valid JSON: ${detail}.`,
    doc: ['The body or a parameter is not JSON.', 'Send JSON.'],
  },
  'json-too-deep': {
    status: 400,
    message: ({ where, limit }) =>
      `${placeOf(where)} nests deeper than the limit of ${limit} levels.`,
    details: sizes,
    doc: ['JSON is deeper than `maxJsonNesting`.', 'Flatten the variables.'],
  },
  'invalid-parameter': {
    status: (_, { malformed }) => malformed,
    message: ({ name, expected }) => `${placeOf(name)} must be ${expected}.`,
    doc: ['A parameter is missing or of the wrong type.', 'See the message.'],
  },
  'batching-not-supported': {
    status: (_, { malformed }) => malformed,
    message:
      'The body is a list, but batching is not supported: send one request as a JSON object.',
    doc: ['The body is a JSON array.', 'Send requests one by one.'],
  },

  // What `authenticate`, `admit` and `authorize` decide.
  unauthenticated: {
    status: 401,
    message: ({ message }) => message ?? 'A valid credential is required.',
    headers: ({ challenge }) => ['WWW-Authenticate', challenge],
    doc: ['A valid credential is required.', 'See `WWW-Authenticate`.'],
  },
  forbidden: {
    status: 403,
    message: ({ message }) => message ?? 'This credential does not permit the request.',
    doc: ['The credential does not permit the request.', 'Use another credential.'],
  },
  'rate-limited': {
    status: 429,
    message: ({ message, retryAfter: seconds }) =>
      message ?? `Too many requests; retry in ${secondsInWords(seconds)}.`,
    headers: retryAfter,
    doc: ['The sender has exceeded its rate limit.', 'Retry after `Retry-After`.'],
  },
  unavailable: {
    status: 503,
    message: ({ message, retryAfter: seconds }) =>
      message ?? `Unavailable; retry in ${secondsInWords(seconds)}.`,
    headers: retryAfter,
    doc: ['A service that the server needs is unavailable.', 'Retry after `Retry-After`.'],
  },
  denied: {
    status: ({ status }) => status,
    code: ({ code }) => code ?? 'DENIED',
    message: ({ message }) => message ?? 'The request is denied.',
    doc: ['The application denies the request.', 'Ask the operator of the API.'],
  },

  // During execution.
  cancelled: {
    status: 503,
    message: ({ cause }) =>
      cause === 'timed-out'
        ? 'The operation took longer than the server allows.'
        : 'The client closed the connection before the operation was done.',
    headers: retrySoon,
    details: ({ cause }) => ({ cause }),
    doc: ['After `executionTimeout`, or the client left.', 'Ask for less at once.'],
  },
  internal: {
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Internal server error',
    details: ({ id }) => ({ id }),
    doc: ['A bug, which is in the log with the `id`.', 'Report the `id`.'],
  },
}

function placeOf(where: string): string {
  return where === 'body' ? 'The body' : `The parameter "${where}"`
}
