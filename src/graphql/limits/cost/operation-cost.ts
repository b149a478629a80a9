import type {
  FieldNode,
  FragmentSpreadNode,
  GraphQLField,
  GraphQLNamedType,
  InlineFragmentNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import { countOf, isActive } from './active-directives.js'
import type { FieldCost } from './field-costs.js'
import type { IntrospectionMeasure } from './introspection-size.js'
import type { FieldInput, OperationInputs } from './operation-inputs.js'

/** The size that a field passes on to the lists below it, until one takes it. */
interface PassedSize {
  /** 0 if there is none. */
  readonly size: number
  /** The fields that have this size; it can only make others longer. */
  readonly fields: readonly string[]
}

const noSize: PassedSize = { size: 0, fields: [] }

/** Beyond every limit but Infinity. */
const unlimited = Number.MAX_SAFE_INTEGER

/** The fields of a connection that are its list. */
const connectionFields = ['edges', 'nodes']

/** Computes the cost of one operation; the rule is in docs/limits.md. */
export class OperationCost {
  /** Introspection within a list, whose length is only assumed, has no limit. */
  introspectionSize = 0
  isIncremental = false
  hasNegativeCount = false
  readonly #inputs: OperationInputs
  readonly #introspection: IntrospectionMeasure
  /** Each fragment is computed once for each passed size; otherwise nested spreads would take exponential time. */
  readonly #fragments = new Map<string, { readonly cost: number; readonly introspection: number }>()

  constructor(inputs: OperationInputs, introspection: IntrospectionMeasure) {
    this.#inputs = inputs
    this.#introspection = introspection
  }

  total(): number {
    const { schema, definition } = this.#inputs.input
    const root = schema.getRootType(definition.operation)
    return root == null ? 0 : this.#ofSelections(definition.selectionSet, root, noSize)
  }

  #ofSelections(
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType,
    passed: PassedSize,
  ): number {
    let cost = 0
    /** An object has one type: selections on other types are not executed for it. */
    let byType: Map<GraphQLNamedType, number> | undefined
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        cost += this.#ofField(selection, parent, passed)
        continue
      }
      const type = this.#typeOf(selection, parent)
      if (type === undefined) continue
      const found = this.#ofDirectives(selection) + this.#ofFragment(selection, type, passed)
      if ('getInterfaces' in type && !('resolveType' in type)) {
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
    const { schema, fragments } = this.#inputs.input
    const { typeCondition } =
      node.kind === 'InlineFragment' ? node : (fragments.get(node.name.value) ?? {})
    if (typeCondition) return schema.getType(typeCondition.name.value)
    return node.kind === 'InlineFragment' ? parent : undefined
  }

  #ofFragment(
    node: FragmentSpreadNode | InlineFragmentNode,
    type: GraphQLNamedType,
    passed: PassedSize,
  ): number {
    if (node.kind === 'InlineFragment') return this.#ofSelections(node.selectionSet, type, passed)
    const name = node.name.value
    const key = `${name} ${passed.size} ${passed.fields.join()}`
    const known = this.#fragments.get(key)
    if (known !== undefined) {
      this.introspectionSize += known.introspection
      return known.cost
    }
    const before = this.introspectionSize
    const fragment = this.#inputs.input.fragments.get(name)
    const cost = fragment ? this.#ofSelections(fragment.selectionSet, type, passed) : 0
    this.#fragments.set(key, { cost, introspection: this.introspectionSize - before })
    return cost
  }

  #ofField(node: FieldNode, parent: GraphQLNamedType, passed: PassedSize): number {
    const name = node.name.value
    if (name === '__typename' || !('getInterfaces' in parent)) return 1
    if (name.startsWith('__')) {
      this.introspectionSize += this.#introspection.ofField(node)
      return 0
    }
    const field = parent.getFields()[name] as GraphQLField<unknown, unknown> | undefined
    if (field === undefined) return 0
    const cost = this.#inputs.fields.of(field, parent)
    const found = this.#inputs.ofField(node, cost.declarations)
    const before = this.introspectionSize
    let children = this.#ofDirectives(node)
    if (node.selectionSet) {
      children += this.#ofSelections(node.selectionSet, cost.type, passOn(cost, found, passed))
    } else if (cost.listDepth > 0 && Math.max(found.requested, passed.size) > 0) {
      children += 1
    }
    if (cost.listDepth > 0 && this.introspectionSize > before) this.introspectionSize = unlimited
    const items = this.#itemsOf(name, cost, found, passed)
    // 0 times Infinity would be NaN.
    return items === 0 || children === 0 ? found.weight : found.weight + items * children
  }

  #itemsOf(
    name: string,
    { listDepth }: FieldCost,
    { size, requested }: FieldInput,
    passed: PassedSize,
  ): number {
    if (listDepth === 0) return 1
    const { costListSize, costMaxListSize } = this.#inputs.fields.settings
    const items = Math.max(passed.size, passed.fields.includes(name) ? requested : size)
    return items * Math.min(costListSize, costMaxListSize) ** (listDepth - 1)
  }

  /** An active @defer, and each item of an active @stream, cost what graphql-js needs for a result of its own. */
  #ofDirectives({ directives = [] }: SelectionNode): number {
    const { valueOf } = this.#inputs
    let active = 0
    for (const directive of directives) {
      if (!isActive(directive, valueOf)) continue
      active += incrementalCost
      this.isIncremental = true
      this.hasNegativeCount ||= countOf(directive, valueOf) < 0
    }
    return active
  }
}

/** A deferred group or streamed item takes graphql-js many times the CPU of a field, and up to 2 KB until it is sent. */
const incrementalCost = 10

function passOn(
  { listDepth, sizedFields, declarations }: FieldCost,
  { size, requested }: FieldInput,
  passed: PassedSize,
): PassedSize {
  const isList = listDepth > 0
  const least = isList ? 0 : passed.size
  const passes = requested > 0 || declarations.some(({ hasSizeArgument }) => hasSizeArgument)
  if (sizedFields !== undefined || (passes && !isList)) {
    return { size: Math.max(size, least), fields: sizedFields ?? connectionFields }
  }
  return least === 0 ? noSize : { size: least, fields: [] }
}
