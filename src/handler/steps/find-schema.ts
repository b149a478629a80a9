import type { GraphQLSchema } from 'graphql'
import { checkServable } from '../../graphql/schema/check-servable.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'
import type { Facts } from '../road/facts.js'
import type { Road } from '../road/road.js'
import { askHook } from './ask-hook.js'

/** Finds the schema of a request, where a function gives it. */
export type SchemaFinder = (facts: Facts) => Road<GraphQLSchema, Denial>

/** One that is returned by a function is checked when it is first seen. */
export function createSchemaFinder(settings: Settings): SchemaFinder {
  const { graphql, schema, cacheHints } = settings
  const checked = new WeakSet<GraphQLSchema>()
  return function* findGiven(facts) {
    if (typeof schema !== 'function') return schema
    const found = yield* askHook((head) => schema(head, facts), facts.head, settings)
    if (!checked.has(found)) {
      checkServable(graphql, { schema: found, cacheHints }, 'The option schema')
      checked.add(found)
    }
    return found
  }
}
