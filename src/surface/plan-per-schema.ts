import type { GraphQLSchema } from 'graphql'
import type { Settings } from '../options/settings.js'

/** Plans something for each schema when it is first seen: at once, unless `schema` is a function. So mistakes are reported then, and once. */
export function planPerSchema<Plan>(
  { schema: first }: Pick<Settings, 'schema'>,
  plan: (schema: GraphQLSchema) => Plan,
): (schema: GraphQLSchema) => Plan {
  const plans = new WeakMap<GraphQLSchema, Plan>()
  const find = (schema: GraphQLSchema): Plan => {
    const found = plans.get(schema) ?? plan(schema)
    plans.set(schema, found)
    return found
  }
  if (typeof first !== 'function') find(first)
  return find
}
