import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import { cutText } from '../cut-text.js'
import { isPromise } from '../promise.js'
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
  /** Of what graphql-js says of a request, which may repeat much of it. */
  readonly maxMessageLength: number
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
    const shown = toFormatted(error)
    const extensions = { code: codes[kind], ...error.extensions }
    return present(
      { ...shown, message: cutText(shown.message, settings.maxMessageLength), extensions },
      error,
      settings,
    )
  })
}

const codes: { readonly [kind in RequestErrorKind]: string } = {
  syntax: 'GRAPHQL_PARSE_FAILED',
  validation: 'GRAPHQL_VALIDATION_FAILED',
  operation: 'OPERATION_RESOLUTION_FAILURE',
  variables: 'BAD_USER_INPUT',
  subscription: 'SUBSCRIPTION_NOT_SUPPORTED',
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
    const formatted = shown ? toFormatted(error) : mask(error, innermost, operationName, settings)
    return present(formatted, error, settings)
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
  // graphql-js lets an error pass that has a `path` of its own, which says nothing of the answer.
  const { locations, path } = asShownError(error) ?? {}
  onBug(innermost, { id, operationName, path })
  return {
    message: 'Internal server error',
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { code: 'INTERNAL_SERVER_ERROR', id },
  }
}

function toFormatted(error: { readonly message: string }): GraphQLFormattedError {
  const shown = asShownError(error)
  return typeof shown?.toJSON === 'function' ? shown.toJSON() : { message: error.message }
}

function present(
  formatted: GraphQLFormattedError,
  error: unknown,
  { formatError }: ErrorSettings,
): GraphQLFormattedError {
  if (formatError === undefined) return formatted
  const presented: unknown = formatError(formatted, error)
  if (typeof (presented as { message?: unknown } | undefined)?.message === 'string') {
    return presented as GraphQLFormattedError
  }
  if (isPromise(presented)) void Promise.resolve(presented).catch(() => undefined)
  throw new TypeError(
    'formatError: expected an error with a message, at once and not by a promise.',
  )
}
