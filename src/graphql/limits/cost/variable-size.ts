import type {
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
  TypeNode,
} from 'graphql'
import { inputObjectOf } from './given.js'

/** How many input fields, values or characters take graphql-js as long as one response field: about 20 us. */
export const perUnit = 100

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
 * its type, present or not.
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
      this.#types.set(type, (fields = { size: all.length, inner }))
    }
    return fields
  }
}

interface InputFields {
  readonly size: number
  /** The fields that are input objects. */
  readonly inner: ReadonlyMap<string, GraphQLInputObjectType>
}

/** The number of values in a JSON value, including itself, plus 1 for each 100 characters of text. */
export function valuesWithin(value: unknown): number {
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
