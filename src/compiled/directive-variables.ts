import type {
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import type { CoercedValues } from '../graphql/js/graphql.js'

interface DirectiveFacts {
  readonly definition: OperationDefinitionNode
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode }
}

/** Facts about the selections of an operation, fragments included, that compiling needs. */
export interface SelectionFacts {
  /** The variables that @skip and @include read: a plan is for one combination of their values. */
  readonly variables: readonly string[]
  readonly hasIncremental: boolean
  readonly hasFragmentVariables: boolean
  /** Whether `__schema` or `__type` may be at the root. */
  readonly isIntrospection: boolean
}

/** Reads each selection set of the document once. */
export function readSelections({ definition, fragments }: DirectiveFacts): SelectionFacts {
  const variables = new Set<string>()
  let hasIncremental = false
  const all = Object.values(fragments)
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      for (const directive of node.directives ?? []) {
        const name = directive.name.value
        if (name === 'defer' || name === 'stream') hasIncremental = true
        if (name !== 'skip' && name !== 'include') continue
        for (const { value } of directive.arguments ?? []) {
          if (value.kind === 'Variable') variables.add(value.name.value)
        }
      }
      if (node.kind !== 'FragmentSpread' && node.selectionSet) visit(node.selectionSet)
    }
  }
  visit(definition.selectionSet)
  for (const fragment of all) visit(fragment.selectionSet)
  return {
    variables: [...variables].toSorted(),
    hasIncremental,
    hasFragmentVariables: all.some(({ variableDefinitions: own }) => (own?.length ?? 0) > 0),
    isIntrospection: selectsIntrospection(definition.selectionSet, fragments, new Set()),
  }
}

function selectsIntrospection(
  { selections }: SelectionSetNode,
  fragments: DirectiveFacts['fragments'],
  visited: Set<string>,
): boolean {
  const isOne = (node: SelectionNode): boolean => {
    if (node.kind === 'Field') return node.name.value === '__schema' || node.name.value === '__type'
    if (node.kind === 'InlineFragment') {
      return selectsIntrospection(node.selectionSet, fragments, visited)
    }
    const name = node.name.value
    if (visited.has(name)) return false
    visited.add(name)
    const { [name]: fragment } = fragments
    return fragment !== undefined && selectsIntrospection(fragment.selectionSet, fragments, visited)
  }
  return selections.some(isOne)
}

/** The combination of their values. A replaced scalar may give values other than Booleans, which are neither true nor false. */
export function variantOf(variables: readonly string[], coerced: CoercedValues): string {
  let key = ''
  for (const name of variables) {
    const value = coerced[name]
    if (value === true) key += 't'
    else if (value === false) key += 'f'
    else if (value === undefined) key += 'u'
    else key += value === null ? 'n' : 'o'
  }
  return key
}
