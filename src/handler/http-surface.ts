import { isStream, type HttpResponse } from '../http/message.js'
import type { Facts } from './road/facts.js'
import type { Kinded, Stop } from './road/road.js'
import type { Surface } from './road/surface.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
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

  /** Adds the headers of resolvers, of CORS and of hooks. */
  finish(response: HttpResponse, isOwn: boolean): HttpResponse {
    const layered = isOwn ? withLayers(response, this.facts) : response
    return this.tools.finish?.(layered, this.facts) ?? layered
  }

  discard({ body }: HttpResponse): void {
    if (isStream(body)) body.discard()
  }
}
