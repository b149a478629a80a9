import type { GraphQLFormattedError } from 'graphql'
import type { RequestError } from '../engine/request-error.js'
import type { Result } from '../engine/result.js'
import type { HttpResponse } from '../http/message.js'
import type { Encoding } from './choose-encoding.js'
import type { Edition } from './editions.js'
import { baseHeaders } from './headers.js'
import { requestErrorStatus, resultStatus } from './status.js'

/** The answer to an operation that was executed. */
export function respond(
  result: Result,
  errors: readonly GraphQLFormattedError[],
  storable: boolean,
  encoding: Encoding,
  edition: Edition,
): HttpResponse {
  return {
    status: resultStatus(result, encoding, edition),
    headers: baseHeaders(encoding.success, storable),
    body: encode(result, errors),
  }
}

/** The answer to a request that GraphQL refused: errors without `data`. */
export function reject(
  error: RequestError,
  errors: readonly GraphQLFormattedError[],
  encoding: Encoding,
  edition: Edition,
): HttpResponse {
  const status = requestErrorStatus(error, encoding, edition)
  return {
    status,
    headers: baseHeaders(status < 300 ? encoding.success : encoding.failure, false),
    body: JSON.stringify({ errors }),
  }
}

/** GraphQL specification, section 7.1: errors come first where there are any. */
function encode({ data, extensions }: Result, errors: readonly GraphQLFormattedError[]): string {
  if (errors.length > 0) return JSON.stringify({ errors, data, extensions })
  return JSON.stringify(extensions === undefined ? { data } : { data, extensions })
}
