import type { RequestError } from '../engine/request-error.js'
import type { Result } from '../engine/result.js'
import type { Refusal } from '../refusal.js'
import type { Encoding } from './choose-encoding.js'
import type { Edition } from './editions.js'

/** The status of a refusal; every kind has one, or this does not compile. */
export function refusalStatus(refusal: Refusal, edition: Edition): number {
  switch (refusal.kind) {
    case 'invalid-host':
    case 'invalid-utf-8':
    case 'invalid-json':
    case 'json-too-deep':
    case 'broken-encoding':
      return 400
    case 'unauthenticated':
      return 401
    case 'forbidden':
    case 'cross-site':
    case 'header-missing':
      return 403
    case 'not-found':
      return 404
    case 'method-not-allowed':
    case 'operation-not-allowed':
      return 405
    case 'not-acceptable':
      return 406
    case 'body-too-large':
    case 'document-too-long':
      return 413
    case 'uri-too-long':
      return 414
    case 'unsupported-encoding':
    case 'unsupported-media-type':
    case 'unsupported-charset':
    case 'content-on-get':
      return 415
    case 'mutation-by-query':
      return 422
    case 'invalid-parameter':
    case 'batching-not-supported':
      return edition.malformed
    case 'rate-limited':
      return 429
    case 'too-many-headers':
      return 431
    case 'internal':
      return 500
    case 'unsupported-transfer-coding':
      return 501
    case 'cancelled':
    case 'overloaded':
    case 'unavailable':
      return 503
    case 'denied':
      return refusal.status
  }
}

/** The status of a request that GraphQL refused. */
export function requestErrorStatus(
  { kind }: RequestError,
  { success }: Encoding,
  edition: Edition,
): number {
  return edition.requestError[success][kind]
}

/** The status of a result: errors beside `data` (even null) are a partial success. */
export function resultStatus(result: Result, { success }: Encoding, edition: Edition): number {
  return result.errors.length === 0 ? 200 : edition.partial[success]
}
