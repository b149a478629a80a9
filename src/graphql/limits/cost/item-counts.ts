import type { GraphQLType } from 'graphql'
import { listIn, partOf, variableOf, type InputValue } from './input-value.js'

/** How many lists a type nests; 0 if it is not a list. */
export function listDepthOf(type: GraphQLType): number {
  return String(type).lastIndexOf('[') + 1
}

/** Counts the items of input lists, with those of the lists within them. */
export class ItemCounts {
  /** The value of a variable, or its default. */
  readonly #valueOf: (variable: string) => InputValue | undefined
  /** Many fields may use the same large variable. */
  readonly #variables = new Map<string, number>()

  constructor(valueOf: (variable: string) => InputValue | undefined) {
    this.#valueOf = valueOf
  }

  /** Undefined if the variable is absent. Any other value than a list is coerced to a list of one. */
  of(input: InputValue, listDepth: number): number | undefined {
    const variable = variableOf(input)
    if (variable === undefined) return this.#within(input, listDepth)
    const key = `${listDepth} ${variable}`
    const cached = this.#variables.get(key)
    if (cached !== undefined) return cached
    const value = this.#valueOf(variable)
    const count = value && this.#within(value, listDepth)
    if (count !== undefined) this.#variables.set(key, count)
    return count
  }

  #within(input: InputValue, listDepth: number): number {
    const items = listIn(input)
    if (items === undefined) return isNull(input) ? 0 : 1
    if (listDepth < 2) return items.length
    let count = 0
    for (const item of items) {
      // A resolver may return one item for each list, even if it is empty.
      count += Math.max(1, this.of(partOf(input, item), listDepth - 1) ?? 0)
    }
    return count
  }
}

function isNull(input: InputValue): boolean {
  return 'literal' in input ? input.literal.kind === 'NullValue' : input.value == null
}
