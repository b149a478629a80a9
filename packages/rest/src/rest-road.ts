import type { Denial } from 'graphwire'
import { callApart, isJsonObject, type JsonObject } from 'graphwire/base'
import {
  type ExecutionInput,
  type Operation,
  reportBug,
  checkFraming,
  askDenial,
  asIs,
  checkRun,
  describeStream,
  identify,
  noteOperation,
  receiveJson,
  runWith,
  stop,
  wait,
  type Facts,
  type Road,
  type Stop,
} from 'graphwire/surface/parts'
import { fieldValue, type HttpResponse, type Request, type RequestHead } from 'graphwire/http'
import {
  toOperation,
  toParams,
  tryVersions,
  type PlannedRoute,
  type RouteInput,
} from './planned-route.js'
import type { RoutePlan } from './plan/plan.js'
import { readPrecondition } from './read/precondition.js'
import type { RestSettings } from './rest-options.js'
import type { RestSurface, RestTools } from './rest-surface.js'
import { describeResource, findResource, findRoutes, selectRoute } from './route/find-routes.js'
import { hasBody } from './route/route.js'
import type { RouteRefusal } from './route/route-refusals.js'
import type { PlacedRoute } from './route/router.js'
import { routeStreamFormat, streamRoute } from './route-stream.js'

/** What `around` sees of a response. */
const view = { ...asIs, via: 'route' } as const

type RestRoad<Value> = Road<Value, RouteRefusal | Stop>

/** A request for a resource, from the first check of its head to the response. */
export function* restRoad(
  request: Request,
  surface: RestSurface,
  tools: RestTools,
  facts: Facts,
): RestRoad<HttpResponse> {
  const { settings } = tools
  const { head } = facts
  const faulty = checkFraming(head, settings)
  if (faulty !== undefined) return yield* stop(faulty)

  // The path is matched once, before credentials; the result is revealed only after them.
  facts.at = 'requestLine'
  const resource = findResource(settings.router, head.target)
  if (resource.ok) {
    surface.path = resource.value.value.path
    noteRoute(surface.path, settings, facts)
  }
  if (head.method === 'OPTIONS') {
    // RFC 9110 section 9.3.7: `*` is the server as a whole.
    if (head.target === '*') return describeResource(settings.router.whole)
    return resource.ok ? describeResource(resource.value.value) : yield* stop(resource.reason)
  }
  yield* identify(tools, facts)
  if (!resource.ok) return yield* stop(resource.reason)
  const found = findRoutes(resource.value, head, settings.methodOverride)
  if (!found.ok) return yield* stop(found.reason)
  const routes = found.value
  const denials = yield* authorize(routes, settings, facts)

  let body: JsonObject | undefined
  if (yield* checkContent(routes, tools, facts)) {
    const received = yield* receiveJson(request, tools, facts)
    if ('refused' in received) return received.refused
    if (!isJsonObject(received.json)) return yield* stop({ kind: 'body-no-object' })
    body = received.json
  }
  // Once the body is known, so is the route; then whether the caller may use it.
  const selected = selectRoute(routes, body)
  if (!selected.ok) return yield* stop(selected.reason)
  const denial = denials[routes.indexOf(selected.value)]
  if (denial !== undefined) return yield* stop(denial)
  return yield* runRoute(
    { head, placed: selected.value, pathValues: resource.value.texts, body },
    surface,
    tools,
    facts,
  )
}

/** Asks `authorize` for each route that the request may use. If bodies decide between them, one permitted route is enough. */
function* authorize(
  routes: readonly PlacedRoute[],
  settings: RestSettings,
  { head, principal }: Facts,
): Road<readonly (Denial | undefined)[], Denial> {
  if (settings.authorize === undefined) return []
  const denials: (Denial | undefined)[] = []
  for (const { route } of routes) {
    const asked = { route, principal, head }
    denials.push(yield* askDenial('authorize', settings.authorize, asked, settings))
  }
  const [first] = denials
  return first !== undefined && denials.every(Boolean) ? yield* stop(first) : denials
}

/** Checks the accepted and the sent media types. Returns whether there is a body. */
function* checkContent(
  routes: readonly PlacedRoute[],
  tools: RestTools,
  facts: Facts,
): RestRoad<boolean> {
  const { head } = facts
  facts.at = 'accept'
  const isStream = routes.some(({ route }) => route.stream)
  const accepts = isStream ? tools.acceptsStream : tools.acceptsJson
  if (!accepts(fieldValue(head.headers, 'accept'))) {
    const type = isStream ? 'text/event-stream' : 'application/json'
    return yield* stop({ kind: 'type-not-accepted', type })
  }
  facts.at = 'content'
  if (!routes.some(({ route }) => hasBody(route.method))) return false
  if (isPartialPut(routes, head)) return yield* stop({ kind: 'partial-put' })
  const unfit = tools.checkBody(routes, head)
  return unfit === undefined || (yield* stop(unfit))
}

/** The second half: from the route and its input to the response. */
function* runRoute(
  input: RouteInput,
  surface: RestSurface,
  tools: RestTools,
  facts: Facts,
): RestRoad<HttpResponse> {
  const { settings, engine } = tools
  const { head, placed } = input
  const precondition = readPrecondition(placed.route, head.headers)
  if (!precondition.ok) return yield* stop(precondition.reason)
  facts.params = toParams(placed.route, undefined, undefined)
  const schema = yield* tools.findSchema(facts)
  facts.at = 'prepare'
  const plan = tools.plansOf(schema).get(placed) as RoutePlan
  const isCustom = settings.execute !== undefined
  const planned: PlannedRoute = { plan, precondition: precondition.value, isCustom }
  surface.planned = planned
  facts.operation = plan.definition
  const prepared = toOperation(planned, input, schema, engine, settings)
  if (!prepared.ok) return yield* stop(prepared.reason)
  const operation = prepared.value
  noteOperation(facts, operation)

  facts.at = 'check'
  const refusal = checkRun(operation, tools, facts)
  if (refusal !== undefined) return yield* stop(refusal)
  const start = (asked: ExecutionInput): RestRoad<HttpResponse> =>
    execute(operation, asked, planned, surface, tools, facts)
  return yield* runWith({ operation, view, execute: start }, surface, tools, facts)
}

/** Executes the operation of a route. */
function* execute(
  operation: Operation,
  input: ExecutionInput,
  planned: PlannedRoute,
  surface: RestSurface,
  tools: RestTools,
  facts: Facts,
): RestRoad<HttpResponse> {
  const { engine, starters } = tools
  if (planned.plan.route.stream === true) {
    if (facts.head.method === 'HEAD') return describeStream(routeStreamFormat)
    const started = yield* wait(starters.subscribe(operation, input))
    return started.ok
      ? streamRoute(started.value, facts, planned, tools)
      : yield* stop(started.reason)
  }
  const { executed, ran } = yield* tryVersions(engine, operation, input, planned)
  if (!executed.ok) return yield* stop(executed.reason)
  facts.result = executed.value
  facts.at = 'respond'
  return yield* wait(surface.respond(executed.value, planned, ran, input.contextValue))
}

function isPartialPut(routes: readonly PlacedRoute[], { headers }: RequestHead): boolean {
  return routes[0]?.route.method === 'PUT' && fieldValue(headers, 'content-range') !== undefined
}

/** Calls `onRoute`. */
function noteRoute(path: string, settings: RestSettings, facts: Facts): void {
  callApart(
    () => settings.onRoute?.(path, facts.head),
    (bug) => void reportBug(settings, bug, facts),
  )
}
