import type { GraphQLResolveInfo } from 'graphql'
import t from 'tap'
import { installedGraphQL, splitsExecution } from '../../../src/graphql/js/graphql.js'
import { buildSchema, createHandler } from '../../../src/index.js'
import { testClient } from '../../../src/hosts/testing.js'

// graphql 16 has no signal of its own.
const only17 = { skip: !splitsExecution(installedGraphQL) }

const bugs: Error[] = []
let signal: AbortSignal | undefined
const sdl = 'type Query { atOnce: Int late: Int fails: Int sets: Int }'
const schema = buildSchema(sdl, {
  Query: {
    atOnce: (_: unknown, __: unknown, ___: unknown, info: GraphQLResolveInfo) => {
      signal = info.getAbortSignal?.()
      return 1
    },
    late: async () => 1,
    sets: () => (Error.stackTraceLimit = 33),
    fails: () => {
      void inner({ method: 'GET', target: '/?query=%7BatOnce%7D', headers: [], raw: undefined })
      throw new Error('failed')
    },
  },
})
const inner = createHandler({ schema })
const send = testClient(createHandler({ schema, onBug: (bug) => bugs.push(bug as Error) }))

// oxfmt-ignore
const rows: readonly [title: string, query: string, hasLines: boolean][] = [
  ['has no stack',                                 '{ atOnce }',      false],
  ['has one if it waited, as others may run then', '{ atOnce late }', true],
]
for (const [title, query, hasLines] of rows) {
  void t.test(`what ends the signal of resolvers ${title}`, only17, async (t) => {
    t.equal((await send({ json: { query } })).status, 200)
    const reason = signal?.reason as Error | undefined
    t.equal(/^ +at /m.test(String(reason?.stack)), hasLines)
  })
}

void t.test('a limit that a resolver sets stays', async (t) => {
  const { stackTraceLimit } = Error
  t.teardown(() => (Error.stackTraceLimit = stackTraceLimit))
  for (const query of ['{ sets }', '{ sets late }']) {
    Error.stackTraceLimit = stackTraceLimit
    await send({ json: { query } })
    t.equal(Error.stackTraceLimit, 33)
  }
})

void t.test('all other errors have their stacks', async (t) => {
  const { stackTraceLimit } = Error
  t.match((await send({ json: { query: '{ atOnce fails }' } })).json(), { errors: [{}] })
  t.match(bugs, [{ stack: /end-stack\.test/ }], 'also behind an execution within a resolver')
  t.equal(Error.stackTraceLimit, stackTraceLimit)
})
