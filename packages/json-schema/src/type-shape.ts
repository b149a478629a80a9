import type { GraphQLNamedType, GraphQLSchema, GraphQLType, TypeNode } from 'graphql'

/** A type without its wrappers: whether it is nullable, and its item type or its named type. */
export type TypeShape =
  | { readonly nullable: boolean; readonly listOf: TypeShape }
  | { readonly nullable: boolean; readonly named: GraphQLNamedType }

export function shapeOfType(type: GraphQLType): TypeShape {
  if (!('ofType' in type)) return { nullable: true, named: type }
  // graphql-js tags its classes, in both majors and in every copy.
  if (type[Symbol.toStringTag] === 'GraphQLNonNull') {
    return { ...shapeOfType(type.ofType), nullable: false }
  }
  return { nullable: true, listOf: shapeOfType(type.ofType) }
}

/** The shape of a type as a valid document names it. */
export function shapeOfNode(node: TypeNode, schema: GraphQLSchema): TypeShape {
  switch (node.kind) {
    case 'NonNullType':
      return { ...shapeOfNode(node.type, schema), nullable: false }
    case 'ListType':
      return { nullable: true, listOf: shapeOfNode(node.type, schema) }
    case 'NamedType':
      return { nullable: true, named: schema.getType(node.name.value) as GraphQLNamedType }
  }
}

export function namedTypeOf(type: GraphQLType): GraphQLNamedType {
  return 'ofType' in type ? namedTypeOf(type.ofType) : type
}
