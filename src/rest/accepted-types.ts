import { parseAccept } from '../http/accept.js'
import { memo } from '../http/memo.js'
import { preferenceFor } from '../http/negotiate.js'
import type { HeaderRecord } from '../http/response-headers.js'
import type { PlacedRoute } from './router.js'

/** The media types of bodies that routes of one method and path take. */
export function acceptedTypes(routes: readonly PlacedRoute[]): readonly string[] {
  const types = routes.flatMap(({ route }) => route.accepts ?? [])
  return [...new Set(['application/json', ...types])]
}

/** The fields that say so: RFC 9110 section 12.5.1, RFC 5789 section 3.1, and the Accept-Post of LDP. */
export function acceptHeaders(method: string, types: readonly string[]): HeaderRecord {
  const list = types.join(', ')
  if (method === 'POST') return { Accept: list, 'Accept-Post': list }
  return method === 'PATCH' ? { Accept: list, 'Accept-Patch': list } : { Accept: list }
}

/** Makes the check of `Accept`: whether the client reads what a success is. Problems come to everybody. */
export function createAcceptCheck(): (accept: string | undefined) => boolean {
  return memo((accept) => {
    const ranges = parseAccept(accept)
    return ranges === undefined || preferenceFor(ranges, 'application', 'json').quality > 0
  })
}
