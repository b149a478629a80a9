import { andThen } from '../../base/promise.js'
import type { CachePolicy } from '../../graphql/cache/cache-policy.js'
import { createDigest } from '../../http/digest.js'
import type { HeaderList, HttpResponse, TextResponse } from '../../http/message.js'
import { overlayHeaders } from '../../http/overlay-headers.js'
import { forClientOnly } from '../../http/storing.js'
import type { Settings } from '../../options/settings.js'
import type { Encoding } from '../../over-http/response/choose-encoding.js'
import type { Facts } from '../road/facts.js'

/** Completes the response to a query that may be stored: `Cache-Control` by hints, and a strong ETag. */
export type ResponseCaching = (
  response: HttpResponse,
  encoding: Encoding,
  facts: Facts,
) => HttpResponse | Promise<HttpResponse>

export function createCaching({ etag, cacheHints }: Settings): ResponseCaching | undefined {
  if (!etag && !cacheHints) return undefined
  const digest = createDigest()
  return (response, encoding, facts) => {
    if (!mayBeStored(response, encoding, facts)) return response
    const timed = cacheHints ? addLifetime(response, facts) : response
    // A tag that a resolver has set stays.
    if (!etag || facts.request?.touchedHeaders?.has('etag') === true) return timed
    return andThen(digest(timed.body), (found) => {
      const tag = `"${encoding.success.tag}.${found}"`
      return { ...timed, headers: [...timed.headers, 'ETag', tag] }
    })
  }
}

/** Whether it is the whole result of a query by GET, HEAD or QUERY, as JSON, without errors. */
function mayBeStored(
  response: HttpResponse,
  encoding: Encoding,
  { head, operation, errors }: Facts,
): response is TextResponse {
  return (
    head.method !== 'POST' &&
    operation?.operation === 'query' &&
    errors.length === 0 &&
    response.status === 200 &&
    encoding.single === 'json' &&
    typeof response.body === 'string'
  )
}

/** Replaces `Cache-Control` of responses whose selections all have a lifetime. */
function addLifetime(response: TextResponse, { request }: Facts): TextResponse {
  const lines = request === undefined ? undefined : linesOf(request.cachePolicy)
  return lines === undefined
    ? response
    : { ...response, headers: overlayHeaders(response.headers, lines) }
}

/**
 * Only an explicit PUBLIC lets caches share a response, whatever the request and the options are. A browser also keeps
 * what is private, and its user may change.
 */
function linesOf({ maxAge, isPrivate, isPublic }: CachePolicy): HeaderList | undefined {
  if (maxAge === 0 || maxAge === Infinity)
    return isPrivate ? ['Cache-Control', forClientOnly] : undefined
  if (isPublic && !isPrivate) return ['Cache-Control', `max-age=${maxAge}, public`]
  return ['Cache-Control', `max-age=${maxAge}, private`, 'Vary', 'Authorization, Cookie']
}
