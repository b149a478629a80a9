import type { GraphQLNamedType, GraphQLObjectType, SelectionSetNode } from 'graphql'
import type { OperationRequest } from 'graphwire'

type Schema = OperationRequest['schema']

/** The types of the objects that a type stands for; none for a leaf. */
export function objectTypesOf(
  type: GraphQLNamedType,
  schema: Schema,
): readonly GraphQLObjectType[] {
  if ('resolveType' in type) return schema.getPossibleTypes(type)
  return 'getFields' in type && 'getInterfaces' in type ? [type] : []
}

/** The type of a field without lists; undefined for a field that the type does not have, such as `__schema`. */
export function typeOfField(type: GraphQLNamedType, field: string): GraphQLNamedType | undefined {
  if (!('getInterfaces' in type)) return undefined
  let found = type.getFields()[field]?.type
  while (found !== undefined && 'ofType' in found) found = found.ofType
  return found
}

/** The names of all types that objects in the response to a request can have, but for that of the root. */
export function findTypes({ schema, operation, fragments }: OperationRequest): ReadonlySet<string> {
  const found = new Set<string>()
  const visited = new Set<string>()
  const root = schema.getRootType(operation.operation)
  if (root != null) visit(operation.selectionSet, root)
  return found

  /** Each fragment once: its type is its own. */
  function visit({ selections }: SelectionSetNode, type: GraphQLNamedType): void {
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        const named = typeOfField(type, selection.name.value)
        if (named === undefined || selection.selectionSet === undefined) continue
        for (const { name } of objectTypesOf(named, schema)) found.add(name)
        visit(selection.selectionSet, named)
        continue
      }
      const isSpread = selection.kind === 'FragmentSpread'
      if (isSpread && visited.has(selection.name.value)) continue
      if (isSpread) visited.add(selection.name.value)
      const fragment = isSpread ? fragments.get(selection.name.value) : selection
      const condition = fragment?.typeCondition?.name.value
      const own = condition === undefined ? type : schema.getType(condition)
      if (fragment !== undefined && own !== undefined) visit(fragment.selectionSet, own)
    }
  }
}
