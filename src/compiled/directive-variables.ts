import type { SelectionSetNode } from 'graphql'
import type { CoercedValues } from '../graphql/js/graphql.js'
import { rootFields } from '../graphql/limits/root-fields.js'
import type { OperationFacts } from './operation-plan.js'

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
export function readSelections({ definition, fragments }: OperationFacts): SelectionFacts {
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
    isIntrospection: rootFields(definition, new Map(Object.entries(fragments))).some(
      (name) => name === '__schema' || name === '__type',
    ),
  }
}

/** The combination of their values. A replaced scalar may give values other than Booleans, which are neither true nor false. */
export function variantOf(variables: readonly string[], coerced: CoercedValues): string {
  let key = ''
  for (const name of variables) {
    const value = coerced[name]
    // The first letter of true, false, null and undefined.
    key += typeof value === 'boolean' || value == null ? String(value).charAt(0) : 'o'
  }
  return key
}
