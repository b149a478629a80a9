import { inspect } from 'node:util'
import { GraphQLError } from 'graphql'
import t from 'tap'
import { testClient, type TestRequest } from 'graphwire/testing'
import { createRestHandler, type Route, type RouteFacts } from '@graphwire/rest'
import { buildSchema } from 'graphwire'

/** A schema whose mutation gives what the test wants, and how often it ran. */
function schemaThat(thing: unknown) {
  const writes: unknown[] = []
  const schema = buildSchema(
    `
      type Query { thing(id: ID, limit: Int = 7, color: Color = RED): Thing  things: [Thing!] }
      type Mutation { write(id: ID, v: Int): Thing  remove(id: ID): Boolean  fail: Thing }
      type Thing { id: ID  text: Mark  part: Mark  number: Int  version: Mark }
      enum Color { RED BLUE }
      scalar Mark
    `,
    {
      Query: { thing: () => thing },
      Mutation: {
        write: () => (writes.push('write'), thing),
        remove: () => writes.push('remove') > 0,
        fail: () => {
          throw new GraphQLError('It is gone.', {
            extensions: { code: 'NOT_FOUND' },
            cause: new Error('hunter2'),
          })
        },
      },
    },
  )
  return { schema, writes }
}

const write: Route = {
  method: 'POST',
  path: '/thing',
  operation: 'mutation Write { write { id text part number version } }',
  status: 201,
  location: '/thing/{id}',
}

async function send(thing: unknown, route: Partial<Route<never>>, request: TestRequest = {}) {
  const bugs: Error[] = []
  const { schema, writes } = schemaThat(thing)
  const handler = createRestHandler({
    schema,
    onBug: (bug) => bugs.push(bug as Error),
    routes: [{ ...write, ...route }],
  })
  const response = await testClient(handler)({ target: '/thing', json: {}, ...request })
  return { response, bugs, writes }
}

// oxfmt-ignore
const noLocation: readonly [title: string, thing: object, location?: string][] = [
  ['an id of two dots, which clients resolve', { id: '..' }],
  ['an id of one dot',                         { id: '.' }],
  ['an empty id',                              { id: '' }],
  ['half of a pair of surrogates',             { id: 'a\ud800' }],
  ['no id',                                    { id: null }],
  ['an object',                                { id: '1', part: { a: 1 } }, '/thing/{part}'],
  ['a dot further in',                         { id: '1', text: '..' },     '/thing/{id}/{text}'],
]
for (const [title, thing, location = '/thing/{id}'] of noLocation) {
  void t.test(`a success whose location would be wrong has none: ${title}`, async (t) => {
    const { response, bugs, writes } = await send(thing, { location })
    t.equal(response.status, 201)
    t.equal(response.headers.get('location'), null)
    t.match(response.json(), thing)
    t.equal(writes.length, 1)
    t.equal(bugs.length, 1)
    t.match(
      bugs[0]?.message,
      /^Route POST \/thing: location: the value of "[^"]*" cannot be written in a path/,
    )
  })
}

// oxfmt-ignore
const located: readonly [id: string, location: string][] = [
  ['...',       '/thing/...'],
  ['.a',        '/thing/.a'],
  ['a/../b',    '/thing/a%2F..%2Fb'],
  ['\u{1F3C3}', '/thing/%F0%9F%8F%83'],
  ['%2e%2e',    '/thing/%252e%252e'],
  ['__proto__', '/thing/__proto__'],
]
for (const [id, location] of located) {
  void t.test(`the location of ${JSON.stringify(id)} is ${location}`, async (t) => {
    const { response, bugs } = await send({ id }, {})
    t.equal(response.headers.get('location'), location)
    t.strictSame(bugs, [])
  })
}

const round: { self?: unknown } = {}
round.self = round
for (const version of ['a b', '"', '\u00e9', '\u{1F3C3}', {}, true, round]) {
  void t.test(`a version that no tag can hold fails no write: ${inspect(version)}`, async (t) => {
    const { response, bugs, writes } = await send({ id: '1', version }, { version: 'version' })
    t.equal(response.status, 201)
    t.match(response.headers.get('etag'), /^"[\w+/]{43}="$/, 'the digest of the answer')
    t.equal(writes.length, 1)
    t.match(bugs, [
      { message: /^Route POST \/thing: the version cannot be written in an entity tag\.$/ },
    ])
  })
}

const statuses: readonly [status: 202 | 204, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'][] = [
  [202, 'POST'],
  [202, 'DELETE'],
  [204, 'POST'],
  [204, 'PUT'],
  [204, 'PATCH'],
  [204, 'DELETE'],
]
for (const [status, method] of statuses) {
  void t.test(`a ${method} can answer ${status}`, async (t) => {
    const { response } = await send(
      { id: '1', version: 4 },
      { method, status, version: 'version' },
      { method },
    )
    t.equal(response.status, status)
    t.equal(response.headers.get('location'), '/thing/1')
    t.equal(response.headers.get('cache-control'), 'no-store')
    t.equal(response.headers.get('etag'), method === 'DELETE' ? null : '"4"')
    t.equal(response.body === '', status === 204)
    const type = status === 204 ? null : 'application/json; charset=utf-8'
    t.equal(response.headers.get('content-type'), type)
  })
}

void t.test('a 204 without a version has no ETag, since it has no representation', async (t) => {
  const { response } = await send({ id: '1' }, { status: 204 })
  t.equal(response.headers.get('etag'), null)
})

void t.test('a value that a 204 does not send can have any size', async (t) => {
  const { schema, writes } = schemaThat({ id: 'x'.repeat(2_000) })
  const routes: Route[] = [{ ...write, status: 204 }]
  const handler = createRestHandler({ schema, routes, maxResponseBytes: 1_000 })
  const { status } = await testClient(handler)({ target: '/thing', json: {} })
  t.match({ status, writes }, { status: 204, writes: ['write'] })
})

void t.test('a failure of a route that answers 204 is a problem with a body', async (t) => {
  const route: Partial<Route<never>> = { operation: 'mutation Fail { fail { id } }', status: 204 }
  const { response, bugs } = await send({}, route)
  t.match(response.json(), { status: 404, code: 'NOT_FOUND', detail: 'It is gone.' })
  t.notMatch(response.body, 'hunter2')
  t.strictSame(bugs, [], 'a cause is no reason to mask')
})

void t.test('a boolean may be the value behind a 204', async (t) => {
  const { location: _, ...others } = write
  const { schema } = schemaThat({})
  const routes: Route[] = [
    { ...others, method: 'DELETE', operation: 'mutation Remove { remove }', status: 204 },
  ]
  const response = await testClient(createRestHandler({ schema, routes }))({
    method: 'DELETE',
    target: '/thing',
  })
  t.equal(response.status, 204)
})

// oxfmt-ignore
const variables: readonly [title: string, target: string, expected: object][] = [
  ['defaults of the operation',                   '/thing',              { limit: 10, color: 'RED' }],
  ['what the request says',                       '/thing?limit=3&id=5', { limit: 3, id: '5', color: 'RED' }],
  ['nothing that was left out without a default', '/thing',              { id: undefined }],
]
for (const [title, target, expected] of variables) {
  void t.test(`headers() gets variables as resolvers do: ${title}`, async (t) => {
    const seen: RouteFacts['variables'][] = []
    const { response } = await send(
      { id: '1' },
      {
        method: 'GET',
        status: 200,
        operation:
          'query ($id: ID, $limit: Int = 10, $color: Color = RED) { thing(id: $id, limit: $limit, color: $color) { id } }',
        headers: (_, { variables: got }) => {
          seen.push(got)
          return { 'X-Limit': String(got['limit']) }
        },
        location: '/thing/{id}',
      },
      { method: 'GET', target, json: undefined },
    )
    t.equal(response.status, 200, response.body)
    t.match({ ...seen[0] }, expected)
  })
}
