import type { GraphQLError } from 'graphql'
import { locateError } from '../graphql/errors/locate-error.js'
import type { FieldPlan, Path } from './plan.js'
import type { Run } from './run.js'

/** The error of a field, with its path and its place in the document. */
export function locate(
  run: Run,
  { nodes }: FieldPlan,
  path: Path | undefined,
  error: unknown,
): GraphQLError {
  return locateError(run.plan.graphql, error, nodes, keysOf(path))
}

function keysOf(path: Path | undefined): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at = path; at !== undefined; at = at.prev) keys.push(at.key)
  return keys.toReversed()
}
