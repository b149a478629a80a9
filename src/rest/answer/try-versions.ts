import type { FieldNode, GraphQLError, GraphQLFormattedError } from 'graphql'
import type { JsonObject } from '../../base/json.js'
import type { Engine } from '../../graphql/engine.js'
import type { Executed, ExecutionInput } from '../../graphql/execute/execute.js'
import type { Operation } from '../../graphql/execute/operation.js'
import { costOfRuns } from '../../graphql/limits/cost/coercion-cost.js'
import { andThen } from '../../base/promise.js'
import type { Precondition } from '../read/precondition.js'
import type { RestExchange } from '../rest-exchange.js'
import type { Route } from '../route/route.js'
import type { PlacedRoute } from '../route/router.js'

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
    if (others.length === 0 || !isConflict(executed, exchange.rootField)) return executed
    input.cancellation.throwIfAborted()
    return tryVersions(engine, operation, input, exchange, others)
  })
}

function isConflict(executed: Executed, rootField: FieldNode | undefined): boolean {
  return executed.ok && executed.value.errors.some((error) => isRootConflict(error, rootField))
}

/**
 * Whether an error says that nothing was written: a conflict of the root field itself. One in a nested field
 * may come after the write. A resolver may also pass on an error of another execution, which keeps the path
 * and the nodes that it has there.
 */
export function isRootConflict(
  { extensions, path, nodes }: GraphQLError,
  rootField: FieldNode | undefined,
): boolean {
  // Errors of custom executors may lack any of these.
  const { code } = (extensions as GraphQLFormattedError['extensions']) ?? {}
  if (code !== 'CONFLICT' || path?.length !== 1 || rootField === undefined) return false
  return nodes === undefined || nodes.includes(rootField)
}
