import {
  headOf,
  toHandler,
  type Handler,
  type HttpResponse,
  type Request,
} from '../http/message.js'
import { describeFacts } from './describe-facts.js'
import { drive } from './road/driver.js'
import { beginFacts, type Facts } from './road/facts.js'
import type { Kinded, Road, Stop } from './road/road.js'
import type { Surface } from './road/surface.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { createClock } from './steps/finish.js'
import type { TraceFacts } from './trace-messages.js'
import { isRequestTraced, traceRequest } from './trace-request.js'

/** The beginning of a request. */
export interface RoadStart<Why extends Kinded = Stop> {
  readonly surface: Surface<HttpResponse, Why>
  readonly road: (request: Request) => Road<HttpResponse, Why>
  /** Adds to the trace of the request what only this kind of request knows. */
  readonly describe?: (message: TraceFacts) => void
}

/** Makes the handler of a kind of request: each is begun, driven along its road, and traced. */
export function createRoadHandler<Raw, Why extends Kinded = Stop>(
  tools: EndpointTools,
  start: (facts: Facts) => RoadStart<Why>,
  begin: typeof beginFacts = beginFacts,
): Handler<Raw> {
  const now = createClock(tools.settings)
  return toHandler<Raw>((asked, answer, failed) => {
    const facts = begin(headOf(asked), now())
    const { surface, road, describe } = start(facts)
    if (!isRequestTraced()) {
      return drive({ road: road(asked), surface, facts }, tools, answer, failed)
    }
    const travel = (request: Request, done: typeof answer): void =>
      drive({ road: road(request), surface, facts }, tools, done, failed)
    const note = (message: TraceFacts): void => {
      describeFacts(message, facts, tools.engine)
      describe?.(message)
    }
    traceRequest(asked, travel, note, answer)
  })
}
