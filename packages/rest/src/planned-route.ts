import type { GraphQLError, GraphQLFormattedError, GraphQLSchema } from 'graphql'
import { type JsonObject, failure, success, type Outcome } from 'graphwire/base'
import {
  type Engine,
  type ExecutionInput,
  type Executed,
  wait,
  type Road,
  type RequestError,
  type Operation,
} from 'graphwire/surface/parts'
import type { GraphQLParams } from 'graphwire'
import { type RequestHead, queryOf } from 'graphwire/http'
import type { RoutePlan } from './plan/plan.js'
import type { Precondition } from './read/precondition.js'
import { findSent, readVariables } from './read/read-variables.js'
import type { RestSettings } from './rest-options.js'
import type { Route } from './route/route.js'
import type { RouteRefusal } from './route/route-refusals.js'
import type { PlacedRoute } from './route/router.js'

/** The route of a request, and how it is executed and answered. */
export interface PlannedRoute {
  readonly plan: RoutePlan
  readonly precondition: Precondition
  /** Whether a custom executor runs it. */
  readonly isCustom: boolean
}

/** The input of a request for its route. */
export interface RouteInput {
  readonly head: RequestHead
  readonly placed: PlacedRoute
  /** The values in the path, in the order of the template's names. */
  readonly pathValues: readonly string[]
  /** The body, or undefined if the method has none. */
  readonly body: JsonObject | undefined
}

/** From the path, the query and the body to the operation. */
export function toOperation(
  { plan, precondition }: PlannedRoute,
  { head, placed, pathValues, body }: RouteInput,
  schema: GraphQLSchema,
  engine: Engine,
  settings: RestSettings,
): Outcome<Operation, RouteRefusal | RequestError> {
  const { document, definition, route } = plan
  const { versions } = precondition
  const select = (variables: JsonObject): Operation => {
    const params = toParams(route, definition.name?.value, variables)
    return withCostOfRuns(engine.toOperation(schema, document, definition, params), versions)
  }
  const sent = findSent(plan, body)
  if (
    plan.takesInputObjects &&
    engine.isTooMuchInput(schema, document, definition, sent, versions.length)
  ) {
    // Checking the values would be the very work that the check of the cost refuses.
    return success(select(sent))
  }
  const path = new Map(placed.template.names.map((name, at) => [name, pathValues[at] ?? '']))
  const query = new URLSearchParams(queryOf(head.target))
  const read = readVariables(plan, { path, query, body, sent }, settings)
  return read.ok
    ? success(select(withVersion(read.value, route, versions[0])))
    : failure(read.reason)
}

/** The parameters that a GraphQL client would have sent. */
export function toParams(
  { operation }: Route<never>,
  operationName: string | undefined,
  variables: JsonObject | undefined,
): GraphQLParams {
  return { query: operation, operationName, variables, extensions: undefined }
}

/** The variables, with the version that the request requires if it does. */
function withVersion(
  variables: JsonObject,
  { ifMatch }: Route<never>,
  version: Precondition['versions'][number],
): JsonObject {
  if (ifMatch === undefined || version === undefined) return variables
  return { ...variables, [ifMatch]: version }
}

/** Each version is a run, which coerces the variables anew. Nothing else is done before a conflict. */
function withCostOfRuns(operation: Operation, { length }: Precondition['versions']): Operation {
  if (length < 2) return operation
  const { costs } = operation
  const cost = costs.cost + costs.coercion * (length - 1)
  return { ...operation, costs: { ...costs, coercion: costs.coercion * length, cost } }
}

/** A result, and the operation as it ran last. */
interface Tried {
  readonly executed: Executed
  readonly ran: Operation
}

/**
 * Runs the operation with one version after the other, as long as the root field reports a conflict, and so
 * has written nothing.
 */
export function* tryVersions(
  engine: Engine,
  operation: Operation,
  input: ExecutionInput,
  planned: PlannedRoute,
): Road<Tried, never> {
  const [first, ...others] = planned.precondition.versions
  let tried = yield* tryVersion(first)
  for (const version of others) {
    if (!isConflict(tried.executed, planned)) break
    tried = yield* tryVersion(version)
  }
  return tried

  function* tryVersion(version: Precondition['versions'][number]): Road<Tried, never> {
    const variables = withVersion(operation.params.variables ?? {}, planned.plan.route, version)
    const ran = { ...operation, params: { ...operation.params, variables } }
    return { executed: yield* wait(engine.execute(ran, input)), ran }
  }
}

/** A conflict of the root field says that nothing was written; one in a nested field may come after the write. */
function isConflict(executed: Executed, planned: PlannedRoute): boolean {
  if (!executed.ok) return false
  return executed.value.errors.some((error) => {
    // Errors of custom executors may lack extensions.
    const { code } = (error.extensions as GraphQLFormattedError['extensions']) ?? {}
    return code === 'CONFLICT' && isOfRootField(error, planned)
  })
}

/**
 * Whether an error is that of the root field. A nested resolver may pass on an error of another execution,
 * whose path is that of a root field there; then its nodes are others, or none if it came as JSON. Errors
 * of custom executors may have no nodes, and the nodes of a document that they have transformed are copies.
 */
export function isOfRootField(
  { path, nodes }: GraphQLError,
  { plan: { rootField }, isCustom }: PlannedRoute,
): boolean {
  const { alias, name, loc } = rootField
  if (path?.length !== 1 || path[0] !== (alias ?? name).value) return false
  if (nodes === undefined) return isCustom
  return nodes.some(
    (node) =>
      node === rootField ||
      (loc !== undefined && node.loc?.source === loc.source && node.loc.start === loc.start),
  )
}
