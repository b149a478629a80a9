import type { GraphQLNamedType, GraphQLSchema } from 'graphql'
import { SchemaError } from './check-schema.js'
import { installedGraphQL } from './graphql.js'

/** Resolvers by type and field; a scalar is an object with `serialize`, `parseValue`, `parseLiteral`. */
export interface Resolvers {
  readonly [typeName: string]: { readonly [fieldName: string]: unknown }
}

/** Builds a schema from SDL and puts resolvers on it. Syntax errors point into `fileName`. */
export function buildSchema(
  sdl: string,
  resolvers: Resolvers = {},
  fileName = 'schema',
): GraphQLSchema {
  const schema = installedGraphQL.buildSchema(new installedGraphQL.Source(sdl, fileName))
  for (const [typeName, members] of Object.entries(resolvers)) {
    const type = schema.getType(typeName)
    if (type === undefined) {
      throw new SchemaError(`Resolvers for "${typeName}": the schema has no type of that name.`)
    }
    if (typeof members !== 'object' || members === null) {
      throw new SchemaError(
        `Resolvers for "${typeName}": expected an object, got ${typeof members}.`,
      )
    }
    attach(type, members)
  }
  return schema
}

/** An error that clients may read, for resolvers that are made here and not by an embedder. */
export function shownError(message: string): Error {
  return new installedGraphQL.GraphQLError(message)
}

function attach(type: GraphQLNamedType, members: Resolvers[string]): void {
  const target = type as unknown as { [name: string]: unknown }
  for (const [name, member] of Object.entries(members)) {
    const place = `Resolver "${type.name}.${name}"`
    if (name === '__resolveType' || name === '__isTypeOf') {
      target[name === '__resolveType' ? 'resolveType' : 'isTypeOf'] = checkFunction(place, member)
    } else if (isOneOf(scalarMethods, name) && 'serialize' in type) {
      target[name] = checkFunction(place, member)
    } else if ('getFields' in type && !('parseValue' in type)) {
      attachField(type, name, member, place)
    } else {
      throw new SchemaError(
        `${place}: only object types, interfaces, unions and scalars take resolvers.`,
      )
    }
  }
}

/** Both majors' names; graphql 17 calls the new ones where it finds them. */
const scalarMethods = [
  'serialize',
  'parseValue',
  'parseLiteral',
  'coerceOutputValue',
  'coerceInputValue',
  'coerceInputLiteral',
] as const

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

function attachField(type: GraphQLNamedType, name: string, member: unknown, place: string): void {
  const fields = (type as { getFields?(): { [name: string]: object } }).getFields?.() ?? {}
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined) {
    throw new SchemaError(
      `${place}: the type has no such field, only ${Object.keys(fields).join(', ')}.`,
    )
  }
  if (typeof member === 'object' && member !== null) Object.assign(field, member)
  else Object.assign(field, { resolve: checkFunction(place, member) })
}

function checkFunction(place: string, member: unknown): unknown {
  if (typeof member === 'function') return member
  throw new SchemaError(`${place}: expected a function, got ${typeof member}.`)
}
