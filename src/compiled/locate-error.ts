import type { GraphQLError } from 'graphql'
import { keysOf, locateError } from '../graphql/errors/locate-error.js'
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
