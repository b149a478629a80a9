import * as graphql from 'graphql'
import { thrower } from '../../base/thrower.js'
import { sdl } from './attack-schema.js'
import { rowsOf, type Row } from './row.js'

const is16 = graphql.version.startsWith('16.')

// oxlint-disable-next-line unicorn/no-thenable -- it is what the rows are about
const withThen = (then: unknown): object => ({ then })

/** Whether it is a promise cannot even be asked. */
function withFailingThen(): object {
  return new Proxy({}, { get: thrower(new Error('no getter')) })
}

const never = new Promise<never>(() => undefined)

/** What waits: promises that never settle, and thenables that keep to no rule. */
// oxfmt-ignore
export const thenableRows: readonly Row[] = rowsOf(sdl, [
  [
    'a promise that never settles lets the rest be executed',
    '{ text other }',
    () => ({ text: never, other: 'b' }),
    { expected: { waits: true, bug: 'never settles' } },
  ],
  [
    'a null hides a promise that never settles, as it does in graphql-js',
    '{ self { text must { text } } other }',
    () => ({ self: { text: never, must: null }, other: 'b' }),
    // graphql 16 waits for what is beside the failure.
    { ...(is16 && { expected: { waits: true, bug: 'never settles' } }) },
  ],
  ['of a thenable that calls back twice, the first call counts', '{ text other }', () => ({
    text: withThen((resolve: (value: string) => void) => {
      resolve('first')
      resolve('second')
    }),
    other: 'b',
  }), { expected: { waits: true, text: '{"text":"first","other":"b"}', errors: [] } }],
  ['a thenable that calls back and then throws has called back', '{ text other }', () => ({
    text: withThen((resolve: (value: string) => void) => {
      resolve('first')
      throw new Error('too late')
    }),
    other: 'b',
  }), { expected: { waits: true, text: '{"text":"first","other":"b"}', errors: [] } }],
  ['a thenable that resolves and then rejects is resolved', '{ list { text } }', () => ({
    list: [
      withThen((resolve: (value: object) => void, reject: (reason: Error) => void) => {
        resolve({ text: 'first' })
        reject(new Error('too late'))
      }),
    ],
  }), { expected: { waits: true, text: '{"list":[{"text":"first"}]}', errors: [] } }],
  [
    'a thenable that throws is an error of its field',
    '{ text other }',
    () => ({ text: withThen(thrower(new Error('no then'))), other: 'b' }),
    { expected: { waits: true, text: '{"text":null,"other":"b"}', errors: ['text: no then'] } },
  ],
  ['a thenable of a thenable is waited for', '{ text other }', () => ({
    text: withThen((resolve: (value: object) => void) => {
      resolve(withThen((last: (value: string) => void) => last('inner')))
    }),
    other: 'b',
  }), { expected: { waits: true, text: '{"text":"inner","other":"b"}', errors: [] } }],
  ['a thenable that rejects twice is reported once', '{ text other }', () => ({
    text: withThen((_: unknown, reject: (reason: Error) => void) => {
      reject(new Error('first'))
      reject(new Error('second'))
    }),
    other: 'b',
  }), { expected: { waits: true, text: '{"text":null,"other":"b"}', errors: ['text: first'] } }],
  ['a getter of then that throws is an error also for a custom scalar', '{ any other }',  () => ({ any: withFailingThen(), other: 'b' })],
  ['a value whose properties all fail is an error of its field',        '{ text other }', () => ({ text: withFailingThen(), other: 'b' })],
])
