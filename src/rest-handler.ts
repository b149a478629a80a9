import { authenticate } from './authenticate.js'
import { authorize } from './authorize.js'
import { createEngine } from './engine/engine.js'
import type { Handler, HttpResponse, Reply, RequestHead, WantsBody } from './http/message.js'
import { createLoadGate } from './load-gate.js'
import { andThen } from './promise.js'
import { checkFraming } from './request/check-head.js'
import { describeResource } from './rest/describe-resource.js'
import { findRoutes, findSubject } from './rest/find-routes.js'
import { createPlanner } from './rest/planner.js'
import { resolveRestOptions, type RestOptions } from './rest-options.js'
import { createRestSurface } from './rest-surface.js'
import { createSafety } from './safety.js'
import { createRouteServer } from './serve-routes.js'
import { traceRequests } from './trace-request.js'

/**
 * The first half of the road of resource-style routes, in the order of its checks; `serve-routes` is
 * the second. It shares with `createHandler` all that is not its own: limits, credentials, execution,
 * masking, traces.
 */
export function createRestHandler<Raw = unknown, Principal = unknown, Context = never>(
  options: RestOptions<Raw, Principal, Context>,
): Handler<Raw> {
  const settings = resolveRestOptions(options)
  const { router, methodOverride } = settings
  const engine = createEngine(settings)
  const surface = createRestSurface(settings, engine, createPlanner(settings, engine))
  const { refuse } = surface
  const gate = createLoadGate(settings)
  const safely = createSafety<undefined>(settings, (refusal) => refuse(refusal))

  const serve = createRouteServer(settings, { engine, surface, gate, safely })

  const handle = (head: RequestHead): Reply =>
    safely<HttpResponse | WantsBody>(head, undefined, () => {
      const broken = checkFraming(head, settings)
      if (broken) return refuse(broken)
      if (head.method === 'OPTIONS') {
        const subject = findSubject(router, head.target)
        return subject.ok ? describeResource(subject.value) : refuse(subject.reason)
      }
      // Credentials are looked up before anything is told of routes, but not by more than can be served.
      const overload = settings.authenticate && gate.check()
      if (overload) return refuse(overload)
      return andThen(gate.during(authenticate(settings, head)), (principal) => {
        if (!principal.ok) return refuse(principal.reason)
        const found = findRoutes(router, head, methodOverride)
        if (!found.ok) return refuse(found.reason)
        const { routes } = found.value
        const known = { ...found.value, head, principal: principal.value }
        const asked = authorize(settings, routes, principal.value, head)
        return andThen(gate.during(asked), (authorization) => serve({ ...known, authorization }))
      })
    })
  return traceRequests(handle)
}
