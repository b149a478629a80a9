import type { GraphQLError, GraphQLSchema } from 'graphql'
import type { JsonObject } from '../base/json.js'
import { askForHeaders } from '../handler/stages/ask-for-headers.js'
import { checkLength } from '../handler/stages/check-length.js'
import { coerceVariables } from '../graphql/execute/inputs.js'
import type { Engine } from '../graphql/engine.js'
import { formatRequestErrors } from '../graphql/errors/format-errors.js'
import type { GraphQLParams } from '../graphql/execute/params.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Events, Single } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { bringsCredentials } from '../http/storing.js'
import { pathOf, queryOf } from '../http/target.js'
import { andThen } from '../base/promise.js'
import { findFailure } from './find-failure.js'
import { streamRoute } from './route-stream.js'
import type { RootPlace } from './response/root-place.js'
import type { Planner } from './plan/planner.js'
import { problem, problemType, type Problem } from '../http/problem.js'
import { findSent, readVariables } from './read/read-variables.js'
import { toProblem, type RouteRefusal } from './route/route-refusals.js'
import { tagOf, toLocation, toRepresentation, toSuccess } from './response/route-response.js'
import { reportBug } from '../options/report.js'
import type { Exchange } from '../handler/stages/exchange.js'
import { setOperation } from '../handler/stages/operation-stages.js'
import type { Stop, Surface } from '../handler/stages/stage.js'
import type { RestExchange } from './rest-exchange.js'
import type { RoutePlan } from './plan/plan.js'
import type { Route, RouteFacts } from './route/route.js'
import type { PlacedRoute } from './route/router.js'
import type { Streams } from '../streams/streams.js'
import { rootValue } from './response/root-place.js'
import { withCostOfRuns, withVersion } from './try-versions.js'
import type { RestSettings } from './rest-options.js'

/** How routes respond: with the value of the root field, or with a problem. */
export interface RestSurface extends Surface<RestExchange, RouteRefusal> {
  prepare(this: void, exchange: RestExchange): Stop<RouteRefusal> | undefined
  respond(this: void, exchange: RestExchange): HttpResponse | Promise<HttpResponse>
}

export function createRestSurface(
  settings: RestSettings,
  engine: Engine,
  planOf: Planner,
  streams: Streams,
): RestSurface {
  const plannedFor = ({ placed, schema }: RestExchange): RoutePlan =>
    planOf(placed as PlacedRoute, schema as GraphQLSchema)
  const respondWithProblem = (failure: Problem, exchange: Exchange): HttpResponse => {
    const { code, detail } = failure
    exchange.errors = [{ message: detail, extensions: { code } }]
    exchange.hasData = false
    return problem({ ...failure, type: problemType(code, settings.problemBase) })
  }
  const refuse: RestSurface['refuse'] = (refusal, exchange) =>
    respondWithProblem(toProblem(refusal), exchange)
  return {
    refuse,
    reject(error, exchange) {
      if (error.kind === 'source') {
        const errors = error.errors as readonly GraphQLError[]
        const failure = findFailure(errors, exchange, plannedFor(exchange), settings)
        if (failure !== undefined) return respondWithProblem(failure, exchange)
      }
      const [first] = formatRequestErrors(error, settings, exchange)
      const code = first?.extensions?.['code']
      const detail = first?.message ?? 'The request cannot be processed.'
      const shownCode = typeof code === 'string' ? code : 'BAD_USER_INPUT'
      return respondWithProblem({ status: 422, code: shownCode, detail }, exchange)
    },
    prepare: createPrepare(settings, engine, planOf),
    respond(exchange) {
      // Routes are not executed in parts, and read the data.
      const result = exchange.result as Single | Events<Single>
      const plan = plannedFor(exchange)
      if (result.kind === 'events') {
        exchange.hasData = true
        return streamRoute(result, exchange, plan, settings, streams)
      }
      const failure = findFailure(result.errors, exchange, plan, settings)
      if (failure !== undefined) return respondWithProblem(failure, exchange)
      const value = rootValue(result, plan)
      if (value === null) return refuse({ kind: 'absent', message: plan.route.absent }, exchange)
      exchange.hasData = true
      return andThen(
        represent(value, exchange, plan, settings),
        (response) => response ?? refuse({ kind: 'condition-failed' }, exchange),
      )
    },
  }
}

/** From the path, the query and the body to the operation. */
function createPrepare(
  settings: RestSettings,
  engine: Engine,
  planOf: Planner,
): RestSurface['prepare'] {
  return (exchange) => {
    const { head, pathValues, input, precondition } = exchange
    const placed = exchange.placed as PlacedRoute
    const schema = exchange.schema as GraphQLSchema
    const plan = planOf(placed, schema)
    const { document, definition, route } = plan
    exchange.operation = definition
    exchange.rootPlace = placeOf(plan, settings)
    const select = (variables: JsonObject): Operation => {
      const params = toParams(route, definition.name?.value, variables)
      const once = engine.toOperation(schema, document, definition, params)
      const operation = withCostOfRuns(once, precondition.versions)
      setOperation(exchange, operation)
      return operation
    }
    const sent = findSent(plan, input)
    if (
      plan.takesInputObjects &&
      engine.isTooMuchInput(schema, document, definition, sent, precondition.versions.length)
    ) {
      // Checking the values would be the very work that is refused.
      return engine.checkCost(select(sent), exchange)
    }
    const path = new Map(placed.template.names.map((name, at) => [name, pathValues[at] ?? '']))
    const values = { path, query: queryOf(head.target), body: input, sent }
    const read = readVariables(plan, values, settings)
    if (!read.ok) return read.reason
    select(withVersion(read.value, route, precondition.versions[0]))
    return undefined
  }
}

function placeOf({ rootField }: RoutePlan, { execute }: RestSettings): RootPlace {
  return { rootField, isCustom: execute !== undefined }
}

/** The parameters that a GraphQL client would have sent. */
export function toParams(
  { operation }: Route<never>,
  operationName: string | undefined,
  variables: JsonObject | undefined,
): GraphQLParams {
  return { query: operation, operationName, variables, extensions: undefined }
}

function represent(
  value: unknown,
  exchange: RestExchange,
  plan: RoutePlan,
  settings: RestSettings,
): HttpResponse | undefined | Promise<HttpResponse | undefined> {
  const { route } = plan
  const { head, precondition } = exchange
  const report = (mistake: unknown): void => void reportBug(settings, mistake, exchange)
  const { body, version } = toRepresentation(value, plan, report)
  checkLength(body, plan.definition.name?.value, settings)
  const location = toLocation(value, plan, report)
  const facts = factsOf(exchange, settings)
  const own = askForHeaders('headers', () => route.headers?.(value, facts), report)
  const bringsOwn = bringsCredentials(head.headers)
  const isPersonal = settings.isPersonal || bringsOwn
  const isTagged = route.method !== 'DELETE' && (route.status !== 204 || version !== undefined)
  const found = isTagged ? tagOf(body, version, bringsOwn && route.method === 'GET') : undefined
  return andThen(found, (tag) => {
    const attached = { tag, version, location, isPersonal }
    const response = toSuccess(body, attached, plan, head.headers, precondition)
    if (response !== undefined) exchange.routeHeaders = own
    return response
  })
}

function factsOf(
  { ran, contextValue, target }: RestExchange,
  { graphql }: RestSettings,
): RouteFacts<never> {
  let variables: RouteFacts['variables'] | undefined
  return {
    context: contextValue as never,
    target: targetOf(target),
    get variables() {
      return (variables ??= coerceVariables(graphql, ran as Operation))
    },
  }
}

/** Path and query of a target, which may be in absolute form. */
function targetOf(target: string): string {
  const query = queryOf(target)
  return query === '' ? pathOf(target) : `${pathOf(target)}?${query}`
}
