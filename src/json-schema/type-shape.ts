import type { GraphQLNamedType, GraphQLType } from 'graphql'

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
