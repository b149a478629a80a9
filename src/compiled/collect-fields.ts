import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLObjectType,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import { remember } from '../base/remember.js'
import type { OperationFacts } from './operation-plan.js'

interface Collector {
  readonly facts: OperationFacts
  readonly variableValues: unknown
  readonly type: GraphQLObjectType
  readonly visited: Set<string>
  readonly fields: Map<string, FieldNode[]>
}

/**
 * CollectFields() of the GraphQL specification, section 6.3.2: the nodes of each response name, in the order in which the names
 * first occur. Throws what graphql-js throws for @skip and @include.
 */
export function collectFields(
  facts: OperationFacts,
  variableValues: unknown,
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const collector: Collector = {
    facts,
    variableValues,
    type,
    visited: new Set(),
    fields: new Map(),
  }
  for (const set of sets) if (set !== undefined) collect(collector, set)
  return collector.fields
}

function collect(collector: Collector, { selections }: SelectionSetNode): void {
  for (const selection of selections) {
    if (selection.kind === 'FragmentSpread') {
      collectSpread(collector, selection)
    } else if (isIncluded(collector, selection)) {
      if (selection.kind === 'Field') {
        const key = (selection.alias ?? selection.name).value
        remember(collector.fields, key, () => []).push(selection)
      } else if (applies(collector, selection)) collect(collector, selection.selectionSet)
    }
  }
}

function collectSpread(collector: Collector, spread: SelectionNode & { kind: 'FragmentSpread' }) {
  const { facts, visited } = collector
  const name = spread.name.value
  const isVisited = visited.has(name)
  // The directives of a further spread may fail, too; graphql 16 does not evaluate them.
  if (isVisited && !facts.is17) return
  if (!isIncluded(collector, spread) || isVisited) return
  visited.add(name)
  const fragment = facts.fragments[name]
  if (fragment !== undefined && applies(collector, fragment)) {
    collect(collector, fragment.selectionSet)
  }
}

/** Whether a fragment is for the type. */
function applies(
  { facts: { schema }, type }: Collector,
  { typeCondition }: Pick<FragmentDefinitionNode, 'typeCondition'> | { typeCondition?: undefined },
): boolean {
  if (typeCondition === undefined) return true
  const condition = schema.getType(typeCondition.name.value)
  if (condition === undefined || !('resolveType' in condition)) return condition === type
  return schema.isSubType(condition, type)
}

function isIncluded({ facts, variableValues }: Collector, node: SelectionNode): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  const { graphql } = facts
  const skip = graphql.getDirectiveValues(graphql.GraphQLSkipDirective, node, variableValues)
  if (skip?.['if'] === true) return false
  const include = graphql.getDirectiveValues(graphql.GraphQLIncludeDirective, node, variableValues)
  return include?.['if'] !== false
}
