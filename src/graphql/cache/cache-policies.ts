import type {
  DirectiveNode,
  FieldNode,
  GraphQLNamedType,
  GraphQLSchema,
  NamedTypeNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { remember } from '../../base/remember.js'
import type { Operation } from '../execute/operation.js'
import { isLeftOut } from '../limits/root-fields.js'
import {
  DeclaredPolicies,
  notStored,
  restrict,
  unrestricted,
  type CachePolicy,
} from './cache-policy.js'

/**
 * Computes how the responses of operations may be stored: the minimum over their selections. Unless a variable
 * decides what is selected, that is done once for each operation.
 */
export class CachePolicies {
  readonly #operations = new WeakMap<OperationDefinitionNode, CachePolicy>()
  readonly #declared = new WeakMap<GraphQLSchema, DeclaredPolicies>()

  of(operation: Operation): CachePolicy {
    const { definition, schema } = operation
    const cached = this.#operations.get(definition)
    if (cached !== undefined) return cached
    const declared = remember(this.#declared, schema, () => new DeclaredPolicies(schema))
    const { policy, usesVariables } = computePolicy(operation, declared)
    if (!usesVariables) this.#operations.set(definition, policy)
    return policy
  }
}

interface OperationPolicy {
  readonly policy: CachePolicy
  /** Whether a variable decides what is selected. */
  readonly usesVariables: boolean
}

/** The policy of one operation. Each selection is visited once, or twice if it is at the root, too. */
function computePolicy(
  { schema, definition, document, params }: Operation,
  declared: DeclaredPolicies,
): OperationPolicy {
  const visited = { atRoot: new Set<string>(), nested: new Set<string>() }
  let policy = unrestricted
  let usesVariables = false
  visit(definition.selectionSet, schema.getRootType(definition.operation), 'atRoot')
  return { policy, usesVariables }

  function visit({ selections }: SelectionSetNode, parent: ParentType, place: PolicyPlace): void {
    for (const selection of selections) {
      usesVariables ||= selection.directives?.some(readsVariable) ?? false
      if (isLeftOut(selection, definition, params.variables ?? {})) continue
      if (selection.kind === 'Field') visitField(selection, parent, place)
      else if (selection.kind === 'InlineFragment') {
        const { typeCondition, selectionSet } = selection
        visit(selectionSet, typeCondition ? typeOf(typeCondition) : parent, place)
      } else visitFragment(selection.name.value, place)
    }
  }

  function visitField(
    { name: { value: name }, selectionSet }: FieldNode,
    parent: ParentType,
    place: PolicyPlace,
  ): void {
    if (name === '__typename') return
    const hasFields = parent && 'getInterfaces' in parent
    const field = hasFields ? parent.getFields()[name] : undefined
    // `__schema` and `__type` are not fields of the type: nothing says how long the schema stays the same.
    if (!hasFields || field === undefined) {
      policy = restrict(policy, notStored)
      return
    }
    const policies = declared.of(field, parent)
    policy = restrict(policy, policies[place])
    if (selectionSet !== undefined) visit(selectionSet, policies.type, 'nested')
  }

  function visitFragment(name: string, place: PolicyPlace): void {
    if (visited[place].has(name)) return
    visited[place].add(name)
    const fragment = document.fragments.get(name)
    if (fragment !== undefined) visit(fragment.selectionSet, typeOf(fragment.typeCondition), place)
  }

  function typeOf({ name }: NamedTypeNode): ParentType {
    return schema.getType(name.value)
  }
}

type ParentType = GraphQLNamedType | null | undefined
type PolicyPlace = 'atRoot' | 'nested'

/** Whether it is a @skip or @include with a variable. */
function readsVariable({ name, arguments: args = [] }: DirectiveNode): boolean {
  const isCondition = name.value === 'skip' || name.value === 'include'
  return isCondition && args.some(({ value }) => value.kind === 'Variable')
}
