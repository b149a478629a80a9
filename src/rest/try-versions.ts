import type { GraphQLFormattedError } from 'graphql'
import type { JsonObject } from '../base/json.js'
import type { Engine } from '../graphql/engine.js'
import type { ExecutionInput } from '../graphql/execute/arguments.js'
import type { Executed } from '../graphql/execute/execute.js'
import type { Operation } from '../graphql/execute/operation.js'
import { costOfRuns } from '../graphql/limits/cost/coercion-cost.js'
import { andThen } from '../base/promise.js'
import type { Precondition } from './read/precondition.js'
import { isOfRootField, type RootPlace } from './response/root-place.js'
import type { RestExchange } from './rest-exchange.js'
import type { Route } from './route/route.js'
import type { PlacedRoute } from './route/router.js'

/** The variables, with the version that the request requires if it does. */
export function withVersion(
  variables: JsonObject,
  { ifMatch }: Route<never>,
  version: number | undefined,
): JsonObject {
  if (ifMatch === undefined || version === undefined) return variables
  return { ...variables, [ifMatch]: version }
}

/** Each version is a run, which coerces the variables anew. Nothing else is done before a conflict. */
export function withCostOfRuns(
  operation: Operation,
  { length }: Precondition['versions'],
): Operation {
  if (length < 2) return operation
  const { costs, params } = operation
  const coercion = costOfRuns(costs.coercion, params.variables, length)
  const cost = costs.cost - costs.coercion + coercion
  return { ...operation, costs: { ...costs, coercion, cost } }
}

/**
 * Runs the operation with one version after the other, as long as the root field reports a conflict, and so
 * has written nothing.
 */
export function tryVersions(
  engine: Engine,
  operation: Operation,
  input: ExecutionInput,
  exchange: RestExchange,
  [version, ...others]: Precondition['versions'] = exchange.precondition.versions,
): Executed | Promise<Executed> {
  const { route } = exchange.placed as PlacedRoute
  const variables = withVersion(operation.params.variables ?? {}, route, version)
  const attempt = { ...operation, params: { ...operation.params, variables } }
  exchange.ran = attempt
  return andThen(engine.execute(attempt, input), (executed) => {
    if (others.length === 0 || !isConflict(executed, exchange.rootPlace)) return executed
    input.cancellation.throwIfAborted()
    return tryVersions(engine, operation, input, exchange, others)
  })
}

/** A conflict of the root field says that nothing was written; one in a nested field may come after the write. */
function isConflict(executed: Executed, place: RootPlace | undefined): boolean {
  if (!executed.ok || place === undefined) return false
  return executed.value.errors.some((error) => {
    // Errors of custom executors may lack extensions.
    const { code } = (error.extensions as GraphQLFormattedError['extensions']) ?? {}
    return code === 'CONFLICT' && isOfRootField(error, place)
  })
}
