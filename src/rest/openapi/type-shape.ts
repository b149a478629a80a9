import type { GraphQLNamedType, GraphQLType } from 'graphql'

/** A type without its wrappers: whether it may be null, and what it is a list of or called. */
export type TypeShape =
  | { readonly nullable: boolean; readonly listOf: TypeShape }
  | { readonly nullable: boolean; readonly named: GraphQLNamedType }

/** The shape of a type of the schema. */
export function shapeOfType(type: GraphQLType): TypeShape {
  if (!('ofType' in type)) return { nullable: true, named: type }
  // graphql-js tags its classes, which both majors and every copy do alike.
  if (type[Symbol.toStringTag] === 'GraphQLNonNull') {
    return { ...shapeOfType(type.ofType), nullable: false }
  }
  return { nullable: true, listOf: shapeOfType(type.ofType) }
}
