import type {
  GraphQLArgument,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLInputType,
  ValueNode,
} from 'graphql'

/** How many input values take graphql-js as long as a field. */
export const valuesPerField = 25

/** What an input object takes besides its fields. */
const valuesPerObject = 10

/** What a list within a list takes besides its items. */
const valuesPerInnerList = 7

/** What an input value holds. */
export interface InputMeasure {
  /** The number of values, with what input objects take and each field that they could have, and each 100 characters of text. */
  readonly values: number
  /** The largest number in a field with the name of a size argument. */
  readonly size: number
  /** The number of items of the longest list, including those of nested lists. */
  readonly items: number
}

type InputSum = { -readonly [figure in keyof InputMeasure]: number }

const nothing: InputMeasure = { values: 0, size: 0, items: 0 }

/** What matters of the type of an input value. */
export interface InputKind {
  /** How many lists are around a value; the item of a list can be given in place of it. */
  readonly lists: number
  /** Of an item, if it is a list. */
  readonly item: InputKind | undefined
  /** The input object, with lists and non-nulls unwrapped; undefined for scalars. */
  readonly type: GraphQLInputObjectType | undefined
  /** Whether no object fits, as for an enum. */
  readonly isPlain: boolean
}

const anything: InputKind = { lists: 0, item: undefined, type: undefined, isPlain: false }
const unknownField: InputKind = { ...anything, isPlain: true }
const builtIns = new Set(['Boolean', 'Float', 'ID', 'Int', 'String'])

export function inputKindOf(type: GraphQLInputType): InputKind {
  if ('ofType' in type) {
    const inner = inputKindOf(type.ofType)
    return String(type).endsWith('!') ? inner : listOfKind(inner)
  }
  return {
    ...anything,
    type: 'getFields' in type ? type : undefined,
    isPlain: 'getValues' in type || builtIns.has(type.name),
  }
}

export function listOfKind(item: InputKind): InputKind {
  return { ...item, lists: item.lists + 1, item }
}

/** The value that a literal would have in JSON. */
export function toJson(literal: ValueNode, valueOf: (variable: string) => unknown): unknown {
  switch (literal.kind) {
    case 'Variable':
      return valueOf(literal.name.value)
    case 'ListValue':
      return literal.values.map((item) => toJson(item, valueOf))
    case 'ObjectValue':
      return Object.fromEntries(
        literal.fields.map(({ name, value }) => [name.value, toJson(value, valueOf)]),
      )
    case 'NullValue':
      return null
    case 'IntValue':
      return Number(literal.value)
    case 'FloatValue':
      return numberIn(literal.value)
    default:
      return literal.value
  }
}

/** graphql 17 stores a default as a value or a literal, 16 as a value. */
export function defaultOf(declared: GraphQLArgument | GraphQLInputField): unknown {
  const { defaultValue, default: input } = declared as {
    readonly defaultValue?: unknown
    readonly default?: { readonly value?: unknown; readonly literal?: ValueNode }
  }
  const literal = input?.literal
  return literal ? toJson(literal, () => undefined) : (input?.value ?? defaultValue)
}

/** The list size that a value requests: 0 if it is absent, and at least `unusable` if it is not a positive number. */
export function sizeIn(value: unknown, unusable: number): number {
  if (value == null) return 0
  let size = 0
  if (typeof value === 'string') size = numberIn(value)
  else if (typeof value === 'number' || typeof value === 'bigint') size = Number(value)
  else if (Array.isArray(value)) size = value.length
  // Resolvers that count up to half an item return one. Products of sizes must not become NaN.
  size = Math.ceil(Math.min(size || 0, Number.MAX_SAFE_INTEGER))
  return typeof value === 'number' && size > 0 ? size : Math.max(unusable, size)
}

/** Scalars parse text differently: to `parseInt`, 99999e-5 is 99,999. */
function numberIn(text: string): number {
  return Math.max(Number(text) || 0, Number.parseInt(text, 10) || 0)
}

interface MeasuredField extends InputKind {
  readonly name: string
  readonly isSize: boolean
  /** What its default holds. */
  byDefault: InputMeasure
}

interface InputFields {
  readonly byName: Map<string, MeasuredField>
  readonly withDefault: MeasuredField[]
}

type VariableMeasures = ReadonlyMap<unknown, InputMeasure> | undefined

/** Measures the input values of a schema. */
export class InputMeasures {
  readonly #sizeNames: readonly string[]
  readonly #types = new Map<GraphQLInputObjectType, InputFields>()

  constructor(sizeNames: readonly string[]) {
    this.#sizeNames = sizeNames
  }

  /** Many fields may use a large variable, which is measured once. Without variables, scalars are not looked into. */
  of(value: unknown, kind: InputKind, variables?: VariableMeasures): InputMeasure {
    const sum = { ...nothing }
    this.#add(sum, value, kind, variables)
    return sum
  }

  /** Returns the number of items. */
  #add(sum: InputSum, value: unknown, kind: InputKind, variables: VariableMeasures): number {
    sum.values += typeof value === 'string' ? 1 + hundredsIn(value) : 1
    if (!Array.isArray(value) && value !== null) sum.values += kind.lists
    if (typeof value !== 'object' || value === null) return 1
    // Looking for each object of a large variable would take half of the time.
    const variable = variables?.size ? variables.get(value) : undefined
    if (variable !== undefined) {
      sum.values += variable.values
      addSizes(sum, variable)
      return Array.isArray(value) ? variable.items : 1
    }
    if (Array.isArray(value)) return this.#addItems(sum, value, kind, variables)
    const members = value as { readonly [name: string]: unknown }
    if (kind.type !== undefined) this.#addFields(sum, members, kind.type, variables)
    else if (variables !== undefined) {
      for (const name in members) {
        sum.values += hundredsIn(name) + (kind.isPlain ? unfitMember : 0)
        this.#add(sum, members[name], kind.isPlain ? unknownField : anything, variables)
      }
    }
    return 1
  }

  #addItems(
    sum: InputSum,
    list: readonly unknown[],
    kind: InputKind,
    variables: VariableMeasures,
  ): number {
    let items = 0
    // A resolver may return an item for an empty list within a list.
    const { item: itemKind = kind } = kind
    for (const item of list) {
      if (itemKind.item !== undefined && Array.isArray(item)) sum.values += valuesPerInnerList
      items += Math.max(1, this.#add(sum, item, itemKind, variables))
    }
    if (kind.item !== undefined) sum.items = Math.max(sum.items, items)
    return items
  }

  #addFields(
    sum: InputSum,
    members: { readonly [name: string]: unknown },
    type: GraphQLInputObjectType,
    variables: VariableMeasures,
  ): void {
    const { byName, withDefault } = this.#fieldsOf(type)
    sum.values += valuesPerObject + byName.size
    for (const name in members) {
      const field = byName.get(name)
      const member = members[name]
      if (field === undefined) {
        sum.values += unfitMember
        this.#add(sum, member, unknownField, variables)
        continue
      }
      if (member === undefined) continue
      if (field.isSize) sum.size = Math.max(sum.size, sizeIn(member, 0))
      if (typeof member === 'number' || typeof member === 'boolean') continue
      // It is among the fields of the type.
      sum.values -= 1
      this.#add(sum, member, field, variables)
    }
    for (const { name, byDefault } of withDefault) {
      if (!Object.hasOwn(members, name) || members[name] === undefined) addSizes(sum, byDefault)
    }
  }

  #fieldsOf(type: GraphQLInputObjectType): InputFields {
    const known = this.#types.get(type)
    if (known !== undefined) return known
    const fields: InputFields = { byName: new Map(), withDefault: [] }
    // Set first, since input types and their defaults can be recursive.
    this.#types.set(type, fields)
    for (const declared of Object.values(type.getFields())) {
      const { name } = declared
      const isSize = this.#sizeNames.includes(name) && !noSize.test(String(declared.type))
      const field = { ...inputKindOf(declared.type), name, isSize, byDefault: nothing }
      fields.byName.set(name, field)
      const value = defaultOf(declared)
      if (value == null) continue
      const measure = this.of(value, field)
      field.byDefault = isSize ? { ...measure, size: sizeIn(value, 0) } : measure
      fields.withDefault.push(field)
    }
    return fields
  }
}

function addSizes(sum: InputSum, { size, items }: InputMeasure): void {
  sum.size = Math.max(sum.size, size)
  sum.items = Math.max(sum.items, items)
}

/** Types that are not sizes: lists, and text such as the first name of a person. */
const noSize = /^\[|^(?:String|Boolean)!?$/

/** An object that does not fit is shown in several messages, with all of its members. */
const unfitMember = valuesPerField

function hundredsIn({ length }: string): number {
  return Math.floor(length / 100)
}
