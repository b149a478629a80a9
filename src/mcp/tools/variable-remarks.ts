import type {
  FieldNode,
  GraphQLNamedType,
  GraphQLObjectType,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { remarksOf, type JsonSchema } from '../../json-schema/json-schema.js'
import type { SelectionSource } from '../../json-schema/selection-schema.js'
import { namedTypeOf } from '../../json-schema/type-shape.js'

/** What is said of each variable: by itself, or else by the first argument that gets it. */
export function remarksOfVariables(
  definition: OperationDefinitionNode,
  root: GraphQLObjectType,
  { schema, fragments }: Omit<SelectionSource, 'named'>,
): ReadonlyMap<string, JsonSchema> {
  const remarks = new Map<string, JsonSchema>()
  for (const { variable, description } of definition.variableDefinitions ?? []) {
    if (description !== undefined)
      remarks.set(variable.name.value, remarksOf({ description: description.value }))
  }
  const visited = new Set<string>()
  visit(definition.selectionSet, root)
  return remarks

  function visit({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): void {
    for (const selection of selections) {
      if (selection.kind === 'Field') visitField(selection, type)
      else if (selection.kind === 'InlineFragment') {
        const condition = selection.typeCondition?.name.value
        visit(selection.selectionSet, condition === undefined ? type : schema.getType(condition))
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment)
          visit(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value))
      }
    }
  }

  function visitField(node: FieldNode, type: GraphQLNamedType | undefined): void {
    const fields = type !== undefined && 'getFields' in type ? type.getFields() : {}
    const field = fields[node.name.value]
    if (field === undefined) return
    for (const { name, value } of node.arguments ?? []) {
      if (value.kind !== 'Variable' || remarks.has(value.name.value)) continue
      const argument =
        'args' in field ? field.args.find((one) => one.name === name.value) : undefined
      if (argument !== undefined) remarks.set(value.name.value, remarksOf(argument))
    }
    if (node.selectionSet) visit(node.selectionSet, namedTypeOf(field.type))
  }
}
