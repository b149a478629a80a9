import type { OperationDefinitionNode, SelectionNode, SelectionSetNode, ValueNode } from 'graphql'
import type { JsonObject } from '../../base/json.js'
import type { Fragments } from '../js/fragments.js'

/**
 * The names of the root fields of an operation, once for each alias. With variables, fields excluded by
 * `@skip` and `@include` are left out.
 */
export function rootFields(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables?: JsonObject,
): readonly string[] {
  const found = new Map<string, string>()
  const visited = new Set<string>()
  const visit = (selectionSet: SelectionSetNode): void => {
    for (const selection of selectionSet.selections) {
      if (variables !== undefined && isLeftOut(selection, operation, variables)) continue
      if (selection.kind === 'Field') {
        // Execution merges fields with the same response name.
        found.set(selection.alias?.value ?? selection.name.value, selection.name.value)
      } else if (selection.kind === 'InlineFragment') visit(selection.selectionSet)
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) visit(fragment.selectionSet)
      }
    }
  }
  visit(operation.selectionSet)
  return [...found.values()]
}

/** CollectFields() of the GraphQL specification, section 6.3.2. */
export function isLeftOut(
  { directives = [] }: SelectionNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: JsonObject,
): boolean {
  if (directives.length === 0) return false
  // Values that are not Booleans count until variables are coerced, which refuses them.
  const valueOf = (node: ValueNode | undefined): unknown => {
    if (node?.kind === 'BooleanValue') return node.value
    if (node?.kind !== 'Variable') return undefined
    const name = node.name.value
    if (Object.hasOwn(variables, name)) return variables[name]
    return valueOf(
      variableDefinitions.find((one) => one.variable.name.value === name)?.defaultValue,
    )
  }
  const condition = (name: 'skip' | 'include'): unknown => {
    const directive = directives.find((one) => one.name.value === name)
    return valueOf(directive?.arguments?.find((one) => one.name.value === 'if')?.value)
  }
  return condition('skip') === true || condition('include') === false
}
