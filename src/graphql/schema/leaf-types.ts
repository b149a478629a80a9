import type {
  DocumentNode,
  GraphQLEnumType,
  GraphQLEnumTypeConfig,
  GraphQLNamedType,
  GraphQLScalarType,
  GraphQLSchema,
} from 'graphql'
import { checkName, type GivenMembers } from './check-member.js'
import { SchemaError } from './check-schema.js'
import type { SchemaTools } from '../js/graphql.js'
import { toScalar } from './scalar-type.js'

/** A scalar or an enum: a type whose values graphql-js converts by functions. */
export type LeafType = GraphQLScalarType | GraphQLEnumType

/** Applies resolvers to a scalar or an enum; undefined for other types. */
export function toLeafType(
  tools: SchemaTools,
  type: GraphQLNamedType,
  given: GivenMembers,
): LeafType | undefined {
  switch (type.astNode?.kind) {
    case 'ScalarTypeDefinition':
      return toScalar(tools, type as GraphQLScalarType, given)
    case 'EnumTypeDefinition':
      return toEnum(tools, type as GraphQLEnumType, given)
    default:
      return undefined
  }
}

/** An enum with internal values; values without one keep their name. */
function toEnum(tools: SchemaTools, type: GraphQLEnumType, given: GivenMembers): GraphQLEnumType {
  const config = type.toConfig()
  const values: GraphQLEnumTypeConfig['values'] = { ...config.values }
  for (const [name, value] of Object.entries(given)) {
    checkName(
      `Resolver "${type.name}.${name}": the enum has no such value.`,
      name,
      Object.keys(values),
    )
    if (value === undefined) {
      throw new SchemaError(`Resolver "${type.name}.${name}": expected a value, got undefined.`)
    }
    values[name] = { ...config.values[name], value }
  }
  return new tools.GraphQLEnumType({ ...config, values })
}

/**
 * The schema with replaced leaf types. graphql-js builds the rest of the document on them, since 16 parses
 * default values with the scalar of a type as soon as it is built.
 */
export function withLeafTypes(
  tools: SchemaTools,
  schema: GraphQLSchema,
  document: DocumentNode,
  leaves: readonly LeafType[],
): GraphQLSchema {
  if (leaves.length === 0) return schema
  const names = new Set(leaves.map(({ name }) => name))
  const base = new tools.GraphQLSchema({
    types: leaves,
    directives: schema.getDirectives().filter(({ astNode }) => !astNode),
    assumeValid: true,
  })
  const definitions = document.definitions.filter(
    (node) => !('name' in node && leafKinds.has(node.kind) && names.has(node.name?.value ?? '')),
  )
  const built = tools.extendSchema(base, { ...document, definitions }, { assumeValidSDL: true })
  const again = <Type extends { readonly name: string }>(type: Type | null | undefined) =>
    type && (built.getType(type.name) as Type | undefined)
  return new tools.GraphQLSchema({
    ...built.toConfig(),
    query: again(schema.getQueryType()),
    mutation: again(schema.getMutationType()),
    subscription: again(schema.getSubscriptionType()),
    // In the order of the document.
    types: Object.values(schema.getTypeMap()).flatMap((type) => again(type) ?? []),
    directives: schema.getDirectives().flatMap(({ name }) => built.getDirective(name) ?? []),
  })
}

const leafKinds: ReadonlySet<string> = new Set([
  'ScalarTypeDefinition',
  'ScalarTypeExtension',
  'EnumTypeDefinition',
  'EnumTypeExtension',
])
