import type { GraphQLFormattedError } from 'graphql'
import type { RequestError } from '../../graphql/errors/request-error.js'
import type { Result } from '../../graphql/execute/result.js'
import type { HttpResponse } from '../../http/message.js'
import type { Edition } from '../editions.js'
import type { Encoding } from './choose-encoding.js'
import { baseHeaders, type Caching } from './headers.js'
import { fillRow, type RefusalRow, type RefusalDetails } from '../refusal-row.js'
import type { Refusal } from '../refusal.js'
import { acceptQuery, allMethods, methodsWithoutGet, refusals } from '../refusals.js'

/** The response to an operation that was executed. */
export function respond(
  result: Result,
  errors: readonly GraphQLFormattedError[],
  caching: Caching,
  encoding: Encoding,
  edition: Edition,
): HttpResponse {
  return {
    status: resultStatus(result, encoding, edition),
    headers: baseHeaders(encoding.success, caching),
    body: encode(result, errors),
  }
}

/** The response to a request error: errors without `data`. */
export function reject(
  error: RequestError,
  errors: readonly GraphQLFormattedError[],
  encoding: Encoding,
  edition: Edition,
): HttpResponse {
  const status = requestErrorStatus(error, encoding, edition)
  return {
    status,
    headers: baseHeaders(status < 300 ? encoding.success : encoding.failure, 'no-store'),
    body: JSON.stringify({ errors }),
  }
}

/** GraphQL specification, section 7.1: errors come first if there are any. */
function encode({ data, extensions }: Result, errors: readonly GraphQLFormattedError[]): string {
  if (errors.length > 0) return JSON.stringify({ errors, data, extensions })
  return JSON.stringify(extensions === undefined ? { data } : { data, extensions })
}

/** The status of a request error. */
function requestErrorStatus(
  { kind }: RequestError,
  { success }: Encoding,
  edition: Edition,
): number {
  return edition.requestError[success][kind]
}

/** The status of a result: errors next to `data` (even null) are a partial success. */
function resultStatus(result: Result, { success }: Encoding, edition: Edition): number {
  return result.errors.length === 0 ? 200 : edition.partial[success]
}

/** The contents of the response to a refusal. */
export function describeRefusal(refusal: Refusal, edition: Edition): RefusalDetails {
  return fillRow(refusals[refusal.kind] as RefusalRow<Refusal>, refusal, edition)
}

/** The response to a refused request: a small GraphQL response, so that clients can show it. */
export function refuse(
  { status, headers }: RefusalDetails,
  error: GraphQLFormattedError,
  encoding: Encoding,
): HttpResponse {
  return {
    status,
    headers: [...baseHeaders(encoding.failure, 'no-store'), ...headers],
    body: JSON.stringify({ errors: [error] }),
  }
}

export function toError({ message, code, details }: RefusalDetails): GraphQLFormattedError {
  return { message, extensions: { code, ...details } }
}

export function describeMethods(get: boolean): HttpResponse {
  return {
    status: 204,
    headers: [
      'Allow',
      get ? allMethods : methodsWithoutGet,
      ...acceptQuery,
      'X-Content-Type-Options',
      'nosniff',
    ],
    body: '',
  }
}
