import { sdl, thrower } from './attack-schema.js'
import type { Row } from './row.js'
import { thenableRows } from './thenable-rows.js'

/** Only its `path` shows that graphql-js located it. */
const foreign = (message: string): Error =>
  Object.assign(new Error(message), { path: ['far', 'away'] })

const unreadable = (): Error =>
  Object.defineProperty(new Error('hidden'), 'message', { get: thrower('no message') })

/** What a hostile or broken server could do to the executor; it must be what graphql-js makes of it. */
export const attackRows: readonly Row[] = [
  {
    name: 'toJSON that throws is a bug of the server',
    sdl,
    query: '{ text any other }',
    root: () => ({ text: 'a', any: { toJSON: thrower('no JSON') }, other: 'b' }),
  },
  {
    name: 'toJSON that throws is a bug also after waiting',
    sdl,
    query: '{ text any }',
    root: () => ({ text: Promise.resolve('a'), any: { toJSON: thrower('no JSON') } }),
  },
  {
    name: 'toJSON that throws late is a bug',
    sdl,
    query: '{ any text }',
    root: () => ({ text: 'a', any: Promise.resolve({ toJSON: thrower('no JSON') }) }),
  },
  {
    name: 'toJSON that throws is none where a null hides the value',
    sdl,
    query: '{ self { any must { text } } text }',
    root: () => ({ text: 'a', self: { any: { toJSON: thrower('no JSON') }, must: null } }),
  },
  {
    name: 'toJSON that throws is none where a late null hides the value',
    sdl,
    query: '{ self { any must { text } } text }',
    root: () => ({
      text: 'a',
      self: { any: { toJSON: thrower('no JSON') }, must: Promise.resolve(null) },
    }),
  },
  {
    name: 'a bigint within a late value of a custom scalar is a bug',
    sdl,
    query: '{ anys }',
    root: () => ({ anys: [1, Promise.resolve([1n])] }),
  },
  {
    name: 'a value that holds itself is a bug',
    sdl,
    query: '{ any }',
    root: () => {
      const any: { self?: object } = {}
      any.self = any
      return { any }
    },
  },
  {
    name: 'functions and symbols are left out, and the commas with them',
    sdl,
    query: '{ a: any b: any c: any text d: any self { e: any } f: any }',
    root: () => ({ any: () => () => 1, text: 'text', self: { any: () => Symbol('any') } }),
  },
  {
    name: 'late functions and symbols are left out, and the commas with them',
    sdl,
    query: '{ a: any b: any text c: any self { e: any any } f: any anys }',
    root: () => ({
      any: async () => () => 1,
      text: 'text',
      self: { any: async () => Symbol('any') },
      anys: [Promise.resolve(Symbol('any')), Symbol('any'), Promise.resolve(() => 1), 1],
    }),
  },
  {
    name: 'toJSON gets the response name or the index',
    sdl,
    query: '{ alias: any anys late: self { any } }',
    root: () => {
      const any = { toJSON: (key: string) => `key ${key}` }
      return { any, anys: [any, Promise.resolve(any)], self: { any: Promise.resolve(any) } }
    },
  },
  {
    // graphql-js fails where it locates it, and so do all positions around it.
    name: 'an error that cannot be read fails its own field',
    sdl,
    query: '{ any text self { number other } texts }',
    root: () => ({
      any: async () => {
        throw unreadable()
      },
      text: async () => {
        throw Object.assign(new Error('no text'), { nodes: [null] })
      },
      self: { number: thrower('no number'), other: unreadable() },
      texts: ['a', Promise.reject(unreadable())],
    }),
    expected: {
      waits: true,
      text: '{"any":null,"text":null,"self":{"number":null,"other":null},"texts":["a",null]}',
      errors: [
        'self.number: no number',
        'self.other: An error was thrown that cannot be read.',
        'any: An error was thrown that cannot be read.',
        'text: An error was thrown that cannot be read.',
        'texts.1: An error was thrown that cannot be read.',
      ],
    },
  },
  {
    name: 'a foreign error of the root that cannot be read is what graphql-js makes of it',
    sdl,
    query: '{ required text }',
    root: () => ({
      required: async () => {
        throw Object.assign(unreadable(), { path: ['far', 'away'] })
      },
      text: 'a',
    }),
  },
  {
    name: 'a getter is read once',
    sdl,
    query: '{ number again: number third: number }',
    root: () => {
      let reads = 0
      return {
        get number() {
          return ++reads
        },
      }
    },
  },
  {
    name: 'a getter that throws is an error of its field',
    sdl,
    query: '{ number text }',
    root: () => ({
      get number() {
        throw new Error('no number')
      },
      get text() {
        throw 'no text'
      },
    }),
  },
  {
    name: 'a getter may remove the next property',
    sdl,
    query: '{ number text }',
    root: () => ({
      get number() {
        Reflect.deleteProperty(this, 'text')
        return 1
      },
      text: 'here',
    }),
  },
  {
    name: 'a getter may make a list longer while it is read, and shorter',
    sdl,
    query: '{ list { number text } }',
    root: () => {
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
    },
  },
  {
    name: 'iterators that throw, and that close with an error',
    sdl,
    query: '{ texts list { text } }',
    root: () => ({
      texts: { [Symbol.iterator]: thrower('no iterator') },
      list: {
        [Symbol.iterator]: () => ({ next: thrower('no next'), return: thrower('no return') }),
      },
    }),
  },
  {
    name: 'names of Object.prototype are names like any other',
    sdl,
    query:
      '{ __proto__: text constructor: text hasOwnProperty: text toString: number toJSON: any then: text }',
    root: () => ({ text: 'a', number: 1, any: { constructor: 1 } }),
  },
  {
    name: 'lone surrogates in strings, long and short, are escaped',
    sdl,
    query: '{ text other texts any }',
    root: () => ({
      text: '\ud800',
      other: `${'x'.repeat(100)}\udc00`,
      texts: ['\u2028\u007f', 'é\ud83d', `${'é'.repeat(5000)}"\\\u0000`],
      any: { '\ud800': ['\udfff'] },
    }),
  },
  {
    name: 'what a scalar gives is written at the end',
    sdl,
    query: '{ any other: any self { any } text }',
    root: () => {
      const list: string[] = []
      const text = (): string => `${list.push('a')}`
      return { any: list, self: { any: Promise.resolve(list) }, text }
    },
  },
  {
    name: 'toJSON is called in the order of the text, once all is known',
    sdl,
    query: '{ any self { any other: text } text last: any }',
    root: (seen) => {
      const any = { toJSON: (key: string) => seen.push(key) }
      const text = async (): Promise<string> => {
        await Promise.resolve()
        return `${seen.push('text')}`
      }
      return { any, self: { any: Promise.resolve(any), text }, text: 'a' }
    },
  },
  {
    name: 'members that JSON omits leave neither key nor comma',
    sdl,
    query: '{ self { a: any b: any } other: self { a: any text b: any c: any number } any }',
    root: () => ({ any: () => () => 1, self: { any: () => () => 1, text: 'a', number: 1 } }),
  },
  {
    name: 'an error of another copy of graphql-js climbs to the data',
    sdl,
    query: '{ text self { text } must { text } }',
    root: () => ({ text: foreign('stays'), self: { text: 'a' }, must: foreign('climbs') }),
  },
  {
    name: 'an error of another copy of graphql-js climbs to the data late',
    sdl,
    query: '{ text must { must { text } } }',
    root: () => ({ text: 'a', must: { must: Promise.resolve(foreign('climbs')) } }),
  },
  ...thenableRows,
]
