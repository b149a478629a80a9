import type { GraphQLError } from 'graphql'
import { installedGraphQL, type GraphQLModule } from '../js/graphql.js'
import type { Single, Whole } from './result.js'

/** How many fields of an operation may fail. */
export interface ErrorLimit {
  readonly graphql: GraphQLModule
  readonly maxFieldErrors: number
}

/** The result, unless too many fields failed: each error takes as long as a hundred fields. The first is kept, so that a bug is reported. */
export function limitErrors<Out extends Whole>(result: Out, limit: ErrorLimit): Out | Single {
  const { errors } = result
  const stop = errors.find((error) => firstOf.has(error))
  if (errors.length <= limit.maxFieldErrors && stop === undefined) return result
  const first = errors.find((error) => !firstOf.has(error)) ?? (stop && firstOf.get(stop))
  const kept = [tooManyErrors(limit), ...(first === undefined ? [] : [first])]
  return { kind: 'single', data: null, errors: kept, extensions: undefined }
}

/** The errors that have stopped executions, with the first that occurred. */
const firstOf = new WeakMap<GraphQLError, GraphQLError | undefined>()

/** The error of an operation that was stopped. Has a path, so that graphql-js takes it as it is. */
export function stopError(limit: ErrorLimit, first: GraphQLError | undefined): GraphQLError {
  const stop = Object.assign(tooManyErrors(limit), { path: [] })
  firstOf.set(stop, first)
  return stop
}

function tooManyErrors({ graphql, maxFieldErrors }: ErrorLimit): GraphQLError {
  const { GraphQLError: Made } = { ...installedGraphQL, ...graphql }
  return new Made(`The operation was stopped because more than ${maxFieldErrors} fields failed.`, {
    extensions: { code: 'TOO_MANY_FIELD_ERRORS' },
  })
}
