import type { GraphQLList, GraphQLNonNull, GraphQLOutputType, GraphQLType } from 'graphql'

export type ListType = GraphQLList<GraphQLOutputType>

/** The list type, with non-null unwrapped. */
export function listOf(type: GraphQLOutputType): ListType | undefined {
  const nullable = nullableOf(type)
  return nullable[Symbol.toStringTag] === 'GraphQLList' ? (nullable as ListType) : undefined
}

export function isNonNull(type: GraphQLType): type is GraphQLNonNull<ListType> {
  return type[Symbol.toStringTag] === 'GraphQLNonNull'
}

export function nullableOf(type: GraphQLOutputType): GraphQLOutputType {
  return isNonNull(type) ? type.ofType : type
}

export function isLeaf(type: GraphQLOutputType): boolean {
  const { [Symbol.toStringTag]: kind } = type
  return kind === 'GraphQLScalarType' || kind === 'GraphQLEnumType'
}

/** Whether the type, or the items of a list, are scalars or enums. */
export function ofLeaves(type: GraphQLOutputType): boolean {
  let named = type
  while ('ofType' in named) named = named.ofType
  return isLeaf(named)
}
