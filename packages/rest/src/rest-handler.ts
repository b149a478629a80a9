import type { Handler } from 'graphwire/http'
import { checkOptions } from 'graphwire/base'
import { createRoadHandler, createTools, planPerSchema, type Stop } from 'graphwire/surface/parts'
import { planRoute } from './plan/plan.js'
import { resolveRestOptions, restShape, type RestOptions } from './rest-options.js'
import { restRoad } from './rest-road.js'
import { RestSurface, type RestTools } from './rest-surface.js'
import { createAcceptCheck, createBodyCheck } from './route/accepted-types.js'
import type { RouteRefusal } from './route/route-refusals.js'

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
  const { findDocument } = shared.engine
  const tools: RestTools = {
    ...shared,
    settings,
    plansOf: planPerSchema(settings, (schema) => {
      const { graphql, placed } = settings
      return new Map(placed.map((one) => [one, planRoute(one, schema, { graphql, findDocument })]))
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
