import { GraphQLError } from 'graphql'
import t from 'tap'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import { buildSchema, createHandler, failure, type Denial, type Options } from '../../src/index.js'
import { thrower } from '../base/thrower.js'
import { clientOf } from '../handler/client-of.js'

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const routes = [{ method: 'GET', path: '/a', operation: '{ a }' }] as const
const post = { json: { query: '{ a }' } }
const requests: readonly TestRequest[] = [post, { target: '/graphql?query={a}' }]

type Turn = Pick<Options, 'authenticate' | 'admit'>

/** Both places where an embedder may deny, at once and later. */
// oxfmt-ignore
const places: readonly [name: string, deny: (denial: Denial) => Turn][] = [
  ['authenticate',        (denial) => ({ authenticate: () => failure(denial) })],
  ['a late authenticate', (denial) => ({ authenticate: async () => failure(denial) })],
  ['admit',               (denial) => ({ admit: () => denial })],
  ['a late admit',        (denial) => ({ admit: async () => denial })],
]

/** The type of a denial, in September 2026 and in May 2025. */
// oxfmt-ignore
const types: readonly [accept: string | undefined, newer: string, older: string][] = [
  [undefined,                                                   'graphql-response+json', 'json'],
  ['*/*',                                                       'graphql-response+json', 'json'],
  ['application/json',                                          'graphql-response+json', 'json'],
  ['application/graphql-response+json',                         'graphql-response+json', 'graphql-response+json'],
  ['application/json, application/graphql-response+json;q=0',   'json',                  'json'],
  ['application/json;q=0.5, application/graphql-response+json', 'graphql-response+json', 'graphql-response+json'],
]

const message = 'Short and stout.'
const teapot: Denial = { kind: 'denied', status: 418, message }
// oxfmt-ignore
const denials: readonly [denial: Denial, code: string, text: string][] = [
  [teapot,                              'DENIED',       message],
  [{ kind: 'denied', status: 418 },     'DENIED',       'The request is denied.'],
  [{ ...teapot, message: '' },          'DENIED',       ''],
  [{ ...teapot, code: 'PLAN_EXPIRED' }, 'PLAN_EXPIRED', message],
]

for (const [place, deny] of places) {
  void t.test(`${place} denies with 418: labelled as every refusal`, async (t) => {
    for (const [accept, newer, older] of types) {
      for (const edition of ['2026-09', '2025-05'] as const) {
        const accepting = accept === undefined ? {} : { Accept: accept }
        const send = (denial: Denial, request: TestRequest) =>
          clientOf({ schema, edition, ...deny(denial) }).send({ ...request, headers: accepting })
        for (const request of requests) {
          const { status, headers } = await send(teapot, request)
          const name = `${edition}, Accept: ${accept}`
          t.equal(status, 418, name)
          t.strictSame([...headers], [...(await send({ kind: 'forbidden' }, request)).headers])
          t.equal(headers.get('cache-control'), 'no-store')
          const type = edition === '2026-09' ? newer : older
          t.equal(headers.get('content-type'), `application/${type}; charset=utf-8`, name)
        }
      }
    }
  })

  void t.test(`${place} may say why, with a code of its own`, async (t) => {
    for (const [denial, code, text] of denials) {
      const options = { schema, ...deny(denial) }
      const response = await testClient(createHandler(options))(post)
      t.strictSame(response.json(), { errors: [{ message: text, extensions: { code } }] })
      const route = await testClient(createRestHandler({ ...options, routes }))({ target: '/a' })
      t.equal(route.headers.get('content-type'), 'application/problem+json')
      const type = `urn:graphwire:problem:${code.toLowerCase().replace('_', '-')}`
      t.match(route.json(), { status: 418, code, type, detail: text })
    }
  })
}

// oxfmt-ignore
const times: readonly (readonly [retryAfter: number, seconds: string])[] = [
  [60,      '60'],
  [1.5,     '2'],
  [-5,      '0'],
  [-0,      '0'],
  [1e-9,    '1'],
  [2 ** 31, '2147483648'],
  [1e21,    '2147483648'],
  [1e300,   '2147483648'],
]

for (const [retryAfter, seconds] of times) {
  void t.test(`${retryAfter} seconds are sent as ${seconds}`, async (t) => {
    for (const kind of ['rate-limited', 'unavailable'] as const) {
      for (const [, deny] of places) {
        const options = { schema, ...deny({ kind, retryAfter }) }
        for (const { headers, body } of [
          await testClient(createHandler(options))(post),
          await testClient(createRestHandler({ ...options, routes }))({ target: '/a' }),
        ]) {
          t.equal(headers.get('retry-after'), seconds)
          t.match(body, `retry in ${seconds} second${seconds === '1' ? '' : 's'}.`)
        }
      }
    }
    const extensions = { code: 'RATE_LIMITED', retryAfter }
    const rootValue = { a: thrower(new GraphQLError('Slowly.', { extensions })) }
    const failing = buildSchema('type Query { a: Int }')
    const handler = createRestHandler({ schema: failing, rootValue, routes })
    const { headers } = await testClient(handler)({ target: '/a' })
    t.equal(headers.get('retry-after'), seconds, 'also by an error of a resolver')
  })
}
