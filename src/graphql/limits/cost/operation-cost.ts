import type {
  FieldNode,
  FragmentSpreadNode,
  GraphQLField,
  GraphQLNamedType,
  InlineFragmentNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import type { CostInput, CostSettings } from './cost-input.js'
import { countOf, isActive } from './active-directives.js'
import type { Declarations } from './declarations.js'
import type { FieldCost } from './field-cost.js'
import type { IntrospectionMeasure } from './introspection-size.js'
import { ListSizes } from './list-size.js'
import { LiteralWeights, inputVariables, perUnit } from './coercion-cost.js'
import {
  itemsOf,
  keyOf,
  noSizes,
  scalarsOf,
  sizesBelow,
  type SelectedField,
  type Sizes,
} from './passed-sizes.js'

/**
 * Computes the cost of one operation. A field costs 1; the children of a list are multiplied by its size.
 * For fragments on several object types the most expensive type counts, for interfaces the most expensive
 * declaration, and @skip and @include are ignored. With a measure of introspection only introspection is
 * counted, multiplied by the sizes of the lists around it.
 */
export class OperationCost {
  /** Whether introspection is used anywhere. */
  introspects = false
  isIncremental = false
  hasNegativeCount = false
  readonly #input: CostInput
  readonly #declarations: Declarations
  readonly #measure: IntrospectionMeasure | undefined
  readonly #lists: ListSizes
  readonly #literals: LiteralWeights
  /** Each fragment is computed once per context; otherwise nested spreads would take exponential time. */
  readonly #fragmentCosts = new Map<string, number>()
  /** The same goes for selections below a field of an interface, whose declarations can differ in their sizes. */
  #childCosts: Map<SelectionSetNode, Map<string, number>> | undefined

  constructor(
    input: CostInput,
    settings: CostSettings,
    declarations: Declarations,
    measure?: IntrospectionMeasure,
  ) {
    this.#input = input
    this.#declarations = declarations
    this.#measure = measure
    this.#lists = new ListSizes(input, settings)
    this.#literals = new LiteralWeights((variable) => this.#lists.valueOf(variable))
  }

  /** Whether any size came from a variable. */
  get usesVariables(): boolean {
    return this.#lists.usesVariables
  }

  total(): number {
    const { schema, definition } = this.#input
    const root = schema.getRootType(definition.operation)
    return root == null ? 0 : this.#ofSelections(definition.selectionSet, root, noSizes)
  }

  /** The cost of coercing the variables, which graphql-js does once. */
  ofVariables(): number {
    const { schema, definition } = this.#input
    const { coercedFields } = this.#declarations
    let count = 0
    for (const [name, type] of inputVariables(definition, schema)) {
      const input = this.#lists.valueOf(name)
      if (input && 'value' in input) count += coercedFields.count(input.value, type)
    }
    return Math.floor(count / perUnit)
  }

  #ofSelections({ selections }: SelectionSetNode, parent: GraphQLNamedType, sizes: Sizes): number {
    let cost = 0
    /** An object has one type: selections on other types are not executed for it. */
    let byType: Map<GraphQLNamedType, number> | undefined
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        cost += this.#ofField(selection, parent, sizes)
        continue
      }
      const type = this.#typeOf(selection, parent)
      if (type === undefined) continue
      let found =
        selection.kind === 'FragmentSpread'
          ? this.#ofFragment(selection.name.value, type, sizes)
          : this.#ofSelections(selection.selectionSet, type, sizes)
      found += this.#ofDirectives(selection)
      if (isObjectType(type)) {
        byType ??= new Map()
        byType.set(type, (byType.get(type) ?? 0) + found)
      } else cost += found
    }
    return byType ? cost + Math.max(...byType.values()) : cost
  }

  #typeOf(
    node: FragmentSpreadNode | InlineFragmentNode,
    parent: GraphQLNamedType,
  ): GraphQLNamedType | undefined {
    const { fragments, schema } = this.#input
    const condition =
      node.kind === 'FragmentSpread'
        ? fragments.get(node.name.value)?.typeCondition
        : node.typeCondition
    if (condition) return schema.getType(condition.name.value) ?? undefined
    return node.kind === 'FragmentSpread' ? undefined : parent
  }

  #ofFragment(name: string, type: GraphQLNamedType, sizes: Sizes): number {
    const key = `${name} ${keyOf(sizes)}`
    const cached = this.#fragmentCosts.get(key)
    if (cached !== undefined) return cached
    const fragment = this.#input.fragments.get(name)
    const cost = fragment ? this.#ofSelections(fragment.selectionSet, type, sizes) : 0
    this.#fragmentCosts.set(key, cost)
    return cost
  }

  #ofField(node: FieldNode, parent: GraphQLNamedType, sizes: Sizes): number {
    const name = node.name.value
    if (!('getInterfaces' in parent) || name.startsWith('__')) return this.#ofMetaField(node)
    const field = parent.getFields()[name] as GraphQLField<unknown, unknown> | undefined
    if (field === undefined) return 0
    const costs = this.#declarations.of(field, parent)
    if (costs.length === 1) return this.#ofDeclared(node, costs[0], sizes, false)
    return costs.reduce(
      (most, cost) => Math.max(most, this.#ofDeclared(node, cost, sizes, true)),
      0,
    )
  }

  /** Introspection is not part of the cost; it has a limit of its own. */
  #ofMetaField(node: FieldNode): number {
    if (node.name.value === '__typename') return this.#measure ? 0 : 1
    this.introspects = true
    return this.#measure?.ofField(node) ?? 0
  }

  #ofDeclared(node: FieldNode, cost: FieldCost, sizes: Sizes, isOneOfSeveral: boolean): number {
    const { selectionSet } = node
    const own = this.#measure ? 0 : this.#weightOf(node, cost)
    const type = selectionSet && this.#input.schema.getType(cost.typeName)
    if (!type) return own + (this.#measure ? 0 : this.#ofScalars(node, cost, sizes))
    const field = this.#selected(node, cost, sizes)
    const items = itemsOf(field)
    const inner = sizesBelow(field, items)
    const times = this.#timesOf(items, cost)
    let children = isOneOfSeveral
      ? this.#ofChildren(selectionSet, type, inner)
      : this.#ofSelections(selectionSet, type, inner)
    children += this.#ofDirectives(node)
    // 0 times Infinity would be NaN.
    return times === 0 || children === 0 ? own : own + times * children
  }

  /** The cost of the field itself, including its arguments. */
  #weightOf(node: FieldNode, { weight, argumentTypes, argumentWeights }: FieldCost): number {
    let own = weight
    for (const { name, value } of node.arguments ?? []) {
      own += argumentWeights.get(name.value) ?? 0
      own += this.#literals.of(value, argumentTypes.get(name.value))
    }
    return own
  }

  #ofScalars(node: FieldNode, cost: FieldCost, sizes: Sizes): number {
    const streams = this.#ofDirectives(node)
    if (streams > 0) return streams * itemsOf(this.#selected(node, cost, sizes))
    const length = () => this.#lists.lengthOf(node, cost)
    return this.#timesOf(scalarsOf(node.name.value, cost, length, sizes), cost)
  }

  #selected(node: FieldNode, cost: FieldCost, above: Sizes): SelectedField {
    return { name: node.name.value, cost, own: this.#lists.lengthOf(node, cost), above }
  }

  #timesOf(items: number, cost: FieldCost): number {
    return items === 0 ? 0 : items * this.#lists.withinItem(cost)
  }

  /** An active @defer costs 1, and an active @stream 1 for each item. */
  #ofDirectives({ directives = [] }: SelectionNode): number {
    let active = 0
    if (this.#measure !== undefined) return active
    for (const directive of directives) {
      if (!isActive(directive, (name) => this.#lists.valueOf(name))) continue
      active += 1
      this.isIncremental = true
      this.hasNegativeCount ||= countOf(directive, (name) => this.#lists.valueOf(name)) < 0
    }
    return active
  }

  /** All declarations of a field of an interface lead to the same type. */
  #ofChildren(selectionSet: SelectionSetNode, type: GraphQLNamedType, sizes: Sizes): number {
    this.#childCosts ??= new Map()
    let costs = this.#childCosts.get(selectionSet)
    if (costs === undefined) this.#childCosts.set(selectionSet, (costs = new Map()))
    const key = keyOf(sizes)
    let cost = costs.get(key)
    if (cost === undefined) costs.set(key, (cost = this.#ofSelections(selectionSet, type, sizes)))
    return cost
  }
}

/** Whether objects of this type can have no other type. */
function isObjectType(type: GraphQLNamedType): boolean {
  return 'getInterfaces' in type && !('resolveType' in type)
}
