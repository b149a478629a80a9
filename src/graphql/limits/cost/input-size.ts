import type { GraphQLInputField, GraphQLInputObjectType } from 'graphql'
import {
  defaultOf,
  inputObjectOf,
  isObject,
  listIn,
  memberOf,
  namesIn,
  partOf,
  variableOf,
  type InputValue,
} from './input-value.js'
import { ItemCounts, listDepthOf } from './item-counts.js'
import { toLiteralSize, toSize } from './to-size.js'

/** The list sizes that an input object requests. */
export interface InputSize {
  /** The largest value of a size field. */
  readonly size: number | undefined
  /** The number of items in its longest list. */
  readonly longest: number
}

/** An argument that is an input object, or a list of them. */
export interface InputArgument {
  readonly name: string
  readonly type: GraphQLInputObjectType
  readonly byDefault: InputValue | undefined
}

export const noInputSize: InputSize = { size: undefined, longest: 0 }

function sizeOf(input: InputValue): number | undefined {
  return 'literal' in input ? toLiteralSize(input.literal) : toSize(input.value)
}

/** The size that the value of a size argument requests. */
export interface RequestedSize {
  /** 0 if the value is not a size. */
  readonly size: number
  /** Whether the value is a plain number: custom scalars may parse text in any way, and -1 may mean "all". */
  readonly isExact: boolean
}

/** The size that a size argument requests by the length of a list; an empty one says nothing. */
export function countToRequestedSize(count: number): RequestedSize | undefined {
  return count === 0 ? undefined : { size: count, isExact: false }
}

/** Undefined for `null`, which is the same as no value. */
export function toRequestedSize(input: InputValue): RequestedSize | undefined {
  const size = sizeOf(input)
  if ('literal' in input) {
    const { kind } = input.literal
    if (kind === 'NullValue') return undefined
    const isNumber = kind === 'IntValue' || kind === 'FloatValue'
    return { size: size ?? 0, isExact: isNumber && size !== undefined }
  }
  if (input.value == null) return undefined
  return { size: size ?? 0, isExact: typeof input.value === 'number' && size !== undefined }
}

/** Whether an input object has a field with one of these names that can be a number, at any depth. */
export function hasSizeField(
  type: GraphQLInputObjectType,
  names: readonly string[],
  seen: Set<GraphQLInputObjectType> = new Set(),
): boolean {
  if (seen.has(type)) return false
  seen.add(type)
  return Object.values(type.getFields()).some((field) => {
    const inner = inputObjectOf(field.type)
    return inner ? hasSizeField(inner, names, seen) : isSize(field, names)
  })
}

function isSize({ name, type }: GraphQLInputField, names: readonly string[]): boolean {
  return names.includes(name) && !noSize.test(String(type))
}

/** Types that are not sizes: lists, and text such as the first name of a person. */
const noSize = /^\[|^(?:String|Boolean)!?$/

/** Default values can be nested in a cycle. */
const maxDefaults = 4

/** A field of an input object that can affect sizes. */
interface TellingField {
  readonly name: string
  readonly listDepth: number
  readonly inner: GraphQLInputObjectType | undefined
  readonly isSize: boolean
  readonly byDefault: InputValue | undefined
  /** The sizes of the default value, by how many defaults it is nested in. */
  readonly defaultSizes: Map<number, InputSize>
}

interface TellingFields {
  readonly byName: ReadonlyMap<string, TellingField>
  readonly withDefault: readonly TellingField[]
}

/** Reads the sizes that input objects request in fields with these names. */
export class InputSizes {
  readonly #names: readonly string[]
  /** The value of a variable, or its default. */
  readonly #valueOf: (variable: string) => InputValue | undefined
  readonly #counts: ItemCounts
  /** Many fields may use the same large variable, which is read once for each type. */
  readonly #variables = new Map<string, InputSize>()
  readonly #fields = new Map<GraphQLInputObjectType, TellingFields>()

  constructor(names: readonly string[], valueOf: (variable: string) => InputValue | undefined) {
    this.#names = names
    this.#valueOf = valueOf
    this.#counts = new ItemCounts(valueOf)
  }

  /** Undefined if the variable is absent. */
  read(input: InputValue, type: GraphQLInputObjectType, defaults = 0): InputSize | undefined {
    const variable = variableOf(input)
    if (variable === undefined) return this.#measure(input, type, defaults)
    const key = `${variable} ${type.name}`
    const cached = this.#variables.get(key)
    if (cached !== undefined) return cached
    const value = this.#valueOf(variable)
    const size = value && this.#measure(value, type, 0)
    if (size !== undefined) this.#variables.set(key, size)
    return size
  }

  #measure(input: InputValue, type: GraphQLInputObjectType, defaults: number): InputSize {
    const items = listIn(input)
    let most = noInputSize
    if (items !== undefined) {
      for (const item of items) {
        const found = this.read(partOf(input, item), type, defaults)
        if (found !== undefined) most = largest(most, found)
      }
      return most
    }
    if (!isObject(input)) return noInputSize
    const fields = this.#fieldsOf(type)
    // A value can contain thousands of small objects: absent members cost nothing.
    for (const name of namesIn(input)) {
      const field = fields.byName.get(name)
      const member = field && memberOf(input, name)
      if (member) most = largest(most, this.#ofField(field, member, defaults))
    }
    for (const field of fields.withDefault) {
      if (memberOf(input, field.name) === undefined) {
        most = largest(most, this.#ofDefault(field, defaults))
      }
    }
    return most
  }

  #ofDefault(field: TellingField, defaults: number): InputSize {
    let size = field.defaultSizes.get(defaults)
    if (size === undefined) {
      size = this.#ofField(field, undefined, defaults)
      field.defaultSizes.set(defaults, size)
    }
    return size
  }

  #ofField(field: TellingField, member: InputValue | undefined, defaults: number): InputSize {
    const { inner, byDefault } = field
    const own = this.#ofOwn(field, member)
    if (!inner) return own
    const found = member && this.read(member, inner, defaults)
    if (found !== undefined) return largest(own, found)
    return byDefault && defaults < maxDefaults
      ? largest(own, this.#measure(byDefault, inner, defaults + 1))
      : own
  }

  /** The size that a field requests by itself, without the objects in it. */
  #ofOwn(field: TellingField, member: InputValue | undefined): InputSize {
    const { listDepth, byDefault } = field
    if (listDepth > 0) {
      const count = member && this.#counts.of(member, listDepth)
      const byItself = count ?? (byDefault && this.#counts.of(byDefault, listDepth))
      return byItself ? { size: undefined, longest: byItself } : noInputSize
    }
    if (!field.isSize) return noInputSize
    const variable = member && variableOf(member)
    const value = (variable === undefined ? member : this.#valueOf(variable)) ?? byDefault
    return value ? { size: sizeOf(value), longest: 0 } : noInputSize
  }

  #fieldsOf(type: GraphQLInputObjectType): TellingFields {
    let fields = this.#fields.get(type)
    if (fields === undefined) {
      const telling = Object.values(type.getFields()).flatMap((field) => {
        const inner = inputObjectOf(field.type)
        const says = isSize(field, this.#names)
        const listDepth = listDepthOf(field.type)
        const tells = inner || says || listDepth > 0
        const byDefault = defaultOf(field)
        const { name } = field
        return tells
          ? [{ name, listDepth, inner, isSize: says, byDefault, defaultSizes: new Map() }]
          : []
      })
      fields = {
        byName: new Map(telling.map((field) => [field.name, field])),
        withDefault: telling.filter((field) => field.byDefault !== undefined),
      }
      this.#fields.set(type, fields)
    }
    return fields
  }
}

/** Combines two sizes. */
export function largest(one: InputSize, other: InputSize): InputSize {
  if (other === noInputSize) return one
  if (one === noInputSize) return other
  const size = Math.max(one.size ?? -1, other.size ?? -1)
  return { size: size < 0 ? undefined : size, longest: Math.max(one.longest, other.longest) }
}
