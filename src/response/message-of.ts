import type { Refusal } from '../refusal.js'

/** What a refusal tells the client: what was wrong and what would be right. */
export function messageOf(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'not-found':
      return `There is nothing at ${quote(refusal.path)}.`
    case 'method-not-allowed':
      return `The method ${quote(refusal.method)} is not supported: use POST, QUERY or GET.`
    case 'operation-not-allowed':
      return `A ${refusal.operation} cannot be run by ${refusal.method}, which is a safe method: use POST.`
    case 'uri-too-long':
      return `The URL is longer than the limit of ${refusal.limit} characters: use POST or QUERY.`
    case 'too-many-headers':
      return `The request has more header lines than the limit of ${refusal.limit}.`
    case 'invalid-host':
      return `Host must be one host name, with or without a port, not ${quote(refusal.host)}.`
    case 'unsupported-transfer-coding':
      return `The Transfer-Encoding ${quote(refusal.coding)} is not supported: only chunked is.`
    case 'mutation-by-query':
      return 'A mutation cannot be run by QUERY, which is a safe method: use POST.'
    case 'not-acceptable':
      return 'Accept admits none of the types served: application/graphql-response+json, application/json.'
    case 'unsupported-encoding':
      return `The Content-Encoding ${quote(refusal.encoding)} is not supported: send the body as it is.`
    case 'unsupported-media-type':
      return refusal.mediaType === undefined
        ? 'Content-Type is missing: send application/json.'
        : `The Content-Type ${quote(refusal.mediaType)} is not supported: send application/json.`
    case 'unsupported-charset':
      return `The charset ${quote(refusal.charset)} is not supported: send UTF-8.`
    case 'body-too-large':
      return `The body is larger than the limit of ${refusal.limit} bytes.`
    case 'invalid-utf-8':
      return 'The body is not well-formed UTF-8.'
    case 'invalid-json':
      return `${refusal.where === 'body' ? 'The body' : `The parameter "${refusal.where}"`} is not valid JSON: ${refusal.detail}.`
    case 'invalid-parameter':
      return refusal.name === 'body'
        ? `The body must be ${refusal.expected}.`
        : `The parameter "${refusal.name}" must be ${refusal.expected}.`
    case 'batching-not-supported':
      return 'The body is a list: batching is not supported, send one request as a JSON object.'
    case 'cancelled':
      return refusal.cause === 'timed-out'
        ? 'The operation took longer than the server allows.'
        : 'The client went away before the operation was done.'
    case 'internal':
      return 'Internal server error'
    case 'unauthenticated':
      return refusal.message ?? 'This needs a valid credential.'
    case 'forbidden':
      return refusal.message ?? 'This credential does not permit the request.'
    case 'rate-limited':
      return refusal.message ?? `Too many requests: try again in ${refusal.retryAfter} seconds.`
    case 'unavailable':
      return refusal.message ?? `Not available now: try again in ${refusal.retryAfter} seconds.`
    case 'denied':
      return refusal.message
  }
}

/** A client's own text, quoted and cut, so that an answer cannot be blown up with it. */
function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text)
}
