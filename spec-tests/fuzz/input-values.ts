import { isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import type { GraphQLInputField, GraphQLInputObjectType, GraphQLInputType } from 'graphql'
import type { Random } from './random.js'

/** Values of leaves: as literals of a document, and as JSON gives them for variables. */
interface Leaf {
  readonly literals: readonly string[]
  readonly values: readonly unknown[]
}

const leaves: { readonly [name: string]: Leaf } = {
  Int: { literals: ['0', '1', '2', '-1', '2147483647', '-0'], values: [0, 1, 2, -1, 2147483647] },
  Float: { literals: ['0.5', '1', '-1e3', '1.5E-2', '-0'], values: [0.5, 1, -1000, 1e21] },
  String: {
    literals: [
      ['""', '"a"', '"ä 😀"', '"\\n\\"\\\\"', '"\\u00e4"', '"{ ( ["', '"# no"', '"\\""'],
      ['"""block "quoted" """', '"""\\""" { """', '""""""', '"""\n  a\n   b\n"""'],
      [`"${'a'.repeat(250)}"`],
    ].flat(),
    values: ['', 'a', 'ä 😀', '\n"\\', '\u0000', '\ud800', '__proto__', '</script>'],
  },
  Boolean: { literals: ['true', 'false'], values: [true, false] },
  ID: { literals: ['"1"', '1', '"abcd"', '""', '"é"'], values: ['1', 1, 'abcd', ''] },
  Anything: {
    literals: ['1', '"text"', '{ a: [1, { b: null }] }', '[true]', 'BARE', '1.5'],
    values: [1, 'text', { a: [1] }, [true], { __proto__: null, x: 1 }],
  },
  Picky: { literals: ['1', '2.5'], values: [1, 2.5] },
}

const wrongLiterals = ['"wrong"', '99999999999', 'WRONG', '{ wrong: 1 }', '[[1]]', 'null', '1.5']
const wrongValues: readonly unknown[] = ['wrong', 1.5, {}, [], [[null]], true, null, 2 ** 40]

/** Makes the parts of lists and objects. */
type Inner = (type: GraphQLInputType) => string

/** Makes literals and values, a share of them wrong. */
export class InputMaker {
  readonly #random: Random
  readonly #faults: number

  constructor(random: Random, faults: number) {
    this.#random = random
    this.#faults = faults
  }

  literal(type: GraphQLInputType, level: number, inner: Inner): string {
    const random = this.#random
    if (random.chance(this.#faults)) return random.pick(wrongLiterals)
    if (isNonNullType(type)) return this.#nonNull(type.ofType, level, inner)
    return random.chance(0.05) ? 'null' : this.#nonNull(type, level, inner)
  }

  #nonNull(type: GraphQLInputType, level: number, inner: Inner): string {
    const random = this.#random
    if (isListType(type)) {
      // One item stands for a list of one, unless it is null or a variable.
      if (random.chance(0.2) && isNonNullType(type.ofType)) {
        return this.literal(type.ofType, level, inner)
      }
      return `[${random.list(this.#longest(level), () => inner(type.ofType)).join()}]`
    }
    if (isInputObjectType(type)) {
      const fields = this.#fields(type, level)
      return `{ ${fields.map((one) => `${one.name}: ${inner(one.type)}`).join(' ')} }`
    }
    if (isEnumType(type)) return random.pick(type.getValues()).name
    return random.pick(leafOf(type).literals)
  }

  value(type: GraphQLInputType, level = 0): unknown {
    const random = this.#random
    if (random.chance(this.#faults)) return random.pick(wrongValues)
    if (isNonNullType(type)) return this.#nonNullValue(type.ofType, level)
    return random.chance(0.1) ? null : this.#nonNullValue(type, level)
  }

  #nonNullValue(type: GraphQLInputType, level: number): unknown {
    const random = this.#random
    if (isListType(type)) {
      if (random.chance(0.1) && isNonNullType(type.ofType)) return this.value(type.ofType, level)
      return random.list(this.#longest(level), () => this.value(type.ofType, level + 1))
    }
    if (isInputObjectType(type)) {
      const fields = this.#fields(type, level)
      return Object.fromEntries(fields.map((one) => [one.name, this.value(one.type, level + 1)]))
    }
    if (isEnumType(type)) return random.pick(type.getValues()).name
    return random.pick(leafOf(type).values)
  }

  /** A list beyond the usual size counts where others do not. */
  #longest(level: number): number {
    return level > 1 ? 1 : this.#random.chance(0.05) ? 25 : 3
  }

  /** The fields that an input object gets: one of a oneOf object, unless it is wrong. */
  #fields(type: GraphQLInputObjectType, level: number): readonly GraphQLInputField[] {
    const random = this.#random
    const fields = Object.values(type.getFields())
    if (type.isOneOf && !random.chance(this.#faults * 5)) return [random.pick(fields)]
    return fields.filter((one) =>
      isNonNullType(one.type) && one.defaultValue === undefined
        ? !random.chance(this.#faults)
        : level < 3 && random.chance(0.5),
    )
  }
}

function leafOf(type: GraphQLInputType): Leaf {
  return leaves[(type as { readonly name: string }).name] ?? { literals: ['null'], values: [null] }
}
