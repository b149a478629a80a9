import type { GraphQLError } from 'graphql'

/**
 * The error if it is a GraphQLError of any copy of graphql-js, else undefined. GraphQLErrors are made
 * for clients to see; `instanceof` fails across copies, the tag does not.
 */
export function asShownError(error: unknown): GraphQLError | undefined {
  return error instanceof Error && Object.prototype.toString.call(error) === '[object GraphQLError]'
    ? (error as GraphQLError)
    : undefined
}

/**
 * The error at the bottom: graphql-js wraps every field error, so a resolver's own GraphQLError
 * arrives as the original of another. Undefined where the chain has no end in sight.
 */
export function innermostError(error: GraphQLError): unknown {
  let innermost: unknown = error
  for (let depth = 0; depth < 16; depth++) {
    const original = asShownError(innermost)?.originalError
    if (original === undefined || original === null) return innermost
    innermost = original
  }
  return undefined
}
