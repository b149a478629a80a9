import type { GraphQLSchema } from 'graphql'
import { remember } from '../../base/remember.js'
import type { Resolver } from './watched-schemas.js'

/** Which fields of a schema have the name of a member that every object inherits, such as `constructor`. */
export interface Inherited {
  readonly ofInputs: boolean
  readonly ofOutputs: boolean
}

const known = new WeakMap<GraphQLSchema, Inherited>()

/**
 * Finds fields named like members of `Object.prototype`. graphql-js reads fields with a plain `object[name]`, which returns
 * the inherited member if the data has none. Checks each schema once.
 */
export function findInherited(schema: GraphQLSchema): Inherited {
  return remember(known, schema, inspectNames)
}

function inspectNames(schema: GraphQLSchema): Inherited {
  let ofInputs = false
  let ofOutputs = false
  for (const type of Object.values(schema.getTypeMap())) {
    if (!('getFields' in type)) continue
    if (!Object.keys(type.getFields()).some((name) => name in Object.prototype)) continue
    if (type[Symbol.toStringTag] === 'GraphQLInputObjectType') ofInputs = true
    else ofOutputs = true
  }
  return { ofInputs, ofOutputs }
}

/** Copies JSON into objects that inherit nothing. */
export function withoutPrototypes<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPrototypes<unknown>) as Value
  const own = Object.create(null) as { [name: string]: unknown }
  for (const [name, member] of Object.entries(value)) own[name] = withoutPrototypes<unknown>(member)
  return own as Value
}

/** A default resolver that ignores members inherited from `Object.prototype`. */
export function resolveOwn(resolve: Resolver): Resolver {
  return (source, args, context, info) =>
    isInherited(source, info.fieldName) ? undefined : resolve(source, args, context, info)
}

function isInherited(source: unknown, name: string): boolean {
  if (typeof source !== 'object' || source === null || !(name in Object.prototype)) return false
  const { [name]: member } = source as { readonly [name: string]: unknown }
  return member === (Object.prototype as unknown as { readonly [name: string]: unknown })[name]
}
