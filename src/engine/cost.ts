import type {
  FieldNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql'
import { readFieldCost, toLiteralSize, toSize, type FieldCost } from './field-cost.js'
import type { Fragments } from './fragments.js'
import type { JsonObject } from './params.js'

/** How costs are counted. */
export interface CostSettings {
  /** The arguments that say how long a list will be. */
  readonly costSizeArguments: readonly string[]
  /** How long a list is taken to be where nothing says it. */
  readonly costListSize: number
  /** How long a list is taken to be at most, whatever an argument asks for. */
  readonly costMaxListSize: number
}

/** An operation of a valid document, and the variables that came with it. */
export interface CostInput {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  readonly definition: OperationDefinitionNode
  readonly variables: JsonObject | undefined
}

type Field = GraphQLField<unknown, unknown>

/**
 * Counts what operations may cost: a field 1 and, where it is a list, its children as many times as the
 * list may be long. Types of a fragment are added, and @skip and @include are taken to include. Where no size
 * comes from a variable, the cost of an operation is the same for ever and is counted once.
 */
export class CostCounter {
  readonly #settings: CostSettings
  readonly #operations = new WeakMap<OperationDefinitionNode, number>()
  readonly #fields = new WeakMap<Field, FieldCost>()

  constructor(settings: CostSettings) {
    this.#settings = settings
  }

  count(input: CostInput): number {
    const known = this.#operations.get(input.definition)
    if (known !== undefined) return known
    const count = new OperationCost(input, this.#settings, (field) => this.#ofField(field))
    const cost = count.total()
    if (!count.usesVariables) this.#operations.set(input.definition, cost)
    return cost
  }

  #ofField(field: Field): FieldCost {
    let cost = this.#fields.get(field)
    if (cost === undefined) {
      cost = readFieldCost(field, this.#settings.costSizeArguments)
      this.#fields.set(field, cost)
    }
    return cost
  }
}

/** What a field that holds its list one level below, as a connection does, says of the fields there. */
interface Sizes {
  readonly length: number
  /** The fields that it holds for; undefined where the schema does not say, and every list is meant. */
  readonly names: readonly string[] | undefined
}

const noSizes: Sizes = { length: 1, names: [] }

class OperationCost {
  /** Whether any size came from a variable. */
  usesVariables = false
  readonly #input: CostInput
  readonly #settings: CostSettings
  readonly #costOf: (field: Field) => FieldCost
  /** Each fragment is counted once for each kind of place, or spreads within spreads would double it. */
  readonly #fragmentCosts = new Map<string, number>()

  constructor(input: CostInput, settings: CostSettings, costOf: (field: Field) => FieldCost) {
    this.#input = input
    this.#settings = settings
    this.#costOf = costOf
  }

  total(): number {
    const { schema, definition } = this.#input
    const root = schema.getRootType(definition.operation)
    return root == null ? 0 : this.#ofSelections(definition.selectionSet, root, noSizes)
  }

  #ofSelections({ selections }: SelectionSetNode, parent: GraphQLNamedType, sizes: Sizes): number {
    let cost = 0
    for (const selection of selections) {
      if (selection.kind === 'Field') cost += this.#ofField(selection, parent, sizes)
      else if (selection.kind === 'FragmentSpread') {
        cost += this.#ofFragment(selection.name.value, sizes)
      } else {
        const name = selection.typeCondition?.name.value
        const type = name === undefined ? parent : this.#input.schema.getType(name)
        if (type) cost += this.#ofSelections(selection.selectionSet, type, sizes)
      }
    }
    return cost
  }

  #ofFragment(name: string, sizes: Sizes): number {
    const key = `${name} ${sizes.length} ${sizes.names?.join()}`
    const known = this.#fragmentCosts.get(key)
    if (known !== undefined) return known
    const fragment = this.#input.fragments.get(name)
    const type = fragment && this.#input.schema.getType(fragment.typeCondition.name.value)
    const cost = type ? this.#ofSelections(fragment.selectionSet, type, sizes) : 0
    this.#fragmentCosts.set(key, cost)
    return cost
  }

  #ofField(node: FieldNode, parent: GraphQLNamedType, sizes: Sizes): number {
    const name = node.name.value
    const field =
      'getFields' in parent ? (parent.getFields()[name] as Field | undefined) : undefined
    // Introspection is not in the sum: limits of its own hold for it.
    if (field === undefined || name.startsWith('__')) return name === '__typename' ? 1 : 0
    const cost = this.#costOf(field)
    let own = cost.weight
    for (const argument of node.arguments ?? []) {
      own += (cost.argumentWeights.get(argument.name.value) ?? 0) + countMembers(argument.value)
    }
    const type = node.selectionSet && this.#input.schema.getType(cost.typeName)
    // Of scalars, only a list whose length is asked for can be made long by a client.
    if (!type)
      return cost.isList && cost.sizeArguments.size > 0 ? own + this.#lengthOf(node, cost) : own
    const length = this.#lengthOf(node, cost)
    const inner = sizesBelow(cost, length)
    const times = timesOf(name, cost, length, inner, sizes)
    const children = this.#ofSelections(node.selectionSet, type, inner)
    // Nothing of anything is nothing, be the other endless.
    return times === 0 || children === 0 ? own : own + times * children
  }

  /** The longest that any size argument asks for, or what the schema or the settings assume. */
  #lengthOf(node: FieldNode, { sizeArguments, assumedSize }: FieldCost): number {
    let longest: number | undefined
    for (const [name, byDefault] of sizeArguments) {
      const given = node.arguments?.find((one) => one.name.value === name)
      // A default holds where nothing is given; `null` and -1 may mean "all".
      const size = given ? this.#sizeOf(given.value, byDefault) : byDefault
      if (size !== undefined) longest = Math.max(longest ?? 0, size)
    }
    const { costListSize, costMaxListSize } = this.#settings
    return Math.min(longest ?? assumedSize ?? costListSize, costMaxListSize)
  }

  #sizeOf(value: ValueNode, byDefault: number | undefined): number | undefined {
    if (value.kind !== 'Variable') return toLiteralSize(value)
    this.usesVariables = true
    const { variables = {}, definition } = this.#input
    const name = value.name.value
    if (Object.hasOwn(variables, name)) return toSize(variables[name])
    const declared = definition.variableDefinitions?.find((one) => one.variable.name.value === name)
    return declared?.defaultValue ? toLiteralSize(declared.defaultValue) : byDefault
  }
}

/** The values within a list or object: graphql-js coerces a literal anew for each object that has the field. */
function countMembers(value: ValueNode): number {
  if (value.kind === 'ListValue') return sum(value.values, (member) => 1 + countMembers(member))
  if (value.kind !== 'ObjectValue') return 0
  return sum(value.fields, (member) => 1 + countMembers(member.value))
}

function sum<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return items.reduce((total, item) => total + figure(item), 0)
}

function sizesBelow({ sizedFields, isList, sizeArguments }: FieldCost, length: number): Sizes {
  if (sizedFields.length > 0) return { length, names: sizedFields }
  return !isList && sizeArguments.size > 0 ? { length, names: undefined } : noSizes
}

/** How many times the children of a field are counted. */
function timesOf(
  name: string,
  { isList, sizeArguments }: FieldCost,
  length: number,
  inner: Sizes,
  outer: Sizes,
): number {
  if (outer.names?.includes(name)) return outer.length
  if (!isList || inner !== noSizes) return 1
  return outer.names === undefined && sizeArguments.size === 0 ? outer.length : length
}
