import type { GraphQLError } from 'graphql'

/** What execution gave. A closed union: incremental results and events will be members of it. */
export type Result = {
  readonly kind: 'single'
  readonly data: unknown
  readonly errors: readonly GraphQLError[]
  readonly extensions: unknown
}
