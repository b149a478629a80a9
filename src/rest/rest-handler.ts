import { isJsonObject } from '../base/json.js'
import { failure, type Outcome } from '../base/outcome.js'
import { andThen, isPromise } from '../base/promise.js'
import { createRunner } from '../handler/runner.js'
import { callHook } from '../handler/stages/call-hook.js'
import { checkDenial } from '../handler/stages/check-denial.js'
import { createSurround } from '../handler/stages/around.js'
import { createCredentials } from '../handler/stages/credentials.js'
import { createOperationStages } from '../handler/stages/operation-stages.js'
import { createRoomCheck, createServices, type Services } from '../handler/stages/run-operation.js'
import { describeStream } from '../handler/stages/stream-response.js'
import { Streams } from '../streams/streams.js'
import { routeStreamFormat } from './route-stream.js'
import { inOrder, type Stages, type Stop } from '../handler/stages/stage.js'
import { createClock } from '../handler/stages/finish.js'
import { describeExchange } from '../handler/describe-exchange.js'
import { traceExchanges } from '../handler/trace-request.js'
import { fieldValue, type Handler, type ParsedJson } from '../http/message.js'
import type { Refusal } from '../over-http/refusal.js'
import { checkFraming, checkOperation } from '../over-http/request/check-head.js'
import { readJsonBody } from '../over-http/request/read-body.js'
import type { Operation } from '../graphql/execute/operation.js'
import { tryVersions } from './try-versions.js'
import { createPlanner } from './plan/planner.js'
import { createBodyCheck, createAcceptCheck } from './route/accepted-types.js'
import { readPrecondition } from './read/precondition.js'
import { beginRestExchange, type RestExchange, type RestStage } from './rest-exchange.js'
import {
  resolveRestOptions,
  restShape,
  type RestOptions,
  type RestSettings,
} from './rest-options.js'
import { reportBug } from '../options/report.js'
import { createRestSurface, toParams, type RestSurface } from './rest-surface.js'
import {
  describeResource,
  findResource,
  findRoutes,
  selectRoute,
  type NoRoute,
} from './route/find-routes.js'
import { hasBody } from './route/has-body.js'
import type { RouteRefusal } from './route/route-refusals.js'
import type { Match } from './route/router.js'
import { checkOptions } from '../shapes/shape.js'

/**
 * Makes the handler of resource-style routes. It has the same limits, credentials, execution, masking and
 * traces as `createHandler`.
 */
export function createRestHandler<Raw = unknown, Principal = unknown, Context = never>(
  options: RestOptions<Raw, Principal, Context>,
): Handler<Raw> {
  checkOptions('createRestHandler', options, restShape)
  const settings = resolveRestOptions(options)
  const streams = new Streams(settings)
  const services = createServices(settings, streams)
  const { engine, gate } = services
  const surface = createRestSurface(settings, engine, createPlanner(settings, engine), streams)
  const stages = listStages(settings, services, surface)
  const now = createClock(settings)
  return traceExchanges({
    begin: (head) => beginRestExchange(head, now()),
    run: createRunner(settings, { stages, surface, gate }),
    describe(facts, exchange) {
      describeExchange(facts, exchange, engine)
      facts.route = exchange.resource?.ok ? exchange.resource.value.value.path : undefined
      facts.isTrusted = exchange.operation === undefined ? undefined : true
      facts.execution = undefined
    },
  })
}

/** All stages of a request for a resource, in order. */
function listStages(
  settings: RestSettings,
  { engine, starters, gate, streams }: Services,
  surface: RestSurface,
): Stages<RestExchange, RouteRefusal> {
  const checkRoom = createRoomCheck(settings, streams)
  const operation = [
    select,
    ...inOrder(
      createOperationStages<RestExchange, RouteRefusal>(settings, engine, {
        prepare: surface.prepare,
        check: ({ head, prepared }) =>
          checkOperation(head.method, prepared as Operation, undefined) ??
          checkRoom(prepared as Operation, head, true),
        execute(prepared, input, exchange) {
          if (exchange.placed?.route.stream !== true) {
            return tryVersions(engine, prepared, input, exchange)
          }
          if (exchange.head.method === 'HEAD') return failure(describeStream(routeStreamFormat))
          return starters.subscribe(prepared, input)
        },
        respond: surface.respond,
        surround: createSurround(settings, surface),
      }),
    ),
  ]
  return {
    head: [
      ({ head }) => checkFraming(head, settings),
      createResourceStage(settings),
      (exchange) => describe(exchange, settings),
      // Credentials are checked before the response reveals anything about routes, but after the load gate.
      ...(settings.authenticate || settings.authorize ? [gate.check] : []),
      createCredentials(settings),
      createRouteStage(settings),
      createAuthorization(settings),
      createAcceptStage(),
      createContentStage(settings),
      gate.check,
    ],
    // More requests may have arrived while the body was being read.
    body: [gate.check, createBodyStage(settings), ...operation],
    url: operation,
  }
}

/** The path is matched once, before credentials; the result is revealed only after them. */
function createResourceStage(settings: RestSettings): RestStage {
  const { router, onRoute } = settings
  return (exchange) => {
    const found = findResource(router, exchange.head.target)
    exchange.resource = found
    if (found.ok && onRoute !== undefined) {
      const failed = (bug: unknown): void => void reportBug(settings, bug, exchange)
      try {
        const returned: unknown = onRoute(found.value.value.path, exchange.head)
        if (isPromise(returned)) Promise.resolve(returned).then(undefined, failed)
      } catch (bug) {
        failed(bug)
      }
    }
    return undefined
  }
}

function describe(
  { head: { method, target }, resource }: RestExchange,
  { router }: RestSettings,
): Stop<RouteRefusal> | undefined {
  if (method !== 'OPTIONS') return undefined
  // RFC 9110 section 9.3.7: `*` is all of the server.
  if (target === '*') return describeResource(router.whole)
  const found = resource as Outcome<Match, NoRoute>
  return found.ok ? describeResource(found.value.value) : found.reason
}

function createRouteStage({ methodOverride }: RestSettings): RestStage {
  return (exchange) => {
    const resource = exchange.resource as Outcome<Match, NoRoute>
    if (!resource.ok) return resource.reason
    const found = findRoutes(resource.value, exchange.head, methodOverride)
    if (!found.ok) return found.reason
    exchange.routes = found.value.routes
    exchange.pathValues = found.value.pathValues
    exchange.hasBody = exchange.routes.some(({ route }) => hasBody(route.method))
    return undefined
  }
}

function createAcceptStage(): RestStage {
  const acceptsJson = createAcceptCheck('application', 'json')
  const acceptsStream = createAcceptCheck('text', 'event-stream')
  return ({ head, routes }) => {
    const isStream = routes.some(({ route }) => route.stream)
    const accepts = isStream ? acceptsStream : acceptsJson
    if (accepts(fieldValue(head.headers, 'accept'))) return undefined
    const type = isStream ? 'text/event-stream' : 'application/json'
    return { kind: 'type-not-accepted', type }
  }
}

function createContentStage(settings: RestSettings): RestStage {
  const checkBody = createBodyCheck(settings)
  return (exchange) => {
    const { head, routes } = exchange
    if (!exchange.hasBody) return undefined
    const isPart =
      routes[0]?.route.method === 'PUT' && fieldValue(head.headers, 'content-range') !== undefined
    return isPart ? { kind: 'partial-put' } : checkBody(routes, head)
  }
}

function createBodyStage(settings: RestSettings): RestStage {
  return (exchange) => {
    const json = readJsonBody(
      exchange.body as Uint8Array | ParsedJson,
      exchange.head.headers,
      settings,
    )
    return andThen(json, (read): Stop<RouteRefusal> | undefined => {
      if (!read.ok) return read.reason
      if (!isJsonObject(read.value)) return { kind: 'body-no-object' }
      exchange.input = read.value
      return undefined
    })
  }
}

/** Once the body is known, so is the route; then whether the caller may use it, and on which condition. */
function select(exchange: RestExchange): Stop<RouteRefusal> | undefined {
  const { routes, denials, input, head } = exchange
  const selected = selectRoute(routes, input)
  if (!selected.ok) return selected.reason
  const denial = denials[routes.indexOf(selected.value)]
  if (denial !== undefined) return denial
  const { route } = selected.value
  const precondition = readPrecondition(route, head.headers)
  if (!precondition.ok) return precondition.reason
  exchange.placed = selected.value
  exchange.precondition = precondition.value
  exchange.params = toParams(route, undefined, undefined)
  return undefined
}

/** Calls `authorize` for each route that the request may use. */
function createAuthorization(settings: RestSettings): RestStage {
  const { authorize } = settings
  if (authorize === undefined) return () => undefined
  return (exchange) => {
    const { head, principal, routes } = exchange
    const decisions = routes.map(({ route }) => {
      // If one call throws, the promises of the others must be awaited first, or their rejections would be
      // unhandled.
      try {
        return callHook(authorize, { route, principal, head }, settings, toRefusal)
      } catch (bug) {
        return Promise.reject(bug)
      }
    })
    if (!decisions.some(isPromise)) return take(decisions as RestExchange['denials'], exchange)
    return Promise.all(decisions.map(async (decision) => decision)).then((late) =>
      take(late, exchange),
    )
  }
}

function toRefusal(denial: unknown): Refusal | undefined {
  return denial === undefined ? undefined : checkDenial(denial, 'authorize')
}

/** If bodies decide between routes, one permitted route is enough to continue. */
function take(denials: RestExchange['denials'], exchange: RestExchange): Refusal | undefined {
  exchange.denials = denials
  return denials.every(Boolean) ? denials[0] : undefined
}
