import { isStream, type HttpResponse } from '../http/message.js'
import type { Facts } from './road/facts.js'
import type { Kinded, Stop } from './road/road.js'
import type { Surface } from './road/surface.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { unlessKnown } from './steps/cache-response.js'
import { withLayers } from './steps/layer-headers.js'

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
