import type { GraphQLError } from 'graphql'

/**
 * Returns the error if it is a GraphQLError of any copy of graphql-js, else undefined. GraphQLErrors are
 * meant for clients; `instanceof` fails across copies, so the tag is checked.
 */
export function asShownError(error: unknown): GraphQLError | undefined {
  return error instanceof Error && Object.prototype.toString.call(error) === '[object GraphQLError]'
    ? (error as GraphQLError)
    : undefined
}

/**
 * The innermost error: graphql-js wraps every field error, so a resolver's own GraphQLError is the original
 * of another one. Undefined if the chain is too long.
 */
export function innermostError(error: unknown): unknown {
  let innermost = error
  for (let depth = 0; depth < 16; depth++) {
    const shown = asShownError(innermost)
    const original = shown?.originalError
    if (shown === undefined || original === undefined || original === null) return innermost
    if (!wraps(shown, original)) return innermost
    innermost = original
  }
  return undefined
}

/** Whether the innermost error of a field is meant for clients, and not caused by what a resolver returned. */
export function isForClients(innermost: unknown): boolean {
  const shown = asShownError(innermost)
  return shown !== undefined && !isExecutorFault(shown)
}

/**
 * Whether graphql-js reports an invalid argument of the request. It does so for each object that has the
 * field, on 16 with the whole literal. Such an error points into a field; those of resolvers point to a
 * field, or have no location.
 */
export function isAboutInput(innermost: unknown): boolean {
  const nodes = asShownError(innermost)?.nodes
  return nodes?.some(({ kind }) => kind !== 'Field') ?? false
}

/**
 * Whether the extensions of an error come from a cause that was not meant for clients: graphql 17 copies
 * them from one cause to the next.
 */
export function borrowsExtensions(innermost: unknown): boolean {
  const extensions = asShownError(innermost)?.extensions
  let error = innermost
  for (let depth = 0; depth < 16; depth++) {
    const cause: unknown = asShownError(error)?.originalError
    if (cause === undefined || cause === null) return false
    if ((cause as { extensions?: unknown }).extensions !== extensions) return false
    if (asShownError(cause) === undefined) return true
    error = cause
  }
  return true
}

/**
 * Whether an error wraps its original, and does not merely have it as its cause: graphql 17 treats an Error
 * in `cause` as the original too. A wrapper has the stack of its original, and one made by graphql-js also
 * its message. Either is enough, since other code may have changed one of them.
 */
function wraps(error: GraphQLError, original: Error): boolean {
  if (!original.stack || error.stack === original.stack) return true
  return Array.isArray(error.path) && error.message === original.message
}

/**
 * Messages of graphql-js about values that resolvers returned and types that they resolved to. It throws
 * GraphQLErrors for these, as it does for mistakes of clients, and only their text distinguishes them from
 * errors of resolvers. The same on both majors.
 */
const sentences: readonly RegExp[] = [
  // From execution.
  /^Cannot return null for non-nullable field /,
  /^Subscription field must return Async Iterable\. Received: /,
  /^Expected Iterable, but did not find one for field "/,
  /^Expected value of type "\w+" but got: /,
  /^Abstract type "\w+" must resolve to an Object type at runtime for field "/,
  /^Abstract type "\w+" was resolved to a (?:non-object )?type "/,
  /^Runtime Object type "\w+" is not a possible type for "/,
  /^Support for returning GraphQLObjectType from resolveType was removed /,
  // From built-in scalars and enums, when they serialize.
  /^Int cannot represent non-integer value: /,
  /^Int cannot represent non 32-bit signed integer value: /,
  /^Float cannot represent non numeric value: /,
  /^String cannot represent value: /,
  /^Boolean cannot represent a non boolean value: /,
  /^ID cannot represent value: /,
  /^Enum "\w+" cannot represent value: /,
]

/**
 * Whether graphql-js made the error of a field because of what the server returned. Its own errors have no
 * extensions, so an error with a code was thrown intentionally.
 */
function isExecutorFault({ message, extensions }: GraphQLError): boolean {
  return (
    Object.keys(extensions ?? {}).length === 0 &&
    sentences.some((sentence) => sentence.test(message))
  )
}
