import t from 'tap'
import { testClient, type TestRequest } from 'graphwire/testing'
import { createRestHandler } from '@graphwire/rest'
import { buildSchema, type OperationRequest } from 'graphwire'

const names: { readonly [cookie: string]: string } = { 'user=a': 'Ann', 'user=b': 'Bo' }

const schema = buildSchema(
  `type Query { me: Person }  type Person { name: String!  version: Int! }
   type Mutation { rename(name: String!, ifVersion: Int): Person }`,
  {
    Query: {
      me: (_: unknown, __: unknown, request: OperationRequest) => ({
        name: names[request.header('cookie') ?? ''] ?? 'somebody',
        version: 1,
      }),
    },
    Mutation: {
      rename: (_: unknown, { name, ifVersion }: { name: string; ifVersion?: number }) => ({
        name: `${name} ${String(ifVersion)}`,
        version: 2,
      }),
    },
  },
)

const send = testClient(
  createRestHandler({
    schema,
    routes: [
      { method: 'GET', path: '/me', operation: '{ me { name version } }', version: 'version' },
      {
        method: 'PATCH',
        path: '/me',
        operation:
          'mutation ($name: String!, $v: Int) { rename(name: $name, ifVersion: $v) { name version } }',
        version: 'version',
        ifMatch: 'v',
      },
    ],
  }),
)

const me = (headers: { readonly [name: string]: string }): TestRequest => ({
  target: '/me',
  headers,
})
const tagOf = async (cookie: string): Promise<string> =>
  (await send(me({ Cookie: cookie }))).headers.get('etag') ?? ''

void t.test('a request without credentials gets the version as its tag', async (t) => {
  const response = await send(me({}))
  t.equal(response.headers.get('etag'), '"1"')
  t.equal((await send(me({ 'If-None-Match': '"1"' }))).status, 304)
})

void t.test('tags differ between users, and from those without credentials', async (t) => {
  const tag = await tagOf('user=a')
  t.match(tag, /^"1\.[\w+/]{22}"$/)
  // oxfmt-ignore
  const rows = [
    { cookie: 'user=a', known: tag,   status: 304 },
    { cookie: 'user=b', known: tag,   status: 200 },
    { cookie: 'user=b', known: '"1"', status: 200 },
  ]
  for (const { cookie, known, status } of rows) {
    const response = await send(me({ Cookie: cookie, 'If-None-Match': known }))
    t.equal(response.status, status, `${cookie} ${known}`)
    t.equal(response.headers.get('cache-control'), 'private, no-cache')
  }
})

void t.test('either tag is a precondition', async (t) => {
  const tag = await tagOf('user=a')
  for (const [match, status] of [
    [tag, 200],
    ['"1"', 200],
    ['"2"', 412],
    [await tagOf('user=b'), 412],
  ] as const) {
    const response = await send(me({ Cookie: 'user=a', 'If-Match': match }))
    t.equal(response.status, status, match)
  }
})

void t.test('a write takes the version out of either tag', async (t) => {
  for (const match of ['"1"', await tagOf('user=a')]) {
    const response = await send({
      method: 'PATCH',
      target: '/me',
      json: { name: 'x' },
      headers: { 'If-Match': match },
    })
    t.same(response.json(), { name: 'x 1' })
    t.equal(response.headers.get('etag'), '"2"')
  }
})
