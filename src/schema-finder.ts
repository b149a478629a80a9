import type { GraphQLSchema } from 'graphql'
import { checkSchema } from './engine/check-schema.js'
import type { RequestHead } from './http/message.js'
import type { Settings } from './settings.js'
import { andThen } from './promise.js'

/** Gives the schema of a request, at once where it is always the same. */
export type SchemaFinder = (head: RequestHead) => GraphQLSchema | Promise<GraphQLSchema>

/** Makes the finder. A schema that comes from a function is checked when it is first seen. */
export function createSchemaFinder({ graphql, schema }: Settings): SchemaFinder {
  if (typeof schema !== 'function') return () => schema
  const checked = new WeakSet<GraphQLSchema>()
  const check = (found: GraphQLSchema): GraphQLSchema => {
    if (!checked.has(found)) {
      checkSchema(graphql, found)
      checked.add(found)
    }
    return found
  }
  return (head) => andThen(schema(head), check)
}
