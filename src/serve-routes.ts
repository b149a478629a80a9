import type { Authorization } from './authorize.js'
import type { Engine } from './engine/engine.js'
import type { JsonObject } from './engine/params.js'
import {
  fieldValue,
  type Answer,
  type HttpResponse,
  type ParsedJson,
  type RequestHead,
  type WantsBody,
} from './http/message.js'
import type { LoadGate } from './load-gate.js'
import { success } from './outcome.js'
import { andThen } from './promise.js'
import { readJsonBody } from './request/read-json-body.js'
import { createAcceptCheck } from './rest/accepted-types.js'
import { createBodyCheck } from './rest/check-content.js'
import type { FoundRoutes } from './rest/find-routes.js'
import { hasBody } from './rest/has-body.js'
import { readPrecondition } from './rest/precondition.js'
import { selectRoute } from './rest/select-route.js'
import type { RestSettings } from './rest-options.js'
import type { RestInput, RestSurface } from './rest-surface.js'
import { createRunner } from './run.js'
import type { Safely } from './safety.js'

/** A request whose routes are found, and what each says of its sender. */
export interface Known extends FoundRoutes {
  readonly head: RequestHead
  readonly principal: unknown
  readonly authorization: Authorization
}

/** What the second half of the road is made of. */
interface Stages {
  readonly engine: Engine
  readonly surface: RestSurface
  readonly gate: LoadGate
  readonly safely: Safely<undefined>
}

/** Makes the second half of the road: from routes that a sender is known to, to the answer. */
export function createRouteServer(
  settings: RestSettings,
  { engine, surface, gate, safely }: Stages,
): (known: Known) => Answer | WantsBody {
  const { refuse } = surface
  const run = createRunner(settings, gate, engine, surface)
  const acceptsAnswers = createAcceptCheck()
  const checkBody = createBodyCheck(settings)

  /** With the body known, so is the route. */
  const start = (known: Known, body: RestInput): Answer => {
    const { head, principal, pathValues, routes, authorization } = known
    const selected = selectRoute(routes, body)
    if (!selected.ok) return refuse(selected.reason)
    const denial = authorization[routes.indexOf(selected.value)]
    if (denial !== undefined) return refuse(denial)
    const precondition = readPrecondition(selected.value.route, head.headers)
    if (!precondition.ok) return refuse(precondition.reason)
    const exchange = { head, principal, pathValues, placed: selected.value }
    return run({ ...exchange, precondition: precondition.value }, success(body))
  }

  const readBody = (known: Known, bytes: Uint8Array | ParsedJson): Answer => {
    // Many may have come while the body was on its way.
    const overload = gate.check()
    if (overload) return refuse(overload)
    const { headers } = known.head
    return andThen(gate.during(readJsonBody(bytes, headers, settings)), (json) => {
      if (!json.ok) return refuse(json.reason)
      if (!isObject(json.value)) return refuse({ kind: 'body-no-object' })
      return start(known, json.value)
    })
  }

  return (known) => {
    const { head, routes, authorization } = known
    // Where routes are told apart by their bodies, one that may be used keeps the request alive.
    const [denial] = authorization
    if (denial !== undefined && authorization.every(Boolean)) return refuse(denial)
    if (!acceptsAnswers(fieldValue(head.headers, 'accept'))) {
      return refuse({ kind: 'type-not-accepted' })
    }
    const wantsBody = routes.some(({ route }) => hasBody(route.method))
    const unwanted = wantsBody ? checkBody(routes, head) : undefined
    if (unwanted) return refuse(unwanted)
    const overload = gate.check()
    if (overload) return refuse(overload)
    if (!wantsBody) return start(known, undefined)
    return {
      maxBytes: settings.maxBodyBytes,
      proceed: (bytes) => safely<HttpResponse>(head, undefined, () => readBody(known, bytes)),
    }
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
