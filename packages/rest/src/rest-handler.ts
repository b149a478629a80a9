import type { Handler } from 'graphwire/http'
import { checkOptions } from 'graphwire/base'
import { createRoadHandler, createTools, planPerSchema, type Stop } from 'graphwire/surface/parts'
import { planRoute, type RoutePlan } from './plan/plan.js'
import { resolveRestOptions, restShape, type RestOptions } from './rest-options.js'
import { restRoad } from './rest-road.js'
import { RestSurface, type RestTools } from './rest-surface.js'
import { createAcceptCheck, createBodyCheck } from './route/accepted-types.js'
import type { RouteRefusal } from './route/route-refusals.js'
import type { PlacedRoute } from './route/router.js'

/**
 * Makes the handler of resource-style routes. It has the same limits, credentials, execution, masking and
 * traces as `createHandler`.
 */
export function createRestHandler<Raw = unknown, Principal = unknown, Context = unknown>(
  options: RestOptions<Raw, Principal, Context>,
): Handler<Raw> {
  checkOptions('createRestHandler', options, restShape)
  const settings = resolveRestOptions(options)
  const shared = createTools(settings)
  const tools: RestTools = {
    ...shared,
    settings,
    plansOf: planPerSchema(settings, (schema) => {
      const plan = (placed: PlacedRoute): RoutePlan =>
        planRoute(placed, schema, shared.engine, settings.graphql)
      return new Map(settings.placed.map((placed) => [placed, plan(placed)]))
    }),
    acceptsJson: createAcceptCheck('application/json'),
    acceptsStream: createAcceptCheck('text/event-stream'),
    checkBody: createBodyCheck(settings),
  }
  return createRoadHandler<Raw, RouteRefusal | Stop>(tools, (request, facts) => {
    const surface = new RestSurface(tools, facts)
    return {
      surface,
      road: restRoad(request, surface, tools, facts),
      describe(message) {
        message.route = surface.path
        message.isTrusted = facts.operation === undefined ? undefined : true
        message.execution = undefined
      },
    }
  })
}
