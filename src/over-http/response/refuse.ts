import type { GraphQLFormattedError } from 'graphql'
import type { HttpResponse } from '../../http/message.js'
import type { Edition } from '../editions.js'
import { fillRow, type RefusalRow, type RefusalDetails } from '../refusal-row.js'
import type { Refusal } from '../refusal.js'
import { acceptQuery, allMethods, methodsWithoutGet, refusals } from '../refusals.js'
import type { Encoding } from './choose-encoding.js'
import { baseHeaders } from './headers.js'

/** The contents of the response to a refusal. */
export function tellRefusal(refusal: Refusal, edition: Edition): RefusalDetails {
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
