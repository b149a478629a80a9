import type { GraphQLError } from 'graphql'

/** The result of execution. A closed union, to be extended by incremental results and events. */
export type Result = {
  readonly kind: 'single'
  readonly data: unknown
  readonly errors: readonly GraphQLError[]
  readonly extensions: unknown
}
