import { andThen } from '../../base/promise.js'
import { restrict, unrestricted, type CachePolicy } from '../../graphql/cache/cache-policy.js'
import { CachePolicies } from '../../graphql/cache/cache-policies.js'
import type { Operation } from '../../graphql/execute/operation.js'
import { createDigest } from '../../http/digest.js'
import { isKnown } from '../../http/entity-tags.js'
import {
  fieldLines,
  type HeaderList,
  type HttpResponse,
  type TextResponse,
} from '../../http/message.js'
import { overlayHeaders } from '../../http/overlay-headers.js'
import { forClientOnly } from '../../http/storing.js'
import type { Settings } from '../../options/settings.js'
import type { Encoding } from '../../over-http/response/choose-encoding.js'
import type { Exchange } from './exchange.js'

type On = Exchange & { readonly encoding: Encoding }

/** A step that completes the response to a query that may be stored. */
type Step = (response: TextResponse, exchange: On) => HttpResponse | Promise<HttpResponse>

/** Adds what caches need to responses that may be stored: `Cache-Control` by hints, an ETag, and 304. */
export function withCaching<Input extends On>(
  respond: (exchange: Input) => HttpResponse,
  settings: Settings,
): (exchange: Input) => HttpResponse | Promise<HttpResponse> {
  const complete = createStep(settings)
  if (complete === undefined) return respond
  return (exchange) => {
    const response = respond(exchange)
    return mayBeStored(response, exchange) ? complete(response, exchange) : response
  }
}

function createStep(settings: Settings): Step | undefined {
  const { etag, cacheHints } = settings
  const addTag = etag ? createTagger() : undefined
  if (!cacheHints) return addTag
  const addLifetime = createLifetimes()
  return addTag === undefined
    ? addLifetime
    : (response, exchange) => addTag(addLifetime(response, exchange), exchange)
}

/** Whether it is the whole result of a query by GET, HEAD or QUERY, as JSON, without errors. */
function mayBeStored(
  response: HttpResponse,
  { head, operation, errors, encoding }: On,
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
function createLifetimes() {
  const policies = new CachePolicies()
  return (response: TextResponse, { prepared, request }: On): TextResponse => {
    const declared = policies.of(prepared as Operation)
    const policy = restrict(declared, request?.hintedPolicy ?? unrestricted)
    const lines = linesOf(policy)
    return lines === undefined
      ? response
      : { ...response, headers: overlayHeaders(response.headers, lines) }
  }
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

/** Adds a strong tag of the body, or answers 304. A resolver that has set a tag of its own knows better. */
function createTagger(): Step {
  const digest = createDigest()
  return (response, { head, encoding, request }) => {
    if (request?.touchedHeaders?.has('etag') === true) return response
    return andThen(digest(response.body), (found) => {
      // Two types can have the same body, and a strong tag is of one of them.
      const tag = `${encoding.success === 'application/json' ? 'json' : 'graphql'}.${found}`
      const headers = [...response.headers, 'ETag', `"${tag}"`]
      return isKnown(head.headers, tag) ? notModified(headers) : { ...response, headers }
    })
  }
}

/** RFC 9110 section 15.4.5: the headers of the 200, except those that describe its content. */
function notModified(headers: HeaderList): HttpResponse {
  const kept = [...fieldLines(headers)].filter(([name]) => name !== 'Content-Type').flat()
  return { status: 304, headers: kept, body: '' }
}
