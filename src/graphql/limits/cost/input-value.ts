import type {
  GraphQLArgument,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLInputType,
  ValueNode,
} from 'graphql'

/** An input value: a literal of a document, or an internal value from JSON or a code-first schema. */
export type InputValue = { readonly literal: ValueNode } | { readonly value: unknown }

/** The input object of a type, with lists and non-nulls unwrapped. */
export function inputObjectOf(type: GraphQLInputType): GraphQLInputObjectType | undefined {
  let named = type
  while ('ofType' in named) named = named.ofType
  return 'getFields' in named ? named : undefined
}

/** graphql 17 stores a default as a value or a literal, 16 as a value. */
export function defaultOf(declared: GraphQLArgument | GraphQLInputField): InputValue | undefined {
  const { defaultValue, default: input } = declared as {
    readonly defaultValue?: unknown
    readonly default?: { readonly value?: unknown; readonly literal?: ValueNode }
  }
  if (input?.literal !== undefined) return { literal: input.literal }
  const value = input?.value ?? defaultValue
  return value === undefined ? undefined : { value }
}

export function variableOf(input: InputValue): string | undefined {
  return 'literal' in input && input.literal.kind === 'Variable'
    ? input.literal.name.value
    : undefined
}

/** The items of a list, unwrapped; undefined if it is not a list. */
export function listIn(input: InputValue): readonly unknown[] | undefined {
  if ('literal' in input) {
    return input.literal.kind === 'ListValue' ? input.literal.values : undefined
  }
  return Array.isArray(input.value) ? input.value : undefined
}

/** Wraps an item of a list or a member of an object. */
export function partOf(whole: InputValue, part: unknown): InputValue {
  return 'literal' in whole ? { literal: part as ValueNode } : { value: part }
}

export function isObject(input: InputValue): boolean {
  if ('literal' in input) return input.literal.kind === 'ObjectValue'
  return typeof input.value === 'object' && input.value !== null
}

export function namesIn(input: InputValue): readonly string[] {
  if (!('literal' in input)) return Object.keys(input.value as object)
  return input.literal.kind === 'ObjectValue'
    ? input.literal.fields.map(({ name }) => name.value)
    : []
}

/** Undefined if the member is absent. */
export function memberOf(input: InputValue, name: string): InputValue | undefined {
  if ('literal' in input) {
    const fields = input.literal.kind === 'ObjectValue' ? input.literal.fields : []
    const field = fields.find((one) => one.name.value === name)
    return field && { literal: field.value }
  }
  const object = input.value as { readonly [name: string]: unknown }
  if (!Object.hasOwn(object, name) || object[name] === undefined) return undefined
  return { value: object[name] }
}
