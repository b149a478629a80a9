import { setTimeout as pause } from 'node:timers/promises'
import { execute, parse } from 'graphql'
import t from 'tap'
import { buildSchema } from '../../../src/index.js'
import { defer } from '../../base/defer.js'
import { clientOf } from '../../handler/client-of.js'
import { without17 } from '../../incremental/client.js'
import { bodyOf } from '../../incremental/read-parts.js'

/*
 * graphql 17 waits for the next item of an asynchronous iterable while nothing handles those that fail, and leaves promises
 * of a list unread that is delivered in parts. An unhandled rejection would end the process.
 */
const sdl = `
  directive @experimental_disableErrorPropagation on QUERY
  type Query { pages: [[Task!]!]!  late: [[Task!]]  set: [[Task!]]  generated: [[Task!]]  unfinished: [[Task!]!]  returned: Int  subclass: [Task!]  thenable: [Task!]  promised: [Task!]  linked: [Task!]  gaps: [Task!]  tasks: [Task!]  later: [Task!]  broken: [Task!]  names: [String]  lazy: [String]  endless: [Task!] }
  type Task { id: Int  title: String!  next: Task }
`

class Query<Value = string> extends Promise<Value> {}

async function* slowly(): AsyncGenerator<object> {
  for (const id of [1, 2, 3]) {
    yield { id }
    await pause(20)
  }
}

let returned = 0

const schema = buildSchema(sdl, {
  Query: {
    tasks: slowly,
    later: async () => slowly(),
    pages: () => [slowly()],
    late: async () => [Promise.resolve(slowly())],
    set: () => new Set([[], slowly()]),
    *generated() {
      yield slowly()
    },
    *unfinished() {
      try {
        yield slowly()
        yield null
      } finally {
        returned += 1
      }
    },
    returned: () => returned,
    subclass: () => Query.resolve(slowly()),
    // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
    thenable: () => ({ then: (done: (list: unknown) => void) => done(slowly()) }),
    // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
    lazy: () => Object.assign(slowly(), { then: (done: (list: unknown) => void) => done(['b']) }),
    promised() {
      const steps = [{ value: Promise.reject(new Error('No.')) }, pause(20, { done: true })]
      return { [Symbol.asyncIterator]: () => ({ next: () => steps.shift() }) }
    },
    async *linked() {
      yield { id: 2, next: Promise.reject(new Error('The database is down.')) }
      await pause(20)
      yield { id: 3 }
    },
    async *gaps() {
      for (const id of [1, 2, 3]) yield id === 2 ? null : { id }
    },
    async *broken() {
      yield* slowly()
      throw new Error('The file is cut off.')
    },
    async *endless() {
      for (let id = 2; ; id += 1) yield id === 4 ? null : { id }
    },
    names: () => [Query.resolve('a'), new Query((_, fail) => setTimeout(fail, 5, 'no'))],
  },
  Task: {
    title: async ({ id }: { readonly id: number }) => {
      await pause(5)
      if (id === 1) throw new Error('The database is down.')
      return 'x'
    },
  },
})

const failed = /"path":\["tasks",0,"title"\].*"data":\{"tasks":null\}/

// oxfmt-ignore
const rows: readonly [title: string, query: string, response: RegExp][] = [
  ['a list that waits for its next item', '{ tasks { title } }',                                     failed],
  ['a promise in an item', '{ linked { next { title } } }', /"path":\["linked",0,"next"\].*"data":\{"linked":\[\{"next":null\},\{"next":null\}\]\}/],
  ['one within a list', '{ tasks: pages { title } }', /"path":\["tasks",0,0,"title"\]/],
  ['a promise of one within a list', '{ tasks: late { title } }', /"path":\["tasks",0,0,"title"\].*"data":\{"tasks":\[null\]\}/],
  ['one within a set', '{ tasks: set { title } }', /"path":\["tasks",1,0,"title"\].*"data":\{"tasks":\[\[\],null\]\}/],
  ['one within what a generator yields', '{ tasks: generated { title } }', /"path":\["tasks",0,0,"title"\].*"data":\{"tasks":\[null\]\}/],
  ['one within a list that fails, whose generator is returned', '{ tasks: unfinished { title }  returned }', /"path":\["tasks",1\].*"data":\{"tasks":null,"returned":1\}/],
  ['one behind a promise of a subclass', '{ tasks: subclass { title } }', failed],
  ['one behind a thenable', '{ tasks: thenable { title } }', failed],
  ['a query with rows, beside a part', '{ lazy ... @defer { returned } }', /"data":\{"lazy":\["b"\]\}/],
  ['an item that is a promise', '{ tasks: promised { title } }', /"path":\["tasks",0\].*"data":\{"tasks":null\}/],
  ['one behind a promise',                '{ tasks: later { title } }',                              failed],
  ['the beginning of a stream',           '{ tasks @stream(initialCount: 2) { title } }',            failed],
  ['all of a stream that is not active',  '{ tasks @stream(initialCount: 2, if: false) { title } }', failed],
  ['a list that breaks',                  '{ tasks: broken { title } }',                             /"path":\["tasks"\].*"data":\{"tasks":null\}/],
  ['a list that fails before its end',     '{ tasks: endless { title } }',                            /"path":\["tasks",2\].*"data":\{"tasks":null\}/],
  ['a list whose errors reach no parent',  'query @experimental_disableErrorPropagation { tasks: gaps { id } }', /"path":\["tasks",1\].*"data":\{"tasks":\[\{"id":1\},null,\{"id":3\}\]\}/],
  ['promises of a subclass in a stream',  '{ names @stream(initialCount: 1) }',                      /"data":\{"names":\["a"\]\}.*"path":\["names",1\]/s],
]

for (const [title, query, response] of rows) {
  void t.test(title, { skip: without17 }, async (t) => {
    const rejected: unknown[] = []
    const onRejection = (reason: unknown): void => void rejected.push(reason)
    process.on('unhandledRejection', onRejection)
    t.teardown(() => process.off('unhandledRejection', onRejection))
    const { send } = clientOf({ schema })
    const headers = { Accept: 'multipart/mixed;incrementalSpec=v0.2, application/json;q=0.5' }
    t.match(await bodyOf(await send({ json: { query }, headers })), response)
    t.strictSame(rejected, [])
  })
}

void t.test(
  'a stream that a thenable gives begins before its end',
  { skip: without17 },
  async (t) => {
    async function* unending() {
      yield 'a'
      await new Promise(() => undefined)
    }
    // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
    const names = () => ({ then: (done: (list: unknown) => void) => done(unending()) })
    const endless = buildSchema('type Query { names: [String!] }', { Query: { names } })
    const { send } = clientOf({ schema: endless, executionTimeout: 5_000, incrementalTimeout: 50 })
    const headers = { Accept: 'multipart/mixed;incrementalSpec=v0.2' }
    const query = '{ names @stream(initialCount: 1) }'
    t.match(await bodyOf(await send({ json: { query }, headers })), '"data":{"names":["a"]}')
  },
)

void t.test(
  'what an embedder executes with the same schema is not read ahead',
  { skip: without17 },
  async (t) => {
    const shared = buildSchema(
      'type Query { a: Int  tasks: [Task!] } type Task { id: Int  title: String! }',
      {
        Query: {
          // Gives the next one when the one before has been resolved.
          async *tasks() {
            for (const title of ['one', 'two']) {
              const resolved = defer()
              yield { title: () => (resolved.resolve(), title) }
              await resolved.promise
            }
          },
        },
      },
    )
    await clientOf({ schema: shared }).ask('{ a }')
    const { data } = await execute({ schema: shared, document: parse('{ tasks { title } }') })
    t.strictSame(JSON.stringify(data), '{"tasks":[{"title":"one"},{"title":"two"}]}')
  },
)
