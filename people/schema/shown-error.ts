import { GraphQLError } from 'graphql'
import type { Denial } from 'graphwire'

/** An argument names somebody who is not there. */
export function notFound(argument: string, message: string): GraphQLError {
  const errors = [{ path: [argument], message }]
  return new GraphQLError(message, { extensions: { code: 'NOT_FOUND', errors } })
}

/** Another write came first; `version` is that of the person now, where there still is one. */
export function conflict(version: number | undefined): GraphQLError {
  const message =
    version === undefined
      ? 'The person has just been deleted.'
      : `The person is at version ${version}, not at the one that was expected.`
  return new GraphQLError(message, {
    extensions: { code: 'CONFLICT', ...(version !== undefined && { version }) },
  })
}

/** The database is away. */
export function unavailable(): GraphQLError {
  const message = 'The database cannot be reached now. Try again in a moment.'
  return new GraphQLError(message, { extensions: { code: 'UNAVAILABLE', retryAfter: 1 } })
}

/** The principal may not do this. */
export function denied({ kind, message }: Denial): GraphQLError {
  const code = kind === 'unauthenticated' ? 'UNAUTHENTICATED' : 'FORBIDDEN'
  return new GraphQLError(message ?? 'This may not be done.', { extensions: { code } })
}
