import type { GraphQLFormattedError } from 'graphql'
import type { Engine } from '../graphql/engine.js'
import type { ExecutionInput } from '../graphql/execute/arguments.js'
import type { Executed } from '../graphql/execute/execute.js'
import type { Operation } from '../graphql/execute/operation.js'
import { wait, type Road } from '../handler/road/road.js'
import { withVersion, type PlannedRoute } from './planned-route.js'
import { isOfRootField, type RootPlace } from './response/root-place.js'

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
  { plan, precondition, rootPlace }: PlannedRoute,
): Road<Tried, never> {
  const [first, ...others] = precondition.versions
  let tried = yield* tryVersion(first)
  for (const version of others) {
    if (!isConflict(tried.executed, rootPlace)) break
    tried = yield* tryVersion(version)
  }
  return tried

  function* tryVersion(version: number | undefined): Road<Tried, never> {
    const variables = withVersion(operation.params.variables ?? {}, plan.route, version)
    const ran = { ...operation, params: { ...operation.params, variables } }
    return { executed: yield* wait(engine.execute(ran, input)), ran }
  }
}

/** A conflict of the root field says that nothing was written; one in a nested field may come after the write. */
function isConflict(executed: Executed, place: RootPlace): boolean {
  if (!executed.ok) return false
  return executed.value.errors.some((error) => {
    // Errors of custom executors may lack extensions.
    const { code } = (error.extensions as GraphQLFormattedError['extensions']) ?? {}
    return code === 'CONFLICT' && isOfRootField(error, place)
  })
}
