import type { Context } from './context.js'

/** Answers a field: the object it belongs to and its arguments are what the schema says they are. */
export type Resolver = (source: never, args: never, context: Context) => unknown

/** Resolvers by field. */
export interface FieldResolvers {
  readonly [fieldName: string]: Resolver
}
