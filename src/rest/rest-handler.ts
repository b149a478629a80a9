import { describeFacts } from '../handler/describe-facts.js'
import { drive } from '../handler/road/driver.js'
import { beginFacts } from '../handler/road/facts.js'
import { createTools } from '../handler/steps/endpoint-tools.js'
import { createClock, createFinisher } from '../handler/steps/finish.js'
import { isRequestTraced, traceRequest } from '../handler/trace-request.js'
import { headOf, toHandler, type Handler, type Request } from '../http/message.js'
import { checkOptions } from '../shapes/shape.js'
import { createPlanner } from './plan/planner.js'
import { resolveRestOptions, restShape, type RestOptions } from './rest-options.js'
import { restRoad, type RestTools } from './rest-road.js'
import { RestSurface } from './rest-surface.js'
import { createAcceptCheck, createBodyCheck } from './route/accepted-types.js'

/**
 * Makes the handler of resource-style routes. It has the same limits, credentials, execution, masking and
 * traces as `createHandler`.
 */
export function createRestHandler<Raw = unknown, Principal = unknown, Context = never>(
  options: RestOptions<Raw, Principal, Context>,
): Handler<Raw> {
  checkOptions('createRestHandler', options, restShape)
  const settings = resolveRestOptions(options)
  const shared = createTools(settings)
  const { engine, streams } = shared
  const tools: RestTools = {
    ...shared,
    settings,
    planOf: createPlanner(settings, engine),
    acceptsJson: createAcceptCheck('application', 'json'),
    acceptsStream: createAcceptCheck('text', 'event-stream'),
    checkBody: createBodyCheck(settings),
  }
  const now = createClock(settings)
  const kit = { settings, streams, finish: createFinisher(settings) }
  return toHandler((asked, answer) => {
    const facts = beginFacts(headOf(asked), now())
    const surface = new RestSurface(kit, facts)
    const travel = (request: Request, done: typeof answer): void =>
      drive({ road: restRoad(request, surface, tools, facts), surface, facts }, tools, done)
    if (!isRequestTraced()) return travel(asked, answer)
    traceRequest(
      asked,
      travel,
      (message) => {
        describeFacts(message, facts, engine)
        message.route = surface.path
        message.isTrusted = facts.operation === undefined ? undefined : true
        message.execution = undefined
      },
      answer,
    )
  })
}
