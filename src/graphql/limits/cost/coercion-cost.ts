import type {
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
  TypeNode,
  ValueNode,
} from 'graphql'
import { inputObjectOf, type InputValue } from './input-value.js'

/** How many input fields, values or characters take graphql-js as long as one response field: about 20 us. */
export const perUnit = 100
/** How many of its fields an input object itself takes as long as: 2 us, even if it is empty. */
const perObject = 10

/** The variables of an operation whose coercion is not trivial. */
export function inputVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
): ReadonlyMap<string, GraphQLInputObjectType> {
  const found = new Map<string, GraphQLInputObjectType>()
  for (const { variable, type } of variableDefinitions) {
    const named = schema.getType(nameOf(type))
    const input = named && inputObjectOf(named as GraphQLInputType)
    if (input && !('getInterfaces' in input)) found.set(variable.name.value, input)
  }
  return found
}

function nameOf(type: TypeNode): string {
  return type.kind === 'NamedType' ? type.name.value : nameOf(type.type)
}

/**
 * The number of input fields that graphql-js visits to coerce a JSON value: for each object all fields of
 * its type, present or not, and as many more as the object itself takes.
 */
export class CoercedFields {
  readonly #types = new Map<GraphQLInputObjectType, InputFields>()

  count(value: unknown, type: GraphQLInputObjectType): number {
    if (typeof value !== 'object' || value === null) return 0
    let found = 0
    if (Array.isArray(value)) {
      for (const item of value) found += this.count(item, type)
      return found
    }
    const { size, inner } = this.#fieldsOf(type)
    found = size
    if (inner.size === 0) return found
    for (const name of Object.keys(value)) {
      const innerType = inner.get(name)
      if (innerType) found += this.count((value as { [name: string]: unknown })[name], innerType)
    }
    return found
  }

  #fieldsOf(type: GraphQLInputObjectType): InputFields {
    let fields = this.#types.get(type)
    if (fields === undefined) {
      const all = Object.values(type.getFields())
      const inner = new Map<string, GraphQLInputObjectType>()
      for (const field of all) {
        const input = inputObjectOf(field.type)
        if (input) inner.set(field.name, input)
      }
      this.#types.set(type, (fields = { size: perObject + all.length, inner }))
    }
    return fields
  }
}

interface InputFields {
  /** What an object of the type counts. */
  readonly size: number
  /** The fields that are input objects. */
  readonly inner: ReadonlyMap<string, GraphQLInputObjectType>
}

/**
 * The cost of coercing the variables for several runs, by that of one. One run costs little beside the JSON
 * it was parsed from, so scalars only count in the others.
 */
export function costOfRuns(coercion: number, variables: unknown, runs: number): number {
  if (runs === 1) return coercion
  const values = Math.floor(valuesWithin(variables) / perUnit)
  return coercion * runs + values * (runs - 1)
}

/** The number of values in a JSON value, including itself, plus 1 for each 100 characters of text. */
function valuesWithin(value: unknown): number {
  if (typeof value === 'string') return 1 + textWeight(value)
  if (typeof value !== 'object' || value === null) return 1
  let found = 1
  if (Array.isArray(value)) {
    for (const item of value) found += valuesWithin(item)
    return found
  }
  for (const [name, member] of Object.entries(value)) {
    found += textWeight(name) + valuesWithin(member)
  }
  return found
}

/** The cost of text that is read, printed or sent each time. */
export function textWeight({ length }: string): number {
  return Math.floor(length / perUnit)
}

/**
 * The cost of literals in arguments, which graphql-js coerces for each object that has the field: 1 for
 * each value inside a list or an object, for each 100 characters of text, and for each 100 fields of the type
 * of an input object. A variable is coerced only
 * once, but inside the literal of a scalar it is converted to a literal each time.
 */
export class LiteralWeights {
  readonly #valueOf: (variable: string) => InputValue | undefined
  /** Many fields may use the same large variable. */
  readonly #variables = new Map<string, number>()
  readonly #types = new Map<GraphQLInputObjectType, number>()

  constructor(valueOf: (variable: string) => InputValue | undefined) {
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
        const input = type && inputObjectOf(type)
        const fields = input?.getFields()
        if (input) weight += this.#ofFields(input)
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

  /** All fields of an input object are visited, present or not. */
  #ofFields(type: GraphQLInputObjectType): number {
    let weight = this.#types.get(type)
    if (weight === undefined) {
      weight = Math.floor(Object.keys(type.getFields()).length / perUnit)
      this.#types.set(type, weight)
    }
    return weight
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
