import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import type { RequestError, RequestErrorKind } from './request-error.js'
import { asShownError, innermostError } from './show-error.js'

/** What a bug report says beside the error itself. */
export interface BugDetails {
  /** The id that the client saw in `extensions.id`. */
  readonly id: string
  readonly operationName?: string | undefined
  /** Where in the answer the field stands, when a field failed. */
  readonly path?: readonly (string | number)[] | undefined
}

/** How errors are shown and where their originals go. */
export interface ErrorSettings {
  readonly maskErrors: boolean
  readonly formatError:
    | ((formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError)
    | undefined
  readonly onBug: (bug: unknown, details: BugDetails) => void
  readonly createId: () => string
}

/** The errors of a request that GraphQL refused: always shown, each with the code of its stage. */
export function formatRequestErrors(
  { kind, errors }: RequestError,
  settings: ErrorSettings,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const shown = asShownError(error)?.toJSON() ?? { message: error.message }
    const formatted = { ...shown, extensions: { code: codes[kind], ...shown.extensions } }
    return settings.formatError?.(formatted, error) ?? formatted
  })
}

const codes: { readonly [kind in RequestErrorKind]: string } = {
  syntax: 'GRAPHQL_PARSE_FAILED',
  validation: 'GRAPHQL_VALIDATION_FAILED',
  operation: 'OPERATION_RESOLUTION_FAILURE',
  variables: 'BAD_USER_INPUT',
  subscription: 'SUBSCRIPTION_NOT_SUPPORTED',
  'mutation-by-query': 'MUTATION_NOT_SUPPORTED',
}

/** The errors of fields: those made to be seen are shown, all others are masked and reported. */
export function formatFieldErrors(
  errors: readonly GraphQLError[],
  operationName: string | undefined,
  settings: ErrorSettings,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const innermost = innermostError(error)
    const shown = !settings.maskErrors || asShownError(innermost) !== undefined
    const formatted = shown ? error.toJSON() : mask(error, innermost, operationName, settings)
    return settings.formatError?.(formatted, error) ?? formatted
  })
}

/** Built anew, since a GraphQLError takes over the `extensions` of the error that it wraps. */
function mask(
  error: GraphQLError,
  innermost: unknown,
  operationName: string | undefined,
  { createId, onBug }: ErrorSettings,
): GraphQLFormattedError {
  const id = createId()
  onBug(innermost, { id, operationName, path: error.path })
  return {
    message: 'Internal server error',
    ...(error.locations && { locations: error.locations }),
    ...(error.path && { path: error.path }),
    extensions: { code: 'INTERNAL_SERVER_ERROR', id },
  }
}
