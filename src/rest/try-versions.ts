import type { Engine } from '../engine/engine.js'
import type { Executed, ExecutionInput } from '../engine/execute.js'
import type { JsonObject } from '../engine/params.js'
import type { Operation } from '../engine/prepare.js'
import { andThen } from '../promise.js'
import type { Precondition } from './precondition.js'
import type { Route } from './route.js'

/** The variables with the version that the request demands, if it does. */
export function withVersion(
  variables: JsonObject,
  { ifMatch }: Route<never>,
  version: number | undefined,
): JsonObject {
  if (ifMatch === undefined || version === undefined) return variables
  return { ...variables, [ifMatch]: version }
}

interface Attempts extends Pick<Precondition, 'versions'> {
  readonly route: Route<never>
}

/** Runs the operation with one version after the other while the root field says that it has not written. */
export function tryVersions(
  engine: Engine,
  operation: Operation,
  input: ExecutionInput,
  { route, versions: [version, ...others] }: Attempts,
): Executed | Promise<Executed> {
  const variables = withVersion(operation.params.variables ?? {}, route, version)
  const attempt = { ...operation, params: { ...operation.params, variables } }
  return andThen(engine.execute(attempt, input), (executed) => {
    if (others.length === 0 || !isConflict(executed)) return executed
    input.cancellation.throwIfAborted()
    return tryVersions(engine, operation, input, { route, versions: others })
  })
}

/** A conflict further down may come after the write. */
function isConflict(executed: Executed): boolean {
  if (!executed.ok) return false
  return executed.value.errors.some(
    ({ extensions, path }) => extensions['code'] === 'CONFLICT' && path?.length === 1,
  )
}
