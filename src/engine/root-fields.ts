import type { OperationDefinitionNode, SelectionSetNode } from 'graphql'
import type { Fragments } from './fragments.js'

/** The root fields of an operation by name, one for each time it is asked for: aliases count. */
export function rootFields(
  { selectionSet: root }: OperationDefinitionNode,
  fragments: Fragments,
): readonly string[] {
  const found = new Map<string, string>()
  const visited = new Set<string>()
  const visit = (selectionSet: SelectionSetNode): void => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === 'Field') {
        // Fields of one response name are merged into one by execution.
        found.set(selection.alias?.value ?? selection.name.value, selection.name.value)
      } else if (selection.kind === 'InlineFragment') visit(selection.selectionSet)
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) visit(fragment.selectionSet)
      }
    }
  }
  visit(root)
  return [...found.values()]
}
