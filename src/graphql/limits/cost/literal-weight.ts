import type { GraphQLInputType, ValueNode } from 'graphql'
import { inputObjectOf, type Given } from './given.js'
import { perUnit, textWeight, valuesWithin } from './variable-size.js'

/**
 * The cost of literals in arguments, which graphql-js coerces for each object that has the field: 1 for
 * each value inside a list or an object, and for each 100 characters of text. A variable is coerced only
 * once, but inside the literal of a scalar it is converted to a literal each time.
 */
export class LiteralWeights {
  readonly #valueOf: (variable: string) => Given | undefined
  /** Many fields may use the same large variable. */
  readonly #variables = new Map<string, number>()

  constructor(valueOf: (variable: string) => Given | undefined) {
    this.#valueOf = valueOf
  }

  /** `type` is undefined inside the literal of a scalar. */
  of(literal: ValueNode, type: GraphQLInputType | undefined): number {
    let weight = 0
    switch (literal.kind) {
      case 'ListValue': {
        const item = itemOf(type)
        for (const value of literal.values) weight += 1 + this.of(value, item)
        return weight
      }
      case 'ObjectValue': {
        const fields = type && inputObjectOf(type)?.getFields()
        for (const { name, value } of literal.fields) {
          weight += 1 + textWeight(name.value) + this.of(value, fields?.[name.value]?.type)
        }
        return weight
      }
      case 'Variable':
        return type ? 0 : this.#ofVariable(literal.name.value)
      case 'NullValue':
      case 'BooleanValue':
        return 0
      default:
        return textWeight(literal.value)
    }
  }

  #ofVariable(name: string): number {
    let weight = this.#variables.get(name)
    if (weight === undefined) {
      const value = this.#valueOf(name)
      if (value === undefined) weight = 0
      else if ('literal' in value) weight = this.of(value.literal, undefined)
      else weight = Math.floor(valuesWithin(value.value) / perUnit)
      this.#variables.set(name, weight)
    }
    return weight
  }
}

/** The item type of a list; undefined inside a scalar, which may accept any list. */
function itemOf(type: GraphQLInputType | undefined): GraphQLInputType | undefined {
  if (type === undefined || !('ofType' in type)) return undefined
  return String(type).endsWith('!') ? itemOf(type.ofType) : type.ofType
}
