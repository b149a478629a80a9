import { checkLength } from './check-length.js'
import type { Engine } from './engine/engine.js'
import { formatFieldErrors, formatRequestErrors } from './engine/format-errors.js'
import type { JsonObject } from './engine/params.js'
import type { Result } from './engine/result.js'
import type { HttpResponse } from './http/message.js'
import { pathOf, queryOf } from './http/target.js'
import type { OperationRequest } from './operation-request.js'
import { failure, success } from './outcome.js'
import { andThen } from './promise.js'
import type { Refusal } from './refusal.js'
import { statusOf, toFailureProblem } from './rest/fail.js'
import type { Planner } from './rest/planner.js'
import type { Precondition } from './rest/precondition.js'
import { problem, problemType, type Problem } from './rest/problem.js'
import { readVariables } from './rest/read-variables.js'
import { toProblem } from './rest/refuse-route.js'
import {
  digestOf,
  toLocation,
  toOwnHeaders,
  toRepresentation,
  toSuccess,
} from './rest/represent.js'
import type { RouteRefusal } from './rest/route-refusal.js'
import type { RoutePlan } from './rest/plan.js'
import type { PlacedRoute } from './rest/router.js'
import { tryVersions, withVersion } from './rest/try-versions.js'
import type { RestSettings } from './rest-options.js'
import type { Exchange, Surface } from './run.js'

/** A request whose route is known. */
interface RestExchange extends Exchange {
  readonly placed: PlacedRoute
  /** What stands in the path, in the order of the template's names. */
  readonly pathValues: readonly string[]
  readonly precondition: Precondition
}

/** The body of a request; undefined where its method has none. */
export type RestInput = JsonObject | undefined

/** The surface of routes, and how it turns a request away before it has come so far. */
export interface RestSurface extends Surface<RestExchange, RestInput> {
  readonly refuse: (refusal: Refusal | RouteRefusal) => HttpResponse
}

/** Answers with the root field's value, or with a problem. */
export function createRestSurface(
  settings: RestSettings,
  engine: Engine,
  planOf: Planner,
): RestSurface {
  const tell = (told: Problem): HttpResponse =>
    problem({ ...told, type: problemType(told.code, settings.problemBase) })
  const refuse = (refusal: Refusal | RouteRefusal): HttpResponse => tell(toProblem(refusal))
  return {
    refuse,
    prepare(schema, body, { head, placed, pathValues, precondition }) {
      const plan = planOf(placed, schema)
      const path = new Map(placed.template.names.map((name, at) => [name, pathValues[at] ?? '']))
      const values = { path, query: queryOf(head.target), body }
      const read = readVariables(plan, values, settings)
      if (!read.ok) return failure(refuse(read.reason))
      const variables = withVersion(read.value, plan.route, precondition.versions[0])
      const { document, definition, route } = plan
      const params = {
        query: route.operation,
        operationName: definition.name?.value,
        variables,
        extensions: undefined,
      }
      return success(engine.toOperation(schema, document, definition, params))
    },
    execute: (operation, input, { placed, precondition: { versions } }) =>
      tryVersions(engine, operation, input, { ...placed, versions }),
    reject(error) {
      const [first] = formatRequestErrors(error, settings)
      const code = first?.extensions?.['code']
      const detail = first?.message ?? 'The request cannot be served.'
      return tell({ status: 422, code: typeof code === 'string' ? code : 'BAD_USER_INPUT', detail })
    },
    respond(result, request, exchange, context) {
      const plan = planOf(exchange.placed, request.schema)
      const told = findFailure(result, request, exchange, plan, settings)
      if (told !== undefined) return tell(told)
      const { data } = result as { data: { readonly [name: string]: unknown } | null }
      const { alias, name } = plan.rootField
      const value = data?.[(alias ?? name).value] ?? null
      if (value === null) return refuse({ kind: 'absent', message: plan.route.absent })
      const answer = represent(value, request, exchange, plan, context, settings)
      return andThen(answer, (response) => response ?? refuse({ kind: 'condition-failed' }))
    },
  }
}

/** Any error is a problem, and one that no client was to see goes before the others. */
function findFailure(
  result: Result,
  request: OperationRequest,
  { precondition }: RestExchange,
  plan: RoutePlan,
  settings: RestSettings,
): Problem | undefined {
  const operationName = request.operation.name?.value
  const errors = formatFieldErrors(result.errors, operationName, settings)
  const [first] = errors
  if (first === undefined) return undefined
  const hiddenAt = errors.findIndex(({ extensions }) => !statusOf(extensions?.['code'], settings))
  if (hiddenAt < 0) {
    const status = statusOf(first.extensions?.['code'], settings) ?? 500
    return toFailureProblem(first, status, plan, precondition.isConditional, settings)
  }
  const hidden = errors[hiddenAt] ?? first
  const code = 'INTERNAL_SERVER_ERROR'
  const detail = settings.maskErrors ? 'Internal server error' : hidden.message
  // What was masked has been reported already, under this id.
  const known = hidden.extensions?.['id']
  if (typeof known === 'string') return { status: 500, code, detail, id: known }
  const id = settings.createId()
  settings.onBug(result.errors[hiddenAt], { id, operationName, path: hidden.path })
  return { status: 500, code, detail, id }
}

function represent(
  value: unknown,
  request: OperationRequest,
  { precondition }: RestExchange,
  plan: RoutePlan,
  context: unknown,
  settings: RestSettings,
): HttpResponse | undefined | Promise<HttpResponse | undefined> {
  const { route } = plan
  const { head, params } = request
  const { body, version } = toRepresentation(value, plan)
  checkLength(body, request.operation.name?.value, settings)
  const facts = {
    variables: params.variables ?? {},
    context: context as never,
    target: targetOf(head.target),
  }
  const location = toLocation(value, plan)
  const own = toOwnHeaders(route.headers?.(value, facts))
  const found = route.method === 'DELETE' ? undefined : (version ?? digestOf(body))
  return andThen(found, (tag) =>
    toSuccess(body, { tag, location, own }, plan, head.headers, precondition),
  )
}

/** Path and query, also of a target that names its host. */
function targetOf(target: string): string {
  const query = queryOf(target)
  return query === '' ? pathOf(target) : `${pathOf(target)}?${query}`
}
