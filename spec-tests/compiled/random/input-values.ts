import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql'
import type { Random } from '../../fuzz/random.js'

const literals: { readonly [name: string]: readonly string[] } = {
  Int: ['0', '1', '-1', '2147483647', '-0'],
  Float: ['0.5', '1', '-1e3', '-0'],
  String: ['""', '"a"', '"ä 😀"', '"\\n\\"\\\\"', '"""block"""'],
  Boolean: ['true', 'false'],
  ID: ['"1"', '1', '"abcd"'],
  Anything: ['1', '"text"', '{ a: [1, { b: null }] }', '[true]', 'BARE', '1.5'],
  Picky: ['1', '2.5'],
}

const wrongLiterals = ['"wrong"', '99999999999', 'WRONG', '{ wrong: 1 }', '[[1]]', 'null', '1.5']

/** A literal of a type; `inner` makes the parts of lists and objects. */
export function literalFor(
  random: Random,
  type: GraphQLInputType,
  level: number,
  isFaulty: boolean,
  inner: (type: GraphQLInputType) => string,
): string {
  if (isFaulty) return random.pick(wrongLiterals)
  if (isNonNullType(type)) return literalFor(random, type.ofType, level, false, inner)
  if (isListType(type)) {
    if (random.chance(0.2)) return inner(type.ofType)
    return `[${random.list(level < 2 ? 3 : 1, () => inner(type.ofType)).join()}]`
  }
  if (isInputObjectType(type)) {
    const fields = someFields(random, Object.values(type.getFields()), type.isOneOf, level)
    return `{ ${fields.map((one) => `${one.name}: ${inner(one.type)}`).join(' ')} }`
  }
  if (isEnumType(type)) return random.pick(type.getValues()).name
  return random.pick(literals[type.name] ?? ['null'])
}

const values: { readonly [name: string]: readonly unknown[] } = {
  Int: [0, 1, -1, 2147483647],
  Float: [0.5, 1, -1000, 1e21],
  String: ['', 'a', 'ä 😀', '\n"\\', '\ud800', '__proto__'],
  Boolean: [true, false],
  ID: ['1', 1, 'abcd'],
  Anything: [1, 'text', { a: [1] }, [true], { __proto__: null, x: 1 }],
  Picky: [1, 2.5],
}

const wrongValues: readonly unknown[] = ['wrong', 1.5, {}, [], [[null]], true, null, 2 ** 40]

/** The value of a variable, as JSON gives it: wrong now and then. */
export function variableFor(random: Random, type: GraphQLInputType, level = 0): unknown {
  if (random.chance(0.01)) return random.pick(wrongValues)
  if (isNonNullType(type)) return valueFor(random, type.ofType, level)
  return random.chance(0.1) ? null : valueFor(random, type, level)
}

function valueFor(random: Random, type: GraphQLInputType, level: number): unknown {
  if (isListType(type)) {
    if (random.chance(0.1)) return variableFor(random, type.ofType, level + 1)
    return random.list(level < 2 ? 3 : 1, () => variableFor(random, type.ofType, level + 1))
  }
  if (isInputObjectType(type)) {
    const fields = someFields(random, Object.values(type.getFields()), type.isOneOf, level)
    return Object.fromEntries(
      fields.map((one) => [one.name, variableFor(random, one.type, level + 1)]),
    )
  }
  if (isEnumType(type)) return random.pick(type.getValues()).name
  return random.pick(values[(type as { readonly name: string }).name] ?? [null])
}

/** The fields that an input object gets: one of a oneOf object, usually. */
function someFields(
  random: Random,
  fields: readonly GraphQLInputField[],
  isOneOf: boolean,
  level: number,
): readonly GraphQLInputField[] {
  if (isOneOf && random.chance(0.95)) return [random.pick(fields)]
  return fields.filter((one) =>
    isNonNullType(one.type) && one.defaultValue === undefined
      ? random.chance(0.99)
      : level < 3 && random.chance(0.5),
  )
}
