import type { GraphQLError, GraphQLFormattedError, GraphQLSchema } from 'graphql'
import type { JsonObject } from '../base/json.js'
import { askForHeaders } from '../handler/stages/ask-for-headers.js'
import { checkLength } from '../handler/stages/check-length.js'
import { coerceVariables } from '../graphql/execute/inputs.js'
import type { Engine } from '../graphql/engine.js'
import {
  formatFieldErrors,
  formatRequestErrors,
  isMasked,
} from '../graphql/errors/format-errors.js'
import type { GraphQLParams } from '../graphql/execute/params.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Result } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { bringsCredentials } from '../http/storing.js'
import { pathOf, queryOf } from '../http/target.js'
import { andThen } from '../base/promise.js'
import { statusOf, toFailureProblem } from './answer/route-response.js'
import { isOfRootField, type RootPlace } from './answer/root-place.js'
import type { Planner } from './plan/planner.js'
import { problem, problemType, type Problem } from '../http/problem.js'
import { findSent, readVariables } from './read/read-variables.js'
import { toProblem, type RouteRefusal } from './route/route-refusals.js'
import { tagOf, toLocation, toRepresentation, toSuccess } from './answer/route-response.js'
import { reportBug } from '../options/report.js'
import type { Exchange } from '../handler/stages/exchange.js'
import { setOperation } from '../handler/stages/operation-stages.js'
import type { Stop, Surface } from '../handler/stages/stage.js'
import type { RestExchange } from './rest-exchange.js'
import type { RoutePlan } from './plan/plan.js'
import type { Route, RouteFacts } from './route/route.js'
import type { PlacedRoute } from './route/router.js'
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
): RestSurface {
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
      const [first] = formatRequestErrors(error, settings, exchange)
      const code = first?.extensions?.['code']
      const detail = first?.message ?? 'The request cannot be processed.'
      const shownCode = typeof code === 'string' ? code : 'BAD_USER_INPUT'
      return respondWithProblem({ status: 422, code: shownCode, detail }, exchange)
    },
    prepare: createPrepare(settings, engine, planOf),
    respond(exchange) {
      const result = exchange.result as Result
      const plan = planOf(exchange.placed as PlacedRoute, exchange.schema as GraphQLSchema)
      const failure = findFailure(result, exchange, plan, settings)
      if (failure !== undefined) return respondWithProblem(failure, exchange)
      const { data } = result as { data: { readonly [name: string]: unknown } | null }
      const { alias, name } = plan.rootField
      const value = data?.[(alias ?? name).value] ?? null
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

/**
 * Any error becomes a problem; masked errors take precedence. Each masked error is reported once, all of
 * them under the one id that the client sees.
 */
function findFailure(
  result: Result,
  exchange: RestExchange,
  plan: RoutePlan,
  settings: RestSettings,
): Problem | undefined {
  if (result.errors.length === 0) return undefined
  const operationName = plan.definition.name?.value
  let id: string | undefined
  const createId = (): string => (id ??= settings.createId(exchange))
  const withSharedId = { ...settings, createId }
  const errors = formatFieldErrors(result.errors, operationName, withSharedId, exchange)
  const [first] = errors as [GraphQLFormattedError]
  let hidden: GraphQLFormattedError | undefined
  for (const [at, error] of result.errors.entries()) {
    const shown = errors[at] ?? first
    if (statusOf(shown.extensions?.['code'], settings) !== undefined) continue
    hidden ??= shown
    // Masked errors were reported when they were formatted.
    if (isMasked(error, settings)) continue
    settings.onBug(error, { id: createId(), operationName, path: shown.path }, exchange)
  }
  if (hidden === undefined) {
    const code = first.extensions?.['code']
    const failsCondition =
      code === 'CONFLICT' &&
      exchange.precondition.isConditional &&
      isOfRootField(result.errors[0] as GraphQLError, exchange.rootPlace as RootPlace)
    const status = failsCondition ? 412 : (statusOf(code, settings) ?? 500)
    const failure = toFailureProblem(first, status, plan, settings)
    return id === undefined ? failure : { ...failure, id }
  }
  const detail = settings.maskErrors ? 'Internal server error' : hidden.message
  return { status: 500, code: 'INTERNAL_SERVER_ERROR', detail, id: createId() }
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
