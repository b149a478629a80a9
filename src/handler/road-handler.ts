import { isTraced } from '../graphql/js/tracing.js'
import {
  headOf,
  toHandler,
  type Handler,
  type HttpResponse,
  type Request,
} from '../http/message.js'
import type { Cors } from '../http/cors.js'
import { drive } from './road/driver.js'
import { beginFacts, type Facts } from './road/facts.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import type { TraceFacts } from './trace-messages.js'
import {
  arrivals,
  describeFacts,
  requestChannel,
  traceWork,
  type TracedWork,
} from './trace-request.js'
import { stop, wait, type Kinded, type Road, type Stop, type Surface } from './road/road.js'

/** The beginning of a request. */
export interface RoadStart<Why extends Kinded = Stop> {
  readonly surface: Surface<HttpResponse, Why>
  readonly road: Road<HttpResponse, Why>
  /** Adds to the trace of the request what only this kind of request knows. */
  readonly describe?: (message: TraceFacts, facts: Facts) => void
}

/** Makes the handler of a kind of request: each is begun, driven along its road, and traced. */
export function createRoadHandler<Raw, Why extends Kinded = Stop>(
  tools: EndpointTools,
  start: (request: Request, facts: Facts) => RoadStart<Why>,
  begin: typeof beginFacts = beginFacts,
): Handler<Raw> {
  const isTimed = tools.settings.onResult !== undefined
  const { decide } = tools.settings.cors
  const depart: (request: Request, facts: Facts) => RoadStart<Why | Stop> =
    decide === undefined
      ? start
      : (request, facts) => {
          const begun = start(request, facts)
          return { ...begun, road: askFirst(decide, begun.road, tools, facts) }
        }
  return toHandler<Raw>((asked, answer, failed) => {
    const facts = begin(headOf(asked), isTimed ? performance.now() : 0)
    if (!isTraced(requestChannel) && arrivals?.hasSubscribers !== true) {
      const { road, surface } = depart(asked, facts)
      return drive({ road, surface, facts }, tools, answer, failed)
    }
    let describe: RoadStart['describe']
    const work: TracedWork<HttpResponse> = {
      head: facts.head,
      transport: 'http',
      begin(done, followers) {
        facts.followers = followers
        const begun = depart(asked, facts)
        describe = begun.describe
        drive({ road: begun.road, surface: begun.surface, facts }, tools, done, failed)
      },
      describe(message) {
        describeFacts(message, facts, tools.engine)
        describe?.(message, facts)
      },
    }
    traceWork(work, answer)
  })
}

/** Every response has headers of CORS, refusals too: so the function of `cors.origins` is asked first, if there is room. */
function* askFirst<Why extends Kinded>(
  decide: NonNullable<Cors['decide']>,
  road: Road<HttpResponse, Why>,
  { gate }: EndpointTools,
  facts: Facts,
): Road<HttpResponse, Why | Stop> {
  facts.at = 'load'
  const overload = gate.check(facts.head)
  if (overload !== undefined) return yield* stop(overload)
  facts.at = 'framing'
  yield* wait(decide(facts.head))
  return yield* road
}
