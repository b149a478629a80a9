import type { FieldNode, ValueNode } from 'graphql'
import type { CostInput, CostSettings } from './cost-input.js'
import type { FieldCost, SizeArgument } from './field-cost.js'
import {
  countToRequestedSize,
  InputSizes,
  largest,
  noInputSize,
  toRequestedSize,
  type InputArgument,
  type InputSize,
  type RequestedSize,
} from './input-size.js'
import type { InputValue } from './input-value.js'
import { ItemCounts } from './item-counts.js'

/** The size that a field gives its own list or, if it is not a list, the lists inside it. */
export interface Length {
  readonly length: number
  /** The size requested by the document or the schema; 0 if it is only assumed by the settings. */
  readonly said: number
  /** The number of items in the longest list among the arguments, if more than the assumed size. */
  readonly listed: number
  /** Whether the size comes from a size argument. */
  readonly isExact: boolean
}

/** Computes sizes of the lists of an operation from the schema, the arguments and the settings. */
export class ListSizes {
  /** Whether any size came from a variable. */
  usesVariables = false
  readonly #input: CostInput
  readonly #settings: CostSettings
  readonly #counts = new ItemCounts((variable) => this.valueOf(variable))
  /** By the names of the size fields. */
  readonly #inputSizes = new Map<string, InputSizes>()

  constructor(input: CostInput, settings: CostSettings) {
    this.#input = input
    this.#settings = settings
  }

  /** The largest size that an argument requests, or else the size assumed by the schema or the settings. */
  lengthOf(node: FieldNode, cost: FieldCost): Length {
    const { costListSize, costMaxListSize } = this.#settings
    let exact: number | undefined
    const inputs = this.#ofInputs(node, cost)
    // A field `limit` of a filter could mean anything, so it never makes a list shorter.
    let said = inputs.size ?? 0
    let least = 0
    for (const argument of cost.sizeArguments) {
      const requested = this.#requestedBy(argumentOf(node, argument.name), argument)
      if (requested === undefined) continue
      if (requested.isExact) exact = Math.max(exact ?? 0, requested.size)
      else {
        said = Math.max(said, requested.size)
        least = costListSize
      }
    }
    const isExact = exact !== undefined
    if (!isExact && cost.assumedSize === undefined) least = costListSize
    const listed =
      cost.assumedSize === undefined ? this.#longestListArgument(node, cost, inputs) : 0
    said = Math.max(said, exact ?? cost.assumedSize ?? listed)
    return {
      length: Math.min(Math.max(said, least), costMaxListSize),
      said: Math.min(said, costMaxListSize),
      listed: listed > costListSize ? Math.min(listed, costMaxListSize) : 0,
      isExact,
    }
  }

  /** The number of objects per item: more than one if items are lists themselves. */
  withinItem({ listDepth }: FieldCost): number {
    const { costListSize, costMaxListSize } = this.#settings
    return listDepth < 2 ? 1 : Math.min(costListSize, costMaxListSize) ** (listDepth - 1)
  }

  /** A list selected by a list argument, for example of ids, is as long as the argument. */
  #longestListArgument(node: FieldNode, cost: FieldCost, inputs: InputSize): number {
    let { longest } = inputs
    for (const { name, listDepth, byDefault } of cost.listArguments) {
      const literal = argumentOf(node, name)
      const count = literal && this.#counts.of({ literal }, listDepth)
      longest = Math.max(longest, count ?? byDefault)
    }
    return longest
  }

  /** The combined sizes of all arguments that are input objects. */
  #ofInputs(node: FieldNode, cost: FieldCost): InputSize {
    let most = noInputSize
    for (const argument of cost.inputArguments) {
      most = largest(most, this.#ofInput(node, argument, cost))
    }
    return most
  }

  /** The size in an argument that is an input object; its default if it is absent. */
  #ofInput(node: FieldNode, argument: InputArgument, { sizeFields }: FieldCost): InputSize {
    const key = sizeFields.join(' ')
    let sizes = this.#inputSizes.get(key)
    if (sizes === undefined) {
      sizes = new InputSizes(sizeFields, (variable) => this.valueOf(variable))
      this.#inputSizes.set(key, sizes)
    }
    const { name, type, byDefault } = argument
    const literal = argumentOf(node, name)
    const size = literal && sizes.read({ literal }, type)
    return size ?? (byDefault && sizes.read(byDefault, type)) ?? noInputSize
  }

  /** The default applies only if there is no value; `null` may mean "all". */
  #requestedBy(
    value: ValueNode | undefined,
    { listDepth, byDefault }: SizeArgument,
  ): RequestedSize | undefined {
    if (listDepth > 0) {
      const count = value && this.#counts.of({ literal: value }, listDepth)
      return count === undefined ? byDefault : countToRequestedSize(count)
    }
    const resolved = value && this.#resolve(value)
    return resolved ? toRequestedSize(resolved) : byDefault
  }

  #resolve(literal: ValueNode): InputValue | undefined {
    return literal.kind === 'Variable' ? this.valueOf(literal.name.value) : { literal }
  }

  /** The value of a variable, or its default; undefined if it has neither. */
  valueOf(name: string): InputValue | undefined {
    if (this.#hasVariable(name)) return { value: this.#input.variables?.[name] }
    const literal = this.#defaultOf(name)
    return literal && { literal }
  }

  #hasVariable(name: string): boolean {
    this.usesVariables = true
    const { variables } = this.#input
    return variables !== undefined && Object.hasOwn(variables, name)
  }

  #defaultOf(name: string): ValueNode | undefined {
    const { variableDefinitions } = this.#input.definition
    return variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  }
}

function argumentOf(node: FieldNode, name: string): ValueNode | undefined {
  return node.arguments?.find((one) => one.name.value === name)?.value
}
