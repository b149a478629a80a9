import type { GraphQLResolveInfo } from 'graphql'
import type { Row } from './row.js'

function after(hops: number, work: () => unknown): Promise<unknown> {
  return hops === 0
    ? Promise.resolve().then(work)
    : Promise.resolve().then(() => after(hops - 1, work))
}

function failingAfter(hops: number): Promise<unknown> {
  return after(hops, () => {
    throw new Error(`fails after ${hops}`)
  })
}

/** What the differential test found once, and rules that it would rarely meet. */
export const differenceRows: readonly Row[] = [
  {
    name: 'a property is not read if an argument is invalid',
    sdl: 'type Query { text(of: Int!): String other: String }',
    query: '{ text other }',
    root: (seen) => ({
      get text() {
        seen.push('text')
        return 'text'
      },
      other: 'other',
    }),
  },
  {
    name: 'parts beside what is late are not overwritten if they are not ASCII',
    sdl: 'type Query { text: String other: String }',
    query: '{ text other late: text }',
    root: () => ({ text: async () => 'é'.repeat(50), other: 'ä€😀'.repeat(20) }),
  },
  {
    name: 'an item of an asynchronous list that fails later counts once the list has been read',
    sdl: 'type Query { texts: [[String!]!] other: String }',
    query: '{ texts other }',
    root: (seen) => ({
      async *texts() {
        yield [Promise.reject(new Error('the item fails'))]
        await Promise.resolve()
        yield ['next']
        seen.push('read on')
        throw new Error('the generator fails')
      },
      other: 'other',
    }),
  },
  {
    name: 'an item of an asynchronous list that fails later is told if reading succeeds',
    sdl: 'type Query { texts: [[String!]!] other: String }',
    query: '{ texts other }',
    root: (seen) => ({
      async *texts() {
        yield [Promise.reject(new Error('the item fails'))]
        for (let left = 10; left > 0; left--) yield ['next']
        seen.push('read on')
      },
      other: 'other',
    }),
  },
  {
    name: 'of several values that JSON cannot write the first is the bug',
    sdl: 'scalar Any type Query { any: Any late: Any }',
    query: '{ any again: any late }',
    root: () => ({
      any: () => ({ toJSON: () => 1n }),
      late: async () => {
        const late: { self?: object } = {}
        late.self = late
        return late
      },
    }),
  },
  {
    name: 'a scalar that gives null is an error',
    sdl: 'scalar Any type Query { any: Any anys: [Any] }',
    query: '{ any anys }',
    root: () => ({ any: 1, anys: [1, Promise.resolve(2)] }),
    prepare: (schema) => {
      const toNull = () => null
      Object.assign(schema.getType('Any') as object, {
        serialize: toNull,
        coerceOutputValue: toNull,
      })
    },
  },
  {
    // Of what it then gives, only a rejection is an error, whatever the type of the field.
    name: 'a scalar whose serialize returns a promise is waited for',
    sdl: 'scalar Any type Query { any: Any must: Any! anys: [Any!] text: String late: Query must2: Any! }',
    query: '{ any text anys must late { any anys late { must2 any } text } }',
    root: () => ({
      any: new Date(0),
      anys: [1, Promise.resolve('ü')],
      must: 'null',
      text: 'é',
      late: async () => ({
        any: async () => 'undefined',
        anys: [1, 'fails'],
        late: { must2: 'fails', any: 1 },
        text: 'a',
      }),
    }),
    prepare: (schema) => {
      const toJson = async (value: unknown): Promise<unknown> => {
        if (value === 'fails') throw new Error('fails')
        return value === 'null' ? null : value === 'undefined' ? undefined : value
      }
      Object.assign(schema.getType('Any') as object, {
        serialize: toJson,
        coerceOutputValue: toJson,
      })
    },
  },
  {
    name: 'a given type resolver decides',
    sdl: 'type Dog { name: String } type Cat { name: String } union Pet = Dog | Cat type Query { pet: Pet }',
    query: '{ pet { __typename } }',
    root: () => ({ pet: { __typename: 'Dog' } }),
    args: { typeResolver: () => 'Cat' },
  },
  {
    name: 'a fragment that is used twice gives its nodes once',
    sdl: 'type Query { number: Int }',
    query: '{ ...F ...F number } fragment F on Query { number }',
    root: () => ({
      number: (_args: unknown, _context: unknown, { fieldNodes }: GraphQLResolveInfo) =>
        fieldNodes.length,
    }),
  },
  {
    name: 'a variable of the wrong type is an error of the request',
    sdl: 'type Query { text(of: Int): String }',
    query: 'query ($of: Int) { text(of: $of) }',
    root: () => ({ text: ({ of }: { of: unknown }) => String(of) }),
    args: { variableValues: { of: 'x' } },
  },
  {
    name: 'late numbers that are no Int are errors',
    sdl: 'type Query { number: Int numbers: [Int] }',
    query: '{ number numbers }',
    root: () => ({
      number: Promise.resolve(2 ** 31),
      numbers: [2 ** 40, Promise.resolve(1.5), Promise.resolve(7)],
    }),
  },
  {
    name: 'a fragment that is skipped may be used afterwards',
    sdl: 'type Query { text: String }',
    query: '{ ...F @skip(if: true) ...F ...F @include(if: false) } fragment F on Query { text }',
    root: () => ({ text: 'a' }),
  },
  {
    name: 'a required variable that is missing is an error of the request',
    sdl: 'type Query { text(of: Int): String }',
    query: 'query ($of: Int!) { text(of: $of) }',
    root: () => ({ text: 'a' }),
  },
  {
    name: 'an asynchronous list that fails is closed',
    sdl: 'type Query { texts: [String!] }',
    query: '{ texts }',
    root: (seen) => ({
      texts: {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false, value: null }),
          return: async () => {
            seen.push('closed')
            return { done: true, value: undefined }
          },
        }),
      },
    }),
  },
  {
    name: 'what fails below a late null later than that is not told',
    sdl: 'type Query { self: Query must: String! text: String }',
    query: '{ self { must text } text }',
    root: () => ({
      self: { must: failingAfter(1), text: failingAfter(20) },
      text: after(40, () => 'late'),
    }),
  },
  {
    name: 'promises beside a failure are handled',
    sdl: 'type Query { self: Query must: String! text: String texts: [String!] }',
    query: '{ self { must text } texts }',
    root: () => ({
      self: { must: null, text: Promise.reject(new Error('beside a field')) },
      texts: [null, Promise.reject(new Error('beside an item'))],
    }),
  },
  {
    // graphql-js takes data with such a member for a promise, and calls it.
    name: 'a function in a member named then is no promise',
    sdl: 'scalar Any type Query { any: Any self: Query }',
    query: '{ self { then: any } then: any }',
    root: () => ({ any: () => () => 1, self: { any: () => () => 1 } }),
    expected: { waits: false, text: '{"self":{}}', errors: [] },
  },
  {
    // graphql-js leaves it in the data, where JSON.stringify calls it: the client has chosen the name.
    name: 'a function in a member named toJSON is left out like any other',
    sdl: 'scalar Any type Query { any: Any text: String self: Query anys: [Any] }',
    query: '{ self { toJSON: any text } toJSON: any late: self { toJSON: anys } }',
    root: () => ({
      any: () => () => 1,
      self: { any: async () => () => 'all of it', text: 'a', anys: [() => 1] },
    }),
    expected: { waits: true, text: '{"self":{"text":"a"},"late":{"toJSON":[null]}}', errors: [] },
  },
  {
    name: 'an item that must not be null fails its asynchronous list, which is closed',
    sdl: 'type Query { texts: [String!] }',
    query: '{ texts }',
    root: (seen) => ({
      async *texts() {
        try {
          yield 'a'
          yield {}
          yield 'b'
        } finally {
          seen.push('closed')
        }
      },
    }),
  },
  {
    name: 'a message shows ten items and two levels of a value',
    sdl: 'type Query { number: Int float: Float }',
    query: '{ number float }',
    root: () => ({
      number: Array.from({ length: 11 }, (_, at) => at),
      float: [[[1]], { a: { b: {} } }],
    }),
  },
  {
    name: 'a message shows a value as its toJSON does',
    sdl: 'enum Color { RED } type Query { a: Color b: Color c: Color }',
    query: '{ a b c }',
    root: () => ({
      a: { toJSON: () => 'a text' },
      b: { toJSON: () => ({ c: 'a text' }) },
      c: {
        toJSON() {
          return this
        },
      },
    }),
  },
]
