import { cutText } from '../cut-text.js'
import type { Refusal } from '../refusal.js'

/** What a refusal tells the client: what was wrong and what would be right. */
export function messageOf(refusal: Refusal): string {
  const format = messages[refusal.kind] as (refusal: Refusal) => string
  return format(refusal)
}

type Messages = {
  readonly [Kind in Refusal['kind']]: (refusal: Extract<Refusal, { kind: Kind }>) => string
}

const messages: Messages = {
  'not-found': ({ path }) => `There is nothing at ${quote(path)}.`,
  'method-not-allowed': ({ method, get }) =>
    `The method ${quote(method)} is not supported: use ${get ? 'POST, QUERY or GET' : 'POST or QUERY'}.`,
  'operation-not-allowed': ({ operation, method }) =>
    `A ${operation} cannot be run by ${method}, which is a safe method: use POST.`,
  'uri-too-long': ({ limit, found }) =>
    `The URL has ${found} characters, more than the limit of ${limit}: use POST or QUERY.`,
  'too-many-headers': ({ limit, found }) =>
    `The request has ${found} header lines, more than the limit of ${limit}.`,
  'invalid-host': ({ host }) =>
    `Host must be one host name, with or without a port, not ${quote(host)}.`,
  'unsupported-transfer-coding': ({ coding }) =>
    `The Transfer-Encoding ${quote(coding)} is not supported: only chunked is.`,
  'mutation-by-query': () => 'A mutation cannot be run by QUERY, which is a safe method: use POST.',
  'not-acceptable': () =>
    'Accept admits none of the types served: application/graphql-response+json, application/json.',
  'unsupported-encoding': ({ coding, supported }) =>
    `The Content-Encoding ${quote(coding)} is not supported: send the body ${['as it is', ...supported].join(' or as ')}.`,
  'broken-encoding': ({ coding }) =>
    `The body cannot be decoded: it is no ${coding}, or only a part of it.`,
  'unsupported-media-type': ({ mediaType }) =>
    mediaType === undefined
      ? 'Content-Type is missing: send application/json.'
      : `The Content-Type ${quote(mediaType)} is not supported: send application/json.`,
  'unsupported-charset': ({ charset }) =>
    `The charset ${quote(charset)} is not supported: send UTF-8.`,
  'content-on-get': ({ mediaType }) =>
    `A GET has no content of the type ${quote(mediaType)}: leave Content-Type out, or use POST.`,
  'cross-site': ({ origin }) =>
    `A page of ${origin === undefined ? 'another site' : quote(origin)} may not send a GET: use POST, or let the server allow the origin.`,
  'header-missing': ({ names }) => `A GET must have one of the headers ${names.join(', ')}.`,
  'body-too-large': ({ limit, found }) =>
    found === undefined
      ? `The body is larger than the limit of ${limit} bytes.`
      : `The body has ${found} bytes, more than the limit of ${limit}.`,
  'document-too-long': ({ limit, found }) =>
    `The document has ${found} characters, more than the limit of ${limit}.`,
  'invalid-utf-8': () => 'The body is not well-formed UTF-8.',
  'invalid-json': ({ where, detail }) => `${placeOf(where)} is not valid JSON: ${detail}.`,
  'json-too-deep': ({ where, limit }) =>
    `${placeOf(where)} nests deeper than the limit of ${limit} levels.`,
  'invalid-parameter': ({ name, expected }) => `${placeOf(name)} must be ${expected}.`,
  'batching-not-supported': () =>
    'The body is a list: batching is not supported, send one request as a JSON object.',
  cancelled: ({ cause }) =>
    cause === 'timed-out'
      ? 'The operation took longer than the server allows.'
      : 'The client went away before the operation was done.',
  overloaded: ({ by }) =>
    by === 'requests'
      ? 'The server has as many requests as it takes at once: try again in a second.'
      : 'The server is behind with its work: try again in a second.',
  internal: () => 'Internal server error',
  unauthenticated: ({ message }) => message ?? 'This needs a valid credential.',
  forbidden: ({ message }) => message ?? 'This credential does not permit the request.',
  'rate-limited': ({ message, retryAfter }) =>
    message ?? `Too many requests: try again in ${retryAfter} seconds.`,
  unavailable: ({ message, retryAfter }) =>
    message ?? `Not available now: try again in ${retryAfter} seconds.`,
  denied: ({ message }) => message,
}

function placeOf(where: string): string {
  return where === 'body' ? 'The body' : `The parameter "${where}"`
}

/** A client's own text, quoted and cut, so that an answer cannot be blown up with it. */
function quote(text: string): string {
  return JSON.stringify(cutText(text, 100))
}
