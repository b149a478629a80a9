import type {
  GraphQLArgument,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLInputType,
  ValueNode,
} from 'graphql'

/** An input value: a literal of a document, or an internal value from JSON or a code-first schema. */
export type Given = { readonly literal: ValueNode } | { readonly value: unknown }

/** The input object of a type, with lists and non-nulls unwrapped. */
export function inputObjectOf(type: GraphQLInputType): GraphQLInputObjectType | undefined {
  let named = type
  while ('ofType' in named) named = named.ofType
  return 'getFields' in named ? named : undefined
}

/** graphql 17 stores a default as a value or a literal, 16 as a value. */
export function defaultOf(declared: GraphQLArgument | GraphQLInputField): Given | undefined {
  const { defaultValue, default: input } = declared as {
    readonly defaultValue?: unknown
    readonly default?: { readonly value?: unknown; readonly literal?: ValueNode }
  }
  if (input?.literal !== undefined) return { literal: input.literal }
  const value = input?.value ?? defaultValue
  return value === undefined ? undefined : { value }
}

export function variableOf(given: Given): string | undefined {
  return 'literal' in given && given.literal.kind === 'Variable'
    ? given.literal.name.value
    : undefined
}

/** The items of a list, unwrapped; undefined if it is not a list. */
export function listIn(given: Given): readonly unknown[] | undefined {
  if ('literal' in given) {
    return given.literal.kind === 'ListValue' ? given.literal.values : undefined
  }
  return Array.isArray(given.value) ? given.value : undefined
}

/** Wraps an item of a list or a member of an object. */
export function partOf(whole: Given, part: unknown): Given {
  return 'literal' in whole ? { literal: part as ValueNode } : { value: part }
}

export function isObject(given: Given): boolean {
  if ('literal' in given) return given.literal.kind === 'ObjectValue'
  return typeof given.value === 'object' && given.value !== null
}

export function namesIn(given: Given): readonly string[] {
  if (!('literal' in given)) return Object.keys(given.value as object)
  return given.literal.kind === 'ObjectValue'
    ? given.literal.fields.map(({ name }) => name.value)
    : []
}

/** Undefined if the member is absent. */
export function memberOf(given: Given, name: string): Given | undefined {
  if ('literal' in given) {
    const fields = given.literal.kind === 'ObjectValue' ? given.literal.fields : []
    const field = fields.find((one) => one.name.value === name)
    return field && { literal: field.value }
  }
  const object = given.value as { readonly [name: string]: unknown }
  if (!Object.hasOwn(object, name) || object[name] === undefined) return undefined
  return { value: object[name] }
}
