import { isKnown } from '../http/entity-tags.js'
import {
  fieldLines,
  fieldValue,
  isStream,
  type HttpResponse,
  type RequestHead,
} from '../http/message.js'
import type { Facts } from './road/facts.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { withResolverHeaders } from './steps/finish.js'
import type { Kinded, Stop, Surface } from './road/road.js'

/** What all surfaces have in common that respond over HTTP. */
export abstract class HttpSurface<
  Why extends Kinded = Stop,
  Tools extends EndpointTools = EndpointTools,
> implements Surface<HttpResponse, Why | Stop> {
  protected readonly tools: Tools
  protected readonly facts: Facts

  constructor(tools: Tools, facts: Facts) {
    this.tools = tools
    this.facts = facts
  }

  abstract toResponse(why: Why | Stop): HttpResponse

  /** Answers 304 if the client has the response, and adds the headers of resolvers, of CORS and of hooks. */
  finish(response: HttpResponse, isOwn: boolean): HttpResponse {
    const { head } = this.facts
    const asked = isOwn && head.method !== 'POST' ? unlessKnown(response, head) : response
    const layered = isOwn ? withLayers(asked, this.facts) : asked
    return this.tools.finish?.(layered, this.facts) ?? layered
  }

  discard({ body }: HttpResponse): void {
    if (isStream(body)) body.discard()
  }
}

/**
 * The response, or 304 if the client has it (RFC 9110 section 15.4.5): with the headers of the 200, except those that describe
 * its content. This is decided behind `around`, which may keep the response for other clients.
 */
export function unlessKnown(
  response: HttpResponse,
  { method, headers }: RequestHead,
): HttpResponse {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'QUERY'
  if (!isRead || response.status > 299 || isStream(response.body)) return response
  const field = fieldValue(response.headers, 'etag')
  const tag = field === undefined ? undefined : /^(?:W\/)?"(.*)"$/.exec(field)?.[1]
  if (tag === undefined || !isKnown(headers, tag)) return response
  const lines = [...fieldLines(response.headers)]
  const kept = lines.filter(([name]) => name.toLowerCase() !== 'content-type').flat()
  return { status: 304, headers: kept, body: '' }
}

/** Adds the headers that resolvers have set, if any, to a response that the road made. */
export function withLayers(
  response: HttpResponse,
  { request }: Pick<Facts, 'request'>,
): HttpResponse {
  const set = request?.touchedHeaders
  if (set === undefined) return response
  return { ...response, headers: withResolverHeaders(response.headers, set) }
}
