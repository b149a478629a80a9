import type { GraphQLLeafType } from 'graphql'
import { isEnumType } from 'graphql'
import { thrower } from '../../base/thrower.js'
import type { Random } from '../../fuzz/random.js'

/** Values of built-in scalars that can be sent, and those that cannot. */
interface Leaf {
  readonly right: readonly (() => unknown)[]
  readonly wrong: readonly (() => unknown)[]
}

const long = 'a long text without anything to escape '.repeat(3)

// oxfmt-ignore
const texts: readonly string[] = [
  ['', 'a', 'plain text', 'with "quotes"', 'back\\slash', 'line\nfeed', '\u0000\u001f', '\u007f'],
  ['ä', '€', '😀', '\ud800', '\udc00x', 'x\ud83d', '\u2028\u2029', '\u0080', '__proto__', '</script>'],
  [long, `${long}"`, `${long}ä`, `${long}\ud800`, 'x'.repeat(39), 'x'.repeat(40), 'x'.repeat(41)],
  ['é'.repeat(50), '😀'.repeat(30), '\n'.repeat(45), `${'x'.repeat(500)}\u0001`],
].flat()

/** Each value from a function, as those that are objects must be made anew. */
export function just(...values: readonly unknown[]): (() => unknown)[] {
  return values.map((value) => () => value)
}

const objectWithValue = (value: unknown) => (): unknown => ({ valueOf: () => value })

const leaves: { readonly [name: string]: Leaf } = {
  Int: {
    right: just(0, 1, -1, 7, 42, 2147483647, -2147483648, -0, 12.0, '7', '-3', true, false),
    wrong: [
      ...just(1.5, 2147483648, 2147483648, -2147483649, 1e100, 'x', '', Number.NaN, '1.5', 10n),
      () => [3],
      () => Symbol('int'),
      objectWithValue(5),
    ],
  },
  Float: {
    right: just(0, 1.5, -0, 1e21, 5e-324, 1 / 3, 1e-7, 123456789.125, '3.5', '1e3', true),
    wrong: [
      ...just('x', '', Number.NaN, -Infinity, 10n),
      () => ({}),
      () => [1],
      () => Symbol('float'),
      objectWithValue('5.5'),
    ],
  },
  String: {
    right: [
      ...just(...texts, 1, -0, 1e21, true, false, 0.1),
      objectWithValue('from valueOf'),
      objectWithValue(4),
      () => ({ toJSON: () => 'from toJSON' }),
    ],
    wrong: [
      ...just(Number.NaN, Infinity, 10n),
      () => ({}),
      () => ['a'],
      () => Symbol('text'),
      () => Object.create(null) as unknown,
      objectWithValue({}),
    ],
  },
  Boolean: {
    right: just(true, false, 1, 0, -0, 2),
    wrong: [...just('true', '', Number.NaN, 10n), () => ({}), () => [], objectWithValue(1)],
  },
  ID: {
    right: [...just(...texts), ...just(0, 12, -0, 9007199254740991, -5), objectWithValue('id')],
    wrong: [...just(true, 1.5, Number.NaN, 10n), () => ({}), () => ['a'], () => Symbol('id')],
  },
  // Gives what it gets: see `random-types`.
  Anything: {
    right: [
      ...just('a text', 'ä', '\ud800', long),
      ...just(0, -0, 1.5, Number.NaN, Infinity, true, false),
      () => ({ a: 1, b: [null, undefined, 'x'], c: undefined }),
      () => [1, [2, [3]], {}],
      () => new Date(0),
      () => ({ toJSON: (key: string) => `key ${key}` }),
      () => ({ nested: { toJSON: (key: string) => ({ key }) } }),
      () => ({ toJSON: () => undefined }),
      () => ({ toJSON: () => null }),
      () => () => 'a function',
      () => () => 'another function',
      () => Symbol('any'),
      () => Object('a boxed text') as unknown,
      () => Object(7) as unknown,
      () => Object(false) as unknown,
      () => JSON.parse('{"__proto__":{"a":"ä"},"2":1,"1":2}') as unknown,
      () => new Map([[1, 2]]),
      () => new Uint8Array([1, 2]),
      () => Object.create({ inherited: 1 }) as unknown,
      () => /x/u,
    ],
    wrong: [
      () => 10n,
      () => ({ deep: [10n] }),
      () => ({ toJSON: thrower(new Error('toJSON fails')) }),
    ],
  },
  // Throws for what is no number, and gives back what it is told to.
  Picky: {
    right: just(1, 2.5, -0, 1e21, 0),
    wrong: [...just('x', Number.NaN, 13, 17, true), () => ({}), () => ['a']],
  },
}

export function rightLeaf(random: Random, type: GraphQLLeafType): unknown {
  if (isEnumType(type)) return random.pick(type.getValues()).value
  return random.pick(leafOf(type).right)()
}

export function wrongLeaf(random: Random, type: GraphQLLeafType): unknown {
  if (isEnumType(type)) return random.pick(['NONE', 99, {}, [], true, 'A', Symbol('enum')])
  return random.pick(leafOf(type).wrong)()
}

function leafOf({ name }: GraphQLLeafType): Leaf {
  return leaves[name] as Leaf
}
