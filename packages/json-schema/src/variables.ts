import type {
  FieldNode,
  GraphQLNamedType,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { defaultOfVariable } from './default-value.js'
import { remarksOf, type JsonSchema } from './json-schema.js'
import type { SelectionSource } from './selection-schema.js'
import { namedTypeOf, shapeOfNode, type TypeShape } from './type-shape.js'

/** A variable of an operation. */
export interface DescribedVariable {
  readonly name: string
  readonly shape: TypeShape
  /** Its default value as a keyword. */
  readonly byDefault: JsonSchema
  /** Its description, or else that of the first argument that gets it. */
  readonly remarks: JsonSchema
}

export function describeVariables(
  definition: OperationDefinitionNode,
  source: Omit<SelectionSource, 'named'>,
): readonly DescribedVariable[] {
  const ofArguments = remarksOfArguments(definition, source)
  return (definition.variableDefinitions ?? []).map((node) => {
    const name = node.variable.name.value
    const shape = shapeOfNode(node.type, source.schema)
    const own = node.description && remarksOf({ description: node.description.value })
    return {
      name,
      shape,
      byDefault: defaultOfVariable(node, shape),
      remarks: own ?? ofArguments.get(name) ?? {},
    }
  })
}

/** The remarks of the first argument that gets each variable. */
function remarksOfArguments(
  { operation, selectionSet }: OperationDefinitionNode,
  { schema, fragments }: Omit<SelectionSource, 'named'>,
): ReadonlyMap<string, JsonSchema> {
  const remarks = new Map<string, JsonSchema>()
  const visited = new Set<string>()
  visit(selectionSet, schema.getRootType(operation) ?? undefined)
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
