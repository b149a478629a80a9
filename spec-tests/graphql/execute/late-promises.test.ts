import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { isCompiled } from '../../handler/steps/majors.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { buildSchema, type OperationRequest } from '../../../src/index.js'
import { majors } from '../majors.js'

type Resolvers = NonNullable<Parameters<typeof buildSchema>[1]>

const noLater = () => pause(5).then(thrower(new Error('No.')))

let respond = (): void => undefined
let responded = Promise.resolve()

/** From now on, nothing that is late arrives before `respond` is called. */
function begin(): void {
  dropped.length = 0
  responded = new Promise((resolve) => (respond = resolve))
}

/** Returns its value once the response is there. */
const late = <Value>(make: () => Value): Promise<Value> => responded.then(make)

/** As query builders have them: it begins when its `then` is called. */
const thenable = (run: () => Promise<unknown>): object => ({
  // oxlint-disable-next-line unicorn/no-thenable -- it is what the row is about
  then: (...given: Parameters<Promise<unknown>['then']>) => run().then(...given),
})

/** Calls back at once, also with a promise, which native ones do not. */
const calling = (value: unknown): object => ({
  // oxlint-disable-next-line unicorn/no-thenable -- it is what the row is about
  then: (done: (value: unknown) => void) => done(value),
})

async function* itemsOf(...items: readonly unknown[]): AsyncGenerator {
  yield* items
}

type Row = readonly [name: string, query: string, resolvers: Resolvers]

const sdl = `
  type Query { posts: [Post] ids: [[ID]] must: [[ID!]!] post: Post node: Node slow: String }
  interface Node { id: ID! }
  type Post implements Node { id: ID! author: Post posts: [Post] }
`

// oxfmt-ignore
const rows: readonly Row[] = [
  ['a list of promises', '{ posts { id } }', { Query: { posts: () => late(() => [noLater(), noLater()]) } }],
  ['a list of promises that use the signal', '{ posts { id } }', {
    Query: {
      posts: (_: unknown, __: unknown, { signal }: OperationRequest) =>
        late(() => [1, 2].map((id) => pause(10, { id }, { signal }))),
    },
  }],
  ['a set of promises',                      '{ posts { id } }',           { Query: { posts: () => late(() => new Set([noLater()])) } }],
  ['a set of several promises',              '{ posts { id } }',           { Query: { posts: () => late(() => new Set([noLater(), noLater()])) } }],
  ['lists in a list',                        '{ ids }',                    { Query: { ids: () => late(() => [[noLater()], Promise.resolve([noLater()])]) } }],
  ['lists in a list that was there in time', '{ ids }',                    { Query: { ids: () => [[1], late(() => [noLater()])] } }],
  ['lists in a list that arrived in time',   '{ ids }',                    { Query: { ids: async () => [late(() => [noLater()])] } }],
  ['a list from a method of an object',      '{ post { posts { id } } }',  { Query: { post: () => ({ posts: () => late(() => [noLater()]) }) } }],
  ['an object with a promise',               '{ post { author { id } } }', { Query: { post: () => late(() => ({ author: noLater() })) } }],
  [
    'an object with a promise behind a field that may not be null',
    '{ post { id author { id } } }',
    { Query: { post: () => late(() => ({ id: 1, author: noLater() })) } },
  ],
  ['an object with a list of promises', '{ post { posts { id } } }', { Query: { post: () => late(() => ({ posts: [noLater()] })) } }],
  [
    'an object with a promise that gives a list of promises',
    '{ post { posts { id } } }',
    { Query: { post: () => late(() => ({ posts: late(() => [noLater()]) })) } },
  ],
  ['a list of promises from a thenable', '{ posts { id } }', { Query: { posts: () => thenable(() => late(() => [noLater(), noLater()])) } }],
  ['objects with promises in a list', '{ posts { author { id } } }', { Query: { posts: () => late(() => [{ author: noLater() }]) } }],
  ['objects with promises by thenables as items', '{ posts { author { id } } }', { Query: { posts: () => [thenable(() => late(() => ({ author: noLater() })))] } }],
  ['a list of promises from a thenable with a promise', '{ posts { id } }', { Query: { posts: () => calling(late(() => [noLater()])) } }],
  ['objects with promises as items',  '{ posts { author { id } } }', { Query: { posts: () => [late(() => ({ author: noLater() }))] } }],
]

/** graphql 16 has no asynchronous lists. */
// oxfmt-ignore
const rowsOf17: readonly Row[] = [
  ['an object of an asynchronous list from a promise', '{ posts { author { id } } }', { Query: { posts: async () => itemsOf(late(() => ({ author: noLater() }))) } }],
  ['an object of an asynchronous list from a thenable', '{ posts { author { id } } }', { Query: { posts: () => thenable(async () => itemsOf(late(() => ({ author: noLater() })))) } }],
  ['an object of an asynchronous list', '{ posts { author { id } } }', { Query: { posts: () => itemsOf(late(() => ({ author: noLater() }))) } }],
  ['a list of an asynchronous list',  '{ ids }',                     { Query: { ids: () => itemsOf(late(() => [noLater()])) } }],
  ['a list that may not be null of an asynchronous list', '{ must }', { Query: { must: () => itemsOf(late(() => [noLater()])) } }],
]

const dropped: unknown[] = []
process.on('unhandledRejection', (reason) => dropped.push(reason))

for (const [major, graphql] of majors) {
  const is16 = graphql.version.startsWith('16.')
  for (const [name, query, resolvers] of is16 ? rows : [...rows, ...rowsOf17]) {
    void t.test(`${major}: no promise is left to reject after the deadline: ${name}`, async (t) => {
      begin()
      const schema = buildSchema(sdl, resolvers, { graphql })
      t.equal((await clientOf({ graphql, schema, executionTimeout: 20 }).ask(query)).status, 503)
      respond()
      await pause(60)
      t.same(dropped, [])
    })
  }

  void t.test(`${major}: nor after another field has ended the operation`, async (t) => {
    begin()
    const resolvers = { Query: { me: noLater, posts: () => late(() => [noLater()]) } }
    const schema = buildSchema('type Query { me: ID! posts: [ID] }', resolvers, { graphql })
    t.match((await clientOf({ graphql, schema }).ask('{ posts me }')).json(), { data: null })
    respond()
    await pause(60)
    t.same(dropped, [])
  })

  void t.test(`${major}: an iterator that gives nothing is an error of its field`, async (t) => {
    begin()
    const posts = () => ({ [Symbol.asyncIterator]: () => ({ next: async () => undefined }) })
    const schema = buildSchema(sdl, { Query: { posts } }, { graphql })
    t.match((await clientOf({ graphql, schema }).ask('{ posts { id } }')).json(), { errors: [{}] })
    await pause(5)
    t.same(dropped, [])
  })

  void t.test(`${major}: what arrives late is not started and not read`, async (t) => {
    begin()
    const reads: string[] = []
    // oxlint-disable-next-line unicorn/no-thenable -- it is what the row is about
    const lazy = { then: () => reads.push('then') }
    const post = Object.defineProperty({}, 'author', { get: () => reads.push('author') })
    const posts = () => late(() => [lazy, post])
    const schema = buildSchema(sdl, { Query: { posts } }, { graphql })
    const { ask } = clientOf({ graphql, schema, executionTimeout: 20 })
    t.equal((await ask('{ posts { author { id } } }')).status, 503)
    respond()
    await pause(20)
    // By the version, since the matrix runs both with 16.
    t.same(reads, is16 && !isCompiled ? ['then'] : [])
  })

  void t.test(`${major}: types that many schemas share are watched once`, async (t) => {
    const { GraphQLObjectType, GraphQLSchema, GraphQLString } = graphql
    const hello = { type: GraphQLString, resolve: () => new Error('No.').stack }
    const query = new GraphQLObjectType({ name: 'Query', fields: { hello } })
    const { ask } = clientOf({ graphql, schema: () => new GraphQLSchema({ query }) })
    const depths = new Set<number>()
    Error.stackTraceLimit = 200
    for (let at = 0; at < 20; at += 1) {
      const { body } = await ask('{ hello }')
      depths.add(body.match(/late-values|pending-items/g)?.length ?? 0)
    }
    t.same([...depths], [isCompiled ? 0 : 1])
  })
}
