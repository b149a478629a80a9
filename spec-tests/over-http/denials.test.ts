import { GraphQLError } from 'graphql'
import t from 'tap'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import {
  createHandler,
  createRestHandler,
  failure,
  success,
  type Denial,
  type Options,
} from '../../src/index.js'

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const routes = [{ method: 'GET', path: '/a', operation: '{ a }' }] as const

type Turn = Pick<Options, 'authenticate' | 'admit'>

/** Both places where an embedder may deny, at once and later. */
// oxfmt-ignore
const places: readonly [name: string, deny: (denial: Denial) => Turn][] = [
  ['authenticate',        (denial) => ({ authenticate: () => failure(denial) })],
  ['a late authenticate', (denial) => ({ authenticate: async () => failure(denial) })],
  ['admit',               (denial) => ({ admit: () => denial })],
  ['a late admit',        (denial) => ({ admit: async () => denial })],
]

const teapot: Denial = { kind: 'denied', status: 418, message: 'Short and stout.' }
const accepts: readonly (string | undefined)[] = [
  undefined,
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/json, application/graphql-response+json;q=0',
  'application/json;q=0.5, application/graphql-response+json',
]
const requests: readonly [name: string, request: TestRequest][] = [
  ['POST', { json: { query: '{ a }' } }],
  ['GET', { target: '/graphql?query={a}' }],
]

for (const [place, deny] of places) {
  for (const edition of ['2026-08', '2025-05'] as const) {
    for (const accept of accepts) {
      for (const [method, request] of requests) {
        const title = `${place} denies a ${method} with 418, ${edition}, Accept: ${accept ?? '(none)'}`
        void t.test(`${title}: labelled as every refusal`, async (t) => {
          const asked = { ...request, headers: accept === undefined ? {} : { Accept: accept } }
          const send = (denial: Denial) =>
            testClient(createHandler({ schema, edition, ...deny(denial) }))(asked)
          const response = await send(teapot)
          t.equal(response.status, 418)
          t.strictSame(response.json(), {
            errors: [{ message: 'Short and stout.', extensions: { code: 'DENIED' } }],
          })
          const other = await send({ kind: 'forbidden' })
          t.strictSame([...response.headers], [...other.headers])
          t.equal(response.headers.get('cache-control'), 'no-store')
          const isJson = accept?.includes('q=0') === true && accept.endsWith('q=0')
          const byEdition = edition === '2026-08' ? 'graphql-response+json' : 'json'
          const likesGraphQL =
            accept === 'application/graphql-response+json' ||
            accept?.includes('json;q=0.5') === true
          const type = isJson ? 'json' : likesGraphQL ? 'graphql-response+json' : byEdition
          t.equal(response.headers.get('content-type'), `application/${type}; charset=utf-8`)
        })
      }
    }
  }

  void t.test(`${place} denies a route with 418: a problem`, async (t) => {
    const response = await testClient(createRestHandler({ schema, routes, ...deny(teapot) }))({
      target: '/a',
    })
    t.equal(response.status, 418)
    t.equal(response.headers.get('content-type'), 'application/problem+json')
    t.match(response.json(), { status: 418, code: 'DENIED', detail: 'Short and stout.' })
  })

  for (const message of [undefined, '']) {
    void t.test(`${place} may deny without a message: ${JSON.stringify(message)}`, async (t) => {
      const denial = {
        kind: 'denied',
        status: 418,
        ...(message === undefined ? {} : { message }),
      } as const
      const response = await testClient(createHandler({ schema, ...deny(denial) }))({
        json: { query: '{ a }' },
      })
      t.equal(response.status, 418)
      t.strictSame(response.json(), {
        errors: [{ message: message ?? 'The request is denied.', extensions: { code: 'DENIED' } }],
      })
      const route = await testClient(createRestHandler({ schema, routes, ...deny(denial) }))({
        target: '/a',
      })
      t.match(route.json(), { detail: message ?? 'The request is denied.' })
    })
  }

  const nonsense: readonly Denial[] = [
    { kind: 'denied', status: 418, message: 5 as never },
    { kind: 'denied', status: 418, message: null as never },
    { kind: 'forbidden', message: { hunter2: true } as never },
    { kind: 'unauthenticated', challenge: 'Bearer', message: ['x'] as never },
    { kind: 'rate-limited', retryAfter: 1, message: true as never },
    { kind: 'unavailable', retryAfter: 1, message: (() => 'x') as never },
  ]
  for (const denial of nonsense) {
    void t.test(`${place} denies with no text as message: ${JSON.stringify(denial)}`, async (t) => {
      const bugs: unknown[] = []
      const send = testClient(
        createHandler({ schema, ...deny(denial), onBug: (bug) => bugs.push(bug) }),
      )
      const response = await send({ json: { query: '{ a }' } })
      t.equal(response.status, 500)
      t.match(response.json(), { errors: [{ message: 'Internal server error' }] })
      t.match(bugs, [
        { message: /^(?:authenticate|admit): the message of a denial must be a string/ },
      ])
    })
  }
}

void t.test('an authenticate function that accepts is not affected', async (t) => {
  const handler = createHandler({ schema, authenticate: () => success('me') })
  t.equal((await testClient(handler)({ json: { query: '{ a }' } })).status, 200)
})

// oxfmt-ignore
const times: readonly (readonly [retryAfter: number, told: string])[] = [
  [60,      '60'],
  [1.5,     '2'],
  [-5,      '0'],
  [-0,      '0'],
  [1e-9,    '1'],
  [2 ** 31, '2147483648'],
  [1e21,    '2147483648'],
  [1e300,   '2147483648'],
]

for (const [retryAfter, told] of times) {
  void t.test(`a denial until ${retryAfter} seconds have passed says ${told}`, async (t) => {
    for (const kind of ['rate-limited', 'unavailable'] as const) {
      for (const [, deny] of places) {
        const options = { schema, ...deny({ kind, retryAfter }) }
        const response = await testClient(createHandler(options))({ json: { query: '{ a }' } })
        t.equal(response.headers.get('retry-after'), told)
        t.match(response.body, `retry in ${told} second`)
        const onRoute = await testClient(createRestHandler({ ...options, routes }))({
          target: '/a',
        })
        t.equal(onRoute.headers.get('retry-after'), told)
        t.match(onRoute.body, `retry in ${told} second`)
      }
    }
  })

  void t.test(`an error of a route with retryAfter ${retryAfter} says ${told}`, async (t) => {
    const a = () => {
      throw new GraphQLError('Slowly.', { extensions: { code: 'RATE_LIMITED', retryAfter } })
    }
    const failing = buildSchema('type Query { a: Int }', { Query: { a } })
    const handler = createRestHandler({ schema: failing, routes })
    const response = await testClient(handler)({ target: '/a' })
    t.equal(response.headers.get('retry-after'), told)
  })
}
