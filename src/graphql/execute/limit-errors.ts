import { installedGraphQL, type GraphQLModule } from '../js/graphql.js'
import type { Single, Whole } from './result.js'

/** How many fields of an operation may fail. */
export interface ErrorLimit {
  readonly graphql: GraphQLModule
  readonly maxFieldErrors: number
}

/** The result, unless too many fields failed: each error takes as long as a hundred fields. The first is kept, so that a bug is reported. */
export function limitErrors<Out extends Whole>(
  result: Out,
  { graphql, maxFieldErrors }: ErrorLimit,
): Out | Single {
  const { errors } = result
  if (errors.length <= maxFieldErrors) return result
  const { GraphQLError } = { ...installedGraphQL, ...graphql }
  const message = `The operation was stopped because more than ${maxFieldErrors} fields failed.`
  const stop = new GraphQLError(message, { extensions: { code: 'TOO_MANY_FIELD_ERRORS' } })
  const kept = [stop, ...errors.slice(0, 1)]
  return { kind: 'single', data: null, errors: kept, extensions: undefined }
}
