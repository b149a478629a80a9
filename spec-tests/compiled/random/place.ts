import type { GraphQLOutputType, GraphQLSchema } from 'graphql'
import type { Run } from './run.js'

export interface Place {
  readonly run: Run
  readonly schema: GraphQLSchema
  /** The path and the name of the field: the seed of the value comes from it. */
  readonly key: string
  readonly type: GraphQLOutputType
  /** Whether several fields get the same value, which then must not be used up by one of them. */
  readonly isShared?: boolean
}

/** Makes the value of a place; it may throw. */
export type MakeValue = (place: Place) => unknown
