import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { cacheExchange, Client, fetchExchange } from '@urql/core'
import { meros } from 'meros/browser'
import t, { type Test } from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { serve } from '../../../src/hosts/node/index.js'
import { defer } from '../../base/defer.js'
import { without17 } from '../../incremental/client.js'
import { watchFetch } from './serve-standard.js'

const skip = without17
const deferred = '{ item { id name ... @defer { late } } }'
const streamed = '{ item { id } list @stream(initialCount: 1) }'
const failing = '{ item { id name ... @defer { fail } } }'

const item = { id: '1', name: 'Ada' }

/** What a client shows of a query at first, and in the end. */
const shown: { readonly [query: string]: readonly [first: object, last: object] } = {
  [deferred]: [{ item }, { item: { ...item, late: 'late' } }],
  [streamed]: [
    { item: { id: '1' }, list: [1] },
    { item: { id: '1' }, list: [1, 2, 3] },
  ],
}

/** Serves a schema whose late values wait until a client has shown what came before. */
async function start(t: Test) {
  const { promise: released, resolve: release } = defer()
  const schema = buildSchema(
    `type Query { item: Item  list: [Int!] } type Item { id: ID!  name: String  late: String  fail: String! }`,
    {
      Query: {
        item: () => ({ id: '1', name: 'Ada' }),
        async *list() {
          yield 1
          await released
          yield 2
          yield 3
        },
      },
      Item: {
        late: () => released.then(() => 'late'),
        fail: () => released.then(() => Promise.reject(new Error('secret'))),
      },
    },
  )
  const served = await serve({ schema, host: '127.0.0.1', port: 0, onBug: () => {} })
  t.teardown(() => served.close({ grace: 0 }))
  return { url: served.url, release, ...watchFetch() }
}

// The types of the handlers do not fit those of the client's option under `exactOptionalPropertyTypes`.
// oxfmt-ignore
const handlers: readonly [name: string, make: () => Defer20220824Handler][] = [
  ['deferSpec=20220824',   () => new Defer20220824Handler()],
  ['incrementalSpec=v0.2', () => new GraphQL17Alpha9Handler() as unknown as Defer20220824Handler],
]

for (const [spec, make] of handlers) {
  const startApollo = async (t: Test) => {
    const { url, fetch, ...others } = await start(t)
    const link = new HttpLink({ uri: url, fetch })
    const cache = new InMemoryCache()
    return { client: new ApolloClient({ link, cache, incrementalHandler: make() }), ...others }
  }

  for (const query of [deferred, streamed]) {
    void t.test(`Apollo Client, ${spec}: ${query}`, { skip }, async (t) => {
      const { client, release, seen } = await startApollo(t)
      const results: unknown[] = []
      await new Promise<void>((resolve, reject) => {
        client.watchQuery({ query: gql(query), errorPolicy: 'all' }).subscribe({
          next({ data, loading, error }) {
            if (error !== undefined) return reject(error)
            if (data === undefined) return
            results.push(withoutNames(data))
            release()
            if (!loading) resolve()
          },
          error: reject,
        })
      })
      t.strictSame([results[0], results.at(-1)], shown[query])
      t.match(seen, [{ status: 200, type: 'multipart/mixed', accept: new RegExp(spec) }])
    })
  }

  void t.test(`Apollo Client, ${spec}: an error of what is late`, { skip }, async (t) => {
    const { client, release } = await startApollo(t)
    release()
    const { data, error } = await client.query({ query: gql(failing), errorPolicy: 'all' })
    t.match(data, { item: { id: '1', name: 'Ada' } })
    t.match(error?.message, 'Internal server error')
  })
}

/** Apollo Client adds `__typename` to selections. */
function withoutNames(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    key === '__typename' ? undefined : value,
  )
}

const older = 'multipart/mixed;deferSpec=20220824, application/json'

/** In v0.2 urql cannot place the items of a list. */
const rows: readonly [accept: string | undefined, query: string][] = [
  [undefined, deferred],
  [older, deferred],
  [older, streamed],
]
for (const [accept, query] of rows) {
  void t.test(`urql, ${accept ?? 'as it is'}: ${query}`, { skip }, async (t) => {
    const { url, fetch, release, seen } = await start(t)
    const client = new Client({
      url,
      fetch,
      exchanges: [cacheExchange, fetchExchange],
      preferGetMethod: false,
      fetchOptions: { headers: accept === undefined ? {} : { accept } },
    })
    const results: unknown[] = []
    await new Promise<void>((resolve, reject) => {
      client.query(query, {}).subscribe(({ data, error, hasNext }) => {
        if (error !== undefined) return reject(error)
        results.push(withoutNames(data))
        release()
        if (!hasNext) resolve()
      })
    })
    t.strictSame([results[0], results.at(-1)], shown[query])
    t.match(seen, [{ status: 200, type: 'multipart/mixed' }])
  })
}

for (const Accept of ['multipart/mixed', 'multipart/mixed;deferSpec=20220824']) {
  void t.test(`meros delivers each part when it comes, ${Accept}`, { skip }, async (t) => {
    const { url, fetch, release } = await start(t)
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept },
      body: JSON.stringify({ query: deferred }),
    })
    const parts = await meros<{ readonly hasNext: boolean }>(response)
    if (!(Symbol.asyncIterator in parts)) return t.fail('it is not multipart')
    const found: unknown[] = []
    for await (const { json, body } of parts) {
      t.ok(json)
      found.push((body as { readonly hasNext: boolean }).hasNext)
      release()
    }
    return t.strictSame(found, [true, false])
  })
}
