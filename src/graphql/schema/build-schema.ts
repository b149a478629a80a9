import type {
  DocumentNode,
  GraphQLArgument,
  GraphQLInputField,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql'
import { installedGraphQL, type GraphQLModule, type SchemaTools } from '../js/graphql.js'
import { defaultOf } from '../limits/cost/input-measures.js'
import { checkName, nameOf, type GivenMembers, checkFunction } from './check-member.js'
import { SchemaError } from './check-schema.js'
import { toLeafType, withLeafTypes } from './leaf-types.js'
import type { Resolvers } from './resolvers.js'
import { isScalarType } from './scalar-type.js'

/** SDL as text, as a parsed document, or as a list of these. */
export type SchemaSource = string | DocumentNode | readonly (string | DocumentNode)[]

/** Options of `buildSchema`. */
export interface BuildSchemaOptions {
  /** The graphql-js module to use, if not the installed peer dependency. */
  readonly graphql?: (GraphQLModule & SchemaTools) | undefined
  /** The name of the SDL in the locations of syntax errors. Default: 'schema'. */
  readonly fileName?: string | undefined
}

/** Builds a schema from SDL and attaches resolvers with any type of context. */
export function buildSchema(
  sdl: SchemaSource,
  resolvers: Resolvers<never> = {},
  options: BuildSchemaOptions = {},
): GraphQLSchema {
  const { graphql: tools = installedGraphQL, fileName = 'schema' } = options
  const document = toDocument(tools, sdl, fileName)
  const plain = tools.buildASTSchema(document)
  const entries = Object.entries(resolvers).map(([name, members]) => ({
    type: findType(plain, name),
    members: checkMembers(name, members),
  }))
  const leaves = entries.flatMap(({ type, members }) => toLeafType(tools, type, members) ?? [])
  const schema = withLeafTypes(tools, plain, document, leaves)
  checkDefaults(schema)
  for (const { type, members } of entries) attachResolvers(findType(schema, type.name), members)
  return schema
}

/** An error that clients see, for resolvers defined in this package. */
export function shownError(message: string): Error {
  return new installedGraphQL.GraphQLError(message)
}

function toDocument(tools: SchemaTools, sdl: SchemaSource, fileName: string): DocumentNode {
  if (typeof sdl === 'string') return tools.parse(new tools.Source(sdl, fileName))
  if ('kind' in sdl) return sdl
  const parts = sdl.map((part, index) => toDocument(tools, part, `${fileName} ${index + 1}`))
  return { kind: 'Document', definitions: parts.flatMap(({ definitions }) => definitions) }
}

function findType(schema: GraphQLSchema, name: string): GraphQLNamedType {
  const place = `Resolvers for "${name}"`
  const type = schema.getType(name)
  // All schemas of the process share the built-in types.
  if (type !== undefined && !type.astNode) {
    throw new SchemaError(`${place}: built-in types cannot be changed. Declare your own type.`)
  }
  const own = Object.values(schema.getTypeMap()).filter(({ astNode }) => astNode)
  checkName(
    `${place}: the schema has no such type.`,
    name,
    own.map((each) => each.name),
  )
  return type as GraphQLNamedType
}

/** Methods of classes are not enumerable, so their resolvers would be silently ignored. */
function checkMembers(name: string, members: unknown): GivenMembers {
  const place = `Resolvers for "${name}": expected`
  if (typeof members !== 'object' || members === null) {
    throw new SchemaError(`${place} an object, got ${nameOf(members)}.`)
  }
  const prototype: unknown = Object.getPrototypeOf(members)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  if (isPlain || isScalarType(members)) return members as GivenMembers
  throw new SchemaError(`${place} a plain object, got an instance of a class.`)
}

/** Attaches resolvers to a built type; scalars and enums already have theirs. */
function attachResolvers(type: GraphQLNamedType, members: GivenMembers): void {
  switch (type.astNode?.kind) {
    case 'ObjectTypeDefinition':
      return attachToObject(type, members)
    case 'InterfaceTypeDefinition':
    case 'UnionTypeDefinition':
      return attachToAbstract(type, members)
    case 'InputObjectTypeDefinition':
      throw new SchemaError(`Resolvers for "${type.name}": input types have no resolvers.`)
    default:
  }
}

function attachToObject(type: GraphQLNamedType, members: GivenMembers): void {
  const fields = (type as GraphQLObjectType).getFields()
  for (const [name, member] of Object.entries(members)) {
    const place = `Resolver "${type.name}.${name}"`
    if (Object.hasOwn(fields, name)) {
      Object.assign(fields[name] as object, readField(place, member))
    } else if (name === 'isTypeOf' || name === '__isTypeOf') {
      Object.assign(type, { isTypeOf: checkFunction(place, member) })
    } else if (name === '__resolveReference') {
      throw new SchemaError(
        `${place}: Apollo Federation is not built in. Build the schema with @apollo/subgraph instead.`,
      )
    } else {
      checkName(`${place}: the type has no such field.`, name, Object.keys(fields))
    }
  }
}

/** A function, or an object of them. */
function readField(place: string, member: unknown): object {
  if (typeof member === 'function') return { resolve: member }
  const isEmpty = typeof member === 'object' && member && Object.keys(member).length === 0
  if (typeof member !== 'object' || member === null || isEmpty) {
    const got = isEmpty ? 'an object with neither' : nameOf(member)
    throw new SchemaError(`${place}: expected a function, or { resolve, subscribe }, got ${got}.`)
  }
  for (const [name, part] of Object.entries(member)) {
    checkName(`${place}: fields have no "${name}".`, name, ['resolve', 'subscribe'])
    checkFunction(`${place}: ${name}`, part)
  }
  return member
}

/** GraphQL runs the field of the object type, never that of the interface. */
function attachToAbstract(type: GraphQLNamedType, members: GivenMembers): void {
  for (const [name, member] of Object.entries(members)) {
    const place = `Resolver "${type.name}.${name}"`
    if (name !== 'resolveType' && name !== '__resolveType') {
      const isField = 'getFields' in type && Object.hasOwn(type.getFields(), name)
      if (isField) {
        throw new SchemaError(
          `${place}: field resolvers of interfaces never run. Add it to the types that implement ${type.name}.`,
        )
      }
      checkName(`${place}: interfaces and unions have no "${name}".`, name, ['__resolveType'])
    }
    Object.assign(type, { resolveType: checkFunction(place, member) })
  }
}

/**
 * Throws if graphql 16 dropped a default value of the wrong type. 17 keeps it, and reports it when it
 * validates the schema.
 */
function checkDefaults(schema: GraphQLSchema): void {
  for (const { name, args } of schema.getDirectives()) {
    for (const argument of args) checkDefault(`@${name}(${argument.name}:)`, argument)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!type.astNode || !('getFields' in type)) continue
    for (const field of Object.values(type.getFields())) {
      const place = `${type.name}.${field.name}`
      if (!('args' in field)) checkDefault(place, field)
      else for (const one of field.args) checkDefault(`${place}(${one.name}:)`, one)
    }
  }
}

function checkDefault(place: string, input: GraphQLArgument | GraphQLInputField): void {
  if (input.astNode?.defaultValue && defaultOf(input) === undefined) {
    throw new SchemaError(
      `${place} has invalid default value: it does not match the declared type.`,
    )
  }
}
