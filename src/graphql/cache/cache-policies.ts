import type {
  DirectiveNode,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
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
    const selections = new OperationPolicy(operation, this.#declaredBy(schema))
    const policy = selections.total()
    if (!selections.usesVariables) this.#operations.set(definition, policy)
    return policy
  }

  #declaredBy(schema: GraphQLSchema): DeclaredPolicies {
    let declared = this.#declared.get(schema)
    if (declared === undefined) {
      declared = new DeclaredPolicies(schema)
      this.#declared.set(schema, declared)
    }
    return declared
  }
}

/** The policy of one operation. Each selection is visited once, or twice if it is at the root, too. */
class OperationPolicy {
  /** Whether a variable decides what is selected. */
  usesVariables = false
  readonly #operation: Operation
  readonly #declared: DeclaredPolicies
  readonly #visited = { atRoot: new Set<string>(), nested: new Set<string>() }
  #policy = unrestricted

  constructor(operation: Operation, declared: DeclaredPolicies) {
    this.#operation = operation
    this.#declared = declared
  }

  total(): CachePolicy {
    const { schema, definition } = this.#operation
    const root = schema.getRootType(definition.operation) ?? undefined
    this.#visit(definition.selectionSet, root, 'atRoot')
    return this.#policy
  }

  #visit(
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    place: 'atRoot' | 'nested',
  ): void {
    for (const selection of selections) {
      if (this.#isLeftOut(selection)) continue
      if (selection.kind === 'Field') this.#visitField(selection, parent, place)
      else if (selection.kind === 'InlineFragment') {
        const { typeCondition, selectionSet } = selection
        this.#visit(selectionSet, typeCondition ? this.#typeOf(typeCondition) : parent, place)
      } else this.#visitFragment(selection.name.value, place)
    }
  }

  #visitField(
    { name: { value: name }, selectionSet }: SelectionNode & { readonly kind: 'Field' },
    parent: GraphQLNamedType | undefined,
    place: 'atRoot' | 'nested',
  ): void {
    if (name === '__typename') return
    const hasFields = parent !== undefined && 'getInterfaces' in parent
    const field = hasFields ? parent.getFields()[name] : undefined
    // `__schema` and `__type` are not fields of the type: nothing says how long the schema stays the same.
    if (!hasFields || field === undefined) {
      this.#policy = restrict(this.#policy, notStored)
      return
    }
    const policies = this.#declared.of(field, parent)
    this.#policy = restrict(this.#policy, policies[place])
    if (selectionSet !== undefined) this.#visit(selectionSet, policies.type, 'nested')
  }

  #visitFragment(name: string, place: 'atRoot' | 'nested'): void {
    const visited = this.#visited[place]
    if (visited.has(name)) return
    visited.add(name)
    const fragment = this.#operation.document.fragments.get(name)
    if (fragment !== undefined) {
      this.#visit(fragment.selectionSet, this.#typeOf(fragment.typeCondition), place)
    }
  }

  #typeOf({ name }: { readonly name: { readonly value: string } }): GraphQLNamedType | undefined {
    return this.#operation.schema.getType(name.value) ?? undefined
  }

  #isLeftOut(selection: SelectionNode): boolean {
    const { directives = [] } = selection
    if (directives.length === 0) return false
    const { definition, params } = this.#operation
    this.usesVariables ||= directives.some(readsVariable)
    return isLeftOut(selection, definition, params.variables ?? {})
  }
}

/** Whether it is a @skip or @include with a variable. */
function readsVariable({ name, arguments: args = [] }: DirectiveNode): boolean {
  const isCondition = name.value === 'skip' || name.value === 'include'
  return isCondition && args.some(({ value }) => value.kind === 'Variable')
}
