import { thrower } from '../../base/thrower.js'
import { sdl } from './attack-schema.js'
import { rowsOf, type Row } from './row.js'
import { thenableRows } from './thenable-rows.js'

/** Only its `path` shows that graphql-js located it. */
const foreign = (message: string): Error =>
  Object.assign(new Error(message), { path: ['far', 'away'] })

const unreadable = (): Error =>
  Object.defineProperty(new Error('hidden'), 'message', { get: thrower(new Error('no message')) })

/** What a hostile or broken server could do to the executor; it must be what graphql-js makes of it. */
// oxfmt-ignore
export const attackRows: readonly Row[] = rowsOf(sdl, [
  ['toJSON that throws is a bug of the server',      '{ text any other }', () => ({ text: 'a', any: { toJSON: thrower(new Error('no JSON')) }, other: 'b' })],
  ['toJSON that throws is a bug also after waiting', '{ text any }',       () => ({ text: Promise.resolve('a'), any: { toJSON: thrower(new Error('no JSON')) } })],
  ['toJSON that throws late is a bug',               '{ any text }',       () => ({ text: 'a', any: Promise.resolve({ toJSON: thrower(new Error('no JSON')) }) })],
  [
    'toJSON that throws is not a bug if a null hides the value',
    '{ self { any must { text } } text }',
    () => ({ text: 'a', self: { any: { toJSON: thrower(new Error('no JSON')) }, must: null } }),
  ],
  ['toJSON that throws is not a bug if a late null hides the value', '{ self { any must { text } } text }', () => ({
    text: 'a',
    self: { any: { toJSON: thrower(new Error('no JSON')) }, must: Promise.resolve(null) },
  })],
  ['a bigint within a late value of a custom scalar is a bug', '{ anys }', () => ({ anys: [1, Promise.resolve([1n])] })],
  ['a value that holds itself is a bug', '{ any }', () => {
    const any: { self?: object } = {}
    any.self = any
    return { any }
  }],
  [
    'functions and symbols are left out, and the commas with them',
    '{ a: any b: any c: any text d: any self { e: any } f: any }',
    () => ({ any: () => () => 1, text: 'text', self: { any: () => Symbol('any') } }),
  ],
  ['late functions and symbols are left out, and the commas with them', '{ a: any b: any text c: any self { e: any any } f: any anys }', () => ({
    any: async () => () => 1,
    text: 'text',
    self: { any: async () => Symbol('any') },
    anys: [Promise.resolve(Symbol('any')), Symbol('any'), Promise.resolve(() => 1), 1],
  })],
  ['a selection that fails below a type that does not fit', 'query ($no: Boolean) { self { text @include(if: $no) } }', () => ({ self: {} }), {
    args: { variableValues: { no: null } },
    prepare: (schema) => void Object.assign(schema.getQueryType() as object, { isTypeOf: () => false }),
  }],
  ['toJSON gets the response name or the index', '{ alias: any anys late: self { any } }', () => {
    const any = { toJSON: (key: string) => `key ${key}` }
    return { any, anys: [any, Promise.resolve(any)], self: { any: Promise.resolve(any) } }
  }],
  // graphql-js fails where it locates it, and so do all positions around it.
  [
    'an error that cannot be read fails its own field',
    '{ any text self { number other } texts }',
    () => ({
      any: async () => thrower(unreadable())(),
      text: async () => thrower(Object.assign(new Error('no text'), { nodes: [null] }))(),
      self: { number: thrower(new Error('no number')), other: unreadable() },
      texts: ['a', Promise.reject(unreadable())],
    }),
    { expected: {
      waits: true,
      text: '{"any":null,"text":null,"self":{"number":null,"other":null},"texts":["a",null]}',
      errors: [
        'self.number: no number',
        'self.other: An error was thrown that cannot be read.',
        'any: An error was thrown that cannot be read.',
        'text: An error was thrown that cannot be read.',
        'texts.1: An error was thrown that cannot be read.',
      ],
    } },
  ],
  ['a foreign error of the root that cannot be read is what graphql-js makes of it', '{ required text }', () => ({
    required: async () => thrower(Object.assign(unreadable(), { path: ['far', 'away'] }))(),
    text: 'a',
  })],
  ['a getter is read once', '{ number again: number third: number }', () => {
    let reads = 0
    return { get number() { return ++reads } }
  }],
  ['a getter that throws is an error of its field', '{ number text }', () => ({
    get number() { throw new Error('no number') },
    get text() { throw 'no text' },
  })],
  ['a getter may remove the next property', '{ number text }', () => ({
    get number() {
      Reflect.deleteProperty(this, 'text')
      return 1
    },
    text: 'here',
  })],
  ['a getter may make a list longer while it is read, and shorter', '{ list { number text } }', () => {
    const list: object[] = []
    const first = {
      get number() {
        list.push({ number: 2 })
        return 1
      },
    }
    const second = {
      get number() {
        list.length = 2
        return 3
      },
    }
    list.push(first, second, {}, {})
    return { list }
  }],
  ['iterators that throw, and that close with an error', '{ texts list { text } }', () => ({
    texts: { [Symbol.iterator]: thrower(new Error('no iterator')) },
    list: {
      [Symbol.iterator]: () => ({ next: thrower(new Error('no next')), return: thrower(new Error('no return')) }),
    },
  })],
  [
    'names of Object.prototype are names like any other',
    '{ __proto__: text constructor: text hasOwnProperty: text toString: number toJSON: any then: text }',
    () => ({ text: 'a', number: 1, any: { constructor: 1 } }),
  ],
  ['what a scalar gives is written at the end', '{ any other: any self { any } text }', () => {
    const list: string[] = []
    const text = (): string => `${list.push('a')}`
    return { any: list, self: { any: Promise.resolve(list) }, text }
  }],
  ['toJSON is called in the order of the text, once all is known', '{ any self { any other: text } text last: any }', (seen) => {
    const any = { toJSON: (key: string) => seen.push(key) }
    const text = async (): Promise<string> => {
      await Promise.resolve()
      return `${seen.push('text')}`
    }
    return { any, self: { any: Promise.resolve(any), text }, text: 'a' }
  }],
  [
    'an error of another copy of graphql-js climbs to the data',
    '{ text self { text } must { text } }',
    () => ({ text: foreign('stays'), self: { text: 'a' }, must: foreign('climbs') }),
  ],
  [
    'an error of another copy of graphql-js climbs to the data late',
    '{ text must { must { text } } }',
    () => ({ text: 'a', must: { must: Promise.resolve(foreign('climbs')) } }),
  ],
]).concat(thenableRows)
