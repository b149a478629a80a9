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
  if (errors.length <= limit.maxFieldErrors && !errors.some(isTooMany)) return result
  const kept = [tooManyErrors(limit), ...errors.slice(0, 1)]
  return { kind: 'single', data: null, errors: kept, extensions: undefined }
}

/** The error of an operation that was stopped. */
export function tooManyErrors({ graphql, maxFieldErrors }: ErrorLimit): GraphQLError {
  const { GraphQLError: Made } = { ...installedGraphQL, ...graphql }
  return new Made(`The operation was stopped because more than ${maxFieldErrors} fields failed.`, {
    extensions: { code },
  })
}

/** A field can fail with this code, too, such as that of a service behind this one; only its own error has an empty path. */
function isTooMany({ extensions, path }: GraphQLError): boolean {
  return extensions?.['code'] === code && path?.length === 0
}

const code = 'TOO_MANY_FIELD_ERRORS'
