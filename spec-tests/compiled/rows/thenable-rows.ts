import * as graphql from 'graphql'
import { sdl, thrower } from './attack-schema.js'
import type { Row } from './row.js'

const is16 = graphql.version.startsWith('16.')

function withThen(then: unknown): object {
  const thenable = {}
  Reflect.set(thenable, 'then', then)
  return thenable
}

/** Whether it is a promise cannot even be asked. */
function withFailingThen(): object {
  return new Proxy({}, { get: thrower('no getter') })
}

const never = new Promise<never>(() => undefined)

/** What waits: promises that never settle, and thenables that keep to no rule. */
export const thenableRows: readonly Row[] = [
  {
    name: 'a promise that never settles lets the rest be executed',
    sdl,
    query: '{ text other }',
    root: () => ({ text: never, other: 'b' }),
    expected: { waits: true, bug: 'never settles' },
  },
  {
    name: 'a null hides a promise that never settles, as it does in graphql-js',
    sdl,
    query: '{ self { text must { text } } other }',
    root: () => ({ self: { text: never, must: null }, other: 'b' }),
    // graphql 16 waits for what is beside the failure.
    ...(is16 && { expected: { waits: true, bug: 'never settles' } }),
  },
  {
    name: 'a thenable that calls back twice is heard once',
    sdl,
    query: '{ text other }',
    root: () => ({
      text: withThen((resolve: (value: string) => void) => {
        resolve('first')
        resolve('second')
      }),
      other: 'b',
    }),
    expected: { waits: true, text: '{"text":"first","other":"b"}', errors: [] },
  },
  {
    name: 'a thenable that calls back and then throws has called back',
    sdl,
    query: '{ text other }',
    root: () => ({
      text: withThen((resolve: (value: string) => void) => {
        resolve('first')
        throw new Error('too late')
      }),
      other: 'b',
    }),
    expected: { waits: true, text: '{"text":"first","other":"b"}', errors: [] },
  },
  {
    name: 'a thenable that resolves and then rejects is resolved',
    sdl,
    query: '{ list { text } }',
    root: () => ({
      list: [
        withThen((resolve: (value: object) => void, reject: (reason: Error) => void) => {
          resolve({ text: 'first' })
          reject(new Error('too late'))
        }),
      ],
    }),
    expected: { waits: true, text: '{"list":[{"text":"first"}]}', errors: [] },
  },
  {
    name: 'a thenable that throws is an error of its field',
    sdl,
    query: '{ text other }',
    root: () => ({ text: withThen(thrower('no then')), other: 'b' }),
    expected: { waits: true, text: '{"text":null,"other":"b"}', errors: ['text: no then'] },
  },
  {
    name: 'a thenable of a thenable is waited for',
    sdl,
    query: '{ text other }',
    root: () => ({
      text: withThen((resolve: (value: object) => void) => {
        resolve(withThen((last: (value: string) => void) => last('inner')))
      }),
      other: 'b',
    }),
    expected: { waits: true, text: '{"text":"inner","other":"b"}', errors: [] },
  },
  {
    name: 'a thenable that rejects twice is told once',
    sdl,
    query: '{ text other }',
    root: () => ({
      text: withThen((_: unknown, reject: (reason: Error) => void) => {
        reject(new Error('first'))
        reject(new Error('second'))
      }),
      other: 'b',
    }),
    expected: { waits: true, text: '{"text":null,"other":"b"}', errors: ['text: first'] },
  },
  {
    name: 'a getter of then that throws is an error also for a custom scalar',
    sdl,
    query: '{ any other }',
    root: () => ({ any: withFailingThen(), other: 'b' }),
  },
  {
    name: 'a value whose properties all fail is an error of its field',
    sdl,
    query: '{ text other }',
    root: () => ({ text: withFailingThen(), other: 'b' }),
  },
]
