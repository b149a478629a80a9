import type {
  DirectiveNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql'
import type { Fragments } from '../js/fragments.js'

/** Variables as the client sent them. */
type VariableValues = { readonly [name: string]: unknown }

/**
 * The names of the root fields of an operation, once for each alias. With variables, fields excluded by
 * `@skip` and `@include` are left out.
 */
export function rootFields(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables?: VariableValues,
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
  operation: OperationDefinitionNode,
  variables: VariableValues,
): boolean {
  const condition = (name: 'skip' | 'include'): unknown => {
    const directive = directives.find((one) => one.name.value === name)
    return directive && valueOf(conditionOf(directive), operation, variables)
  }
  return condition('skip') === true || condition('include') === false
}

function conditionOf({ arguments: args = [] }: DirectiveNode): ValueNode | undefined {
  return args.find(({ name }) => name.value === 'if')?.value
}

/** Values that are not Booleans count until variables are coerced, which refuses them. */
function valueOf(
  node: ValueNode | undefined,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: VariableValues,
): unknown {
  if (node?.kind === 'BooleanValue') return node.value
  if (node?.kind !== 'Variable') return undefined
  const name = node.name.value
  if (Object.hasOwn(variables, name)) return variables[name]
  const definition = variableDefinitions.find(({ variable }) => variable.name.value === name)
  const fallback = definition?.defaultValue
  return fallback?.kind === 'BooleanValue' ? fallback.value : undefined
}
