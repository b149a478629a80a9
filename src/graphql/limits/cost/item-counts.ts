import type { GraphQLType } from 'graphql'
import { listIn, partOf, variableOf, type Given } from './given.js'

/** How many lists a type nests; 0 if it is not a list. */
export function listDepthOf(type: GraphQLType): number {
  return String(type).lastIndexOf('[') + 1
}

/** Counts the items of input lists, with those of the lists within them. */
export class ItemCounts {
  /** The value of a variable, or its default. */
  readonly #valueOf: (variable: string) => Given | undefined
  /** Many fields may use the same large variable. */
  readonly #variables = new Map<string, number>()

  constructor(valueOf: (variable: string) => Given | undefined) {
    this.#valueOf = valueOf
  }

  /** Undefined if the variable is absent. Any other value than a list is coerced to a list of one. */
  of(given: Given, listDepth: number): number | undefined {
    const variable = variableOf(given)
    if (variable === undefined) return this.#within(given, listDepth)
    const key = `${listDepth} ${variable}`
    const known = this.#variables.get(key)
    if (known !== undefined) return known
    const value = this.#valueOf(variable)
    const count = value && this.#within(value, listDepth)
    if (count !== undefined) this.#variables.set(key, count)
    return count
  }

  #within(given: Given, listDepth: number): number {
    const items = listIn(given)
    if (items === undefined) return isNull(given) ? 0 : 1
    if (listDepth < 2) return items.length
    let count = 0
    for (const item of items) {
      // A resolver may return one item for each list, even if it is empty.
      count += Math.max(1, this.of(partOf(given, item), listDepth - 1) ?? 0)
    }
    return count
  }
}

function isNull(given: Given): boolean {
  return 'literal' in given ? given.literal.kind === 'NullValue' : given.value == null
}
