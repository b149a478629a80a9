import t from 'tap'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { testClient } from '../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import { createHandler } from '../../src/index.js'
import type { Decoder, Handler, NumericOptions } from '../../src/index.js'
import { defer } from '../base/defer.js'

const schema = buildSchema('type Query { a(n: Int): Int }', { Query: { a: () => 1 } })
const routes = [{ method: 'POST', path: '/a', operation: 'query ($n: Int) { a(n: $n) }' }] as const

type Options = NumericOptions & { decoder: Decoder; onBug?: (bug: unknown) => void }

// oxfmt-ignore
const surfaces: readonly [name: string, body: string, make: (options: Options) => Handler][] = [
  ['GraphQL', '{"query":"{ a }"}', ({ decoder, ...options }) => createHandler({ schema, decoders: { slow: decoder }, ...options })],
  ['routes',  '{}',                ({ decoder, ...options }) => createRestHandler({ schema, routes, decoders: { slow: decoder }, ...options })],
]

const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'slow' }
const never: Decoder = () => new Promise(() => undefined)

for (const [name, body, make] of surfaces) {
  const request = { method: 'POST', target: '/a', headers, body }

  void t.test(`${name}: a decoder that never settles is 503 in the end`, async (t) => {
    const send = testClient(make({ decoder: never, executionTimeout: 20, maxInFlight: 1 }))
    for (let again = 0; again < 3; again++) {
      const response = await send(request)
      t.equal(response.status, 503)
      t.match(response.body, 'CANCELLED', 'and its slot is free again')
      t.equal(response.headers.get('retry-after'), '1')
    }
  })

  void t.test(`${name}: it is not awaited when the client disconnects`, async (t) => {
    const gone = new AbortController()
    const answer = testClient(make({ decoder: never }))({ ...request, signal: gone.signal })
    gone.abort()
    t.equal((await answer).status, 499)
  })

  void t.test(`${name}: a decoder that fails too late is reported`, async (t) => {
    const late = new Error('late')
    const [decoding, reported] = [defer<never>(), defer<unknown>()]
    const decoder: Decoder = () => decoding.promise
    await testClient(make({ decoder, executionTimeout: 20, onBug: reported.resolve }))(request)
    decoding.reject(late)
    t.equal(await reported.promise, late)
  })

  void t.test(`${name}: what a decoder throws is a masked 500`, async (t) => {
    const bugs: unknown[] = []
    const decoder: Decoder = () => Promise.reject(new Error('hunter2'))
    const send = testClient(make({ decoder, onBug: (bug) => bugs.push(bug) }))
    const response = await send(request)
    t.equal(response.status, 500)
    t.notMatch(response.body, 'hunter2')
    t.match(bugs, [{ message: 'hunter2' }])
  })
}
