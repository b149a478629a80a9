import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import { sdl } from './attack-schema.js'
import { rowsOf, type Row } from './row.js'

function after(hops: number, work: () => unknown): Promise<unknown> {
  return Promise.resolve().then(() => (hops === 0 ? work() : after(hops - 1, work)))
}

const failingAfter = (hops: number) =>
  after(hops, () => {
    throw new Error(`fails after ${hops}`)
  })

const serializing = (make: (value: unknown) => unknown) => (schema: GraphQLSchema) =>
  void Object.assign(schema.getType('Any') as object, { serialize: make, coerceOutputValue: make })

const toJson = async (value: unknown): Promise<unknown> => {
  if (value === 'fails') throw new Error('fails')
  return value === 'null' ? null : value === 'undefined' ? undefined : value
}

const lists = 'type Query { texts: [String!] lists: [[String!]!] other: String }'

/** What the differential test found once, and rules that it would rarely meet. */
// oxfmt-ignore
export const differenceRows: readonly Row[] = rowsOf(sdl, [
  [
    'a property is not read if an argument is invalid',
    '{ text other }',
    (seen) => ({ get text() { return seen.push('text') }, other: 'other' }),
    { sdl: 'type Query { text(of: Int!): String other: String }' },
  ],
  [
    'parts beside what is late are not overwritten if they are not ASCII',
    '{ text other late: text }',
    () => ({ text: async () => 'é'.repeat(50), other: 'ä€😀'.repeat(20) }),
  ],
  ['an item of an asynchronous list that fails later counts once the list has been read', '{ lists other }', (seen) => ({
    async *lists() {
      yield [Promise.reject(new Error('the item fails'))]
      await Promise.resolve()
      yield ['next']
      seen.push('read on')
      throw new Error('the generator fails')
    },
    other: 'other',
  }), { sdl: lists }],
  ['an item of an asynchronous list that fails later is reported if reading succeeds', '{ lists other }', (seen) => ({
    async *lists() {
      yield [Promise.reject(new Error('the item fails'))]
      for (let left = 10; left > 0; left--) yield ['next']
      seen.push('read on')
    },
    other: 'other',
  }), { sdl: lists }],
  ['an item that must not be null fails its asynchronous list, which is closed', '{ texts }', (seen) => ({
    async *texts() {
      try {
        yield 'a'
        yield {}
        yield 'b'
      } finally {
        seen.push('closed')
      }
    },
  }), { sdl: lists }],
  ['an iterable whose item fails is closed on graphql 16, and read to its end on 17', '{ texts }', (seen) => ({
    *texts() {
      try {
        yield* ['a', null, 'b']
        seen.push('read on')
        yield Promise.reject(new Error('unread'))
      } finally {
        seen.push('end')
      }
    },
  }), { sdl: lists }],
  ['of several values that JSON cannot write the first is the bug', '{ any again: any required }', () => ({
    any: () => ({ toJSON: () => 1n }),
    required: async () => {
      const late: { self?: object } = {}
      late.self = late
      return late
    },
  })],
  ['a scalar that gives null is an error', '{ any anys }', () => ({ any: 1, anys: [1, Promise.resolve(2)] }), { prepare: serializing(() => null) }],
  // Of what it then gives, only a rejection is an error, whatever the type of the field.
  ['a scalar whose serialize returns a promise is waited for', '{ any text anys required must { any anys must { required any } text } }', () => ({
    any: new Date(0),
    anys: [1, Promise.resolve('ü')],
    required: 'null',
    text: 'é',
    must: async () => ({ any: async () => 'undefined', anys: [1, 'fails'], must: { required: 'fails', any: 1 }, text: 'a' }),
  }), { prepare: serializing(toJson) }],
  ['a fragment that is used twice gives its nodes once', '{ ...F ...F number } fragment F on Query { number }', () => ({
    number: (_args: unknown, _context: unknown, { fieldNodes }: GraphQLResolveInfo) => fieldNodes.length,
  })],
  [
    'a fragment that is skipped may be used afterwards',
    '{ ...F @skip(if: true) ...F ...F @include(if: false) } fragment F on Query { text }',
    () => ({ text: 'a' }),
  ],
  ['graphql 17 also evaluates the directives of a fragment that it has visited', 'query ($v: Boolean = true) { ...F ...F @include(if: $v) } fragment F on Query { text }', () => ({
    text: 'a',
  }), { args: { variableValues: { v: null } } }],
  ['late numbers that are no Int are errors', '{ number list { number } }', () => ({
    number: Promise.resolve(2 ** 31),
    list: [2 ** 40, Promise.resolve(1.5), Promise.resolve(7)].map((number) => ({ number })),
  })],
  [
    'what fails below a late null later than that is not reported',
    '{ self { must { text } text } text }',
    () => ({ self: { must: failingAfter(1), text: failingAfter(20) }, text: after(40, () => 'late') }),
  ],
  ['promises beside a failure are handled', '{ self { must { text } text } texts }', () => ({
    self: { must: null, text: Promise.reject(new Error('beside a field')) },
    texts: [null, Promise.reject(new Error('beside an item'))],
  }), { sdl: sdl.replace('[String]', '[String!]') }],
  ['what a leaf cannot be is shown as graphql-js shows it', '{ number list { number } }', () => ({
    number: new Date(0),
    list: [{ toJSON: () => ({ a: [1, 'b'] }) }, { toJSON: () => 'plain' }, [['deep', [1]]], () => 1].map((number) => ({ number })),
  })],
  // graphql-js takes data with such a member for a promise, and calls it.
  [
    'a function in a member named then is no promise',
    '{ self { then: any } then: any }',
    () => ({ any: () => () => 1, self: { any: () => () => 1 } }),
    { expected: { waits: false, text: '{"self":{}}', errors: [] } },
  ],
  // graphql-js leaves it in the data, where JSON.stringify calls it: the client has chosen the name.
  [
    'a function in a member named toJSON is left out like any other',
    '{ self { toJSON: any text } toJSON: any late: self { toJSON: anys } }',
    () => ({ any: () => () => 1, self: { any: async () => () => 'all of it', text: 'a', anys: [() => 1] } }),
    { expected: { waits: true, text: '{"self":{"text":"a"},"late":{"toJSON":[null]}}', errors: [] } },
  ],
  ['a message shows ten items and two levels of a value', '{ a: number self { number } }', () => ({
    number: Array.from({ length: 11 }, (_, at) => at),
    self: { number: [[[1]], { a: { b: {} } }] },
  })],
  ['a message shows a value as its toJSON does', '{ a b c }', () => ({
    a: { toJSON: () => 'a text' },
    b: { toJSON: () => ({ c: 'a text' }) },
    c: { toJSON() { return this } },
  }), { sdl: 'enum Color { RED } type Query { a: Color b: Color c: Color }' }],
  ['an argument that was not validated fails with a suggestion', '{ a(of: REDD) }', () => ({}), { sdl: 'enum Color { RED } type Query { a(of: Color): Int }' }],
])
