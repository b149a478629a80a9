import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql'
import type { Random } from '../../fuzz/random.js'

const literals: { readonly [typeName: string]: readonly string[] } = {
  Int: ['0', '1', '2', '-1', '5', '2147483647', '-0'],
  Float: ['0.5', '1', '-1e3', '1.5E-2', '0'],
  String: [
    ['""', '"a"', '"ä 😀"', '"\\n\\"\\\\"', '"\\u00e4"', '"{ ( ["', '"# no"'],
    ['"""block "quoted" """', '"""\\""" { """', '""""""', '"""\n  a\n   b\n"""', '"\\""'],
    [`"${'a'.repeat(250)}"`],
  ].flat(),
  Boolean: ['true', 'false'],
  ID: ['"1"', '1', '"abcd"', '""', '"é"'],
}

const values: { readonly [typeName: string]: readonly unknown[] } = {
  Int: [0, 1, 2, -1, 5, 2147483647],
  Float: [0.5, 1, -1000, 1e21],
  String: ['', 'a', 'ä 😀', '\n"\\', '\u0000', '\ud800', '__proto__', '</script>'],
  Boolean: [true, false],
  ID: ['1', 1, 'abcd', ''],
}

/** A list beyond the usual size counts where others do not. */
function longest(random: Random): number {
  return random.chance(0.05) ? 25 : 3
}

/** Text for a value of a type in a document, in a valid form. */
export function makeLiteral(random: Random, type: GraphQLInputType, level = 0): string {
  if (isNonNullType(type)) {
    for (;;) {
      const made = makeLiteral(random, type.ofType, level)
      if (made !== 'null') return made
    }
  }
  if (random.chance(0.1)) return 'null'
  if (isListType(type)) {
    // One item stands for a list of one.
    if (random.chance(0.2)) return makeLiteral(random, type.ofType, level)
    return `[${random.list(longest(random), () => makeLiteral(random, type.ofType, level)).join()}]`
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(() => level < 3 && random.chance(0.4))
    const texts = fields.map((one) => `${one.name}: ${makeLiteral(random, one.type, level + 1)}`)
    return `{${texts.join(' ')}}`
  }
  if (isEnumType(type)) return random.pick(type.getValues()).name
  return random.pick(literals[type.name] ?? ['null'])
}

/** A value of a type as JSON gives it. */
export function makeValue(random: Random, type: GraphQLInputType, level = 0): unknown {
  if (isNonNullType(type)) {
    for (;;) {
      const made = makeValue(random, type.ofType, level)
      if (made !== null) return made
    }
  }
  if (random.chance(0.1)) return null
  if (isListType(type))
    return random.list(longest(random), () => makeValue(random, type.ofType, level))
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(() => level < 3 && random.chance(0.4))
    return Object.fromEntries(
      fields.map((one) => [one.name, makeValue(random, one.type, level + 1)]),
    )
  }
  if (isEnumType(type)) return random.pick(type.getValues()).name
  return random.pick(values[type.name] ?? [null])
}
