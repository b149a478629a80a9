import type { GraphQLError } from 'graphql'

/** Why GraphQL rejects a request before any resolver runs: the result has errors and no `data`. */
export interface RequestError {
  readonly kind: RequestErrorKind
  readonly errors: readonly (GraphQLError | PlainError)[]
}

/** Distinguishes it from other reasons to stop, which have their own kinds. */
export function isRequestError(reason: { readonly kind: string }): reason is RequestError {
  return Object.hasOwn(requestErrorCodes, reason.kind) && 'errors' in reason
}

/** What clients see in `extensions.code`. */
export const requestErrorCodes: { readonly [kind in RequestErrorKind]: string } = {
  syntax: 'GRAPHQL_PARSE_FAILED',
  validation: 'GRAPHQL_VALIDATION_FAILED',
  operation: 'OPERATION_RESOLUTION_FAILURE',
  variables: 'BAD_USER_INPUT',
  // The errors of a source are those of its field, and are formatted as such.
  source: 'INTERNAL_SERVER_ERROR',
}

/** The stages that can reject a request, each with its own status; `source` is the start of a subscription. */
export type RequestErrorKind = 'syntax' | 'validation' | 'operation' | 'variables' | 'source'

/** An error made by the engine itself, without a location in the document. */
interface PlainError {
  readonly message: string
  /** With a more specific code than that of the stage. */
  readonly extensions?: { readonly [name: string]: unknown }
}
