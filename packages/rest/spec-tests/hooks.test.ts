import { GraphQLError } from 'graphql'
import t from 'tap'
import { testClient, type TestRequest } from 'graphwire/testing'
import { createRestHandler, type RestOptions, type Route } from '@graphwire/rest'
import { buildSchema, success } from 'graphwire'
import type { CompletedRequest, RequestInfo, ResultInfo } from 'graphwire'
import { createPeople, routes } from './people.js'

const { stringify } = JSON

async function ask(request: TestRequest, options: Partial<RestOptions> = {}) {
  const results: { request: CompletedRequest; result: ResultInfo }[] = []
  const bugs: unknown[] = []
  const { schema, people } = createPeople()
  const handler = createRestHandler({
    schema,
    routes,
    onBug: (bug) => bugs.push(bug),
    onResult: (one, result) => results.push({ request: one, result }),
    ...options,
  })
  const response = await testClient(handler)(request)
  return { response, results, bugs, people }
}

// oxfmt-ignore
const rows: readonly [
  title: string,
  request: TestRequest,
  results: Partial<ResultInfo>,
  options?: Partial<RestOptions>,
][] = [
  ['a success',         { target: '/person/1' },                         { status: 200, operationType: 'query', errors: [], hasData: true }],
  ['a write',           { target: '/person', json: { name: 'Cy' } },     { status: 201, operationType: 'mutation', errorCodes: [], hasData: true }],
  ['an answer that the client has already', { target: '/person/1', headers: { 'If-None-Match': '*' } }, { status: 304, hasData: true, size: 0 }],
  ['what is absent',    { target: '/person/9' },                         { status: 404, operationType: 'query', errorCodes: ['NOT_FOUND'], hasData: false }],
  ['a conflict',        { target: '/fails', json: { how: 'conflict' } }, { status: 409, errorCodes: ['CONFLICT'], hasData: false }],
  ['a bug',             { target: '/fails?how=bug' }, { status: 500, operationName: 'Fails', errorCodes: ['INTERNAL_SERVER_ERROR'], hasData: false }],
  [
    'variables that do not fit, with the operation',
    { target: '/person', json: { name: 5 } },
    { status: 422, operationType: 'mutation', errorCodes: ['BAD_USER_INPUT'], hasData: false },
  ],
  [
    'an operation that takes too long',
    { target: '/person/1' },
    { status: 503, errorCodes: ['CANCELLED'] },
    { executionTimeout: 5, context: () => new Promise(() => undefined) },
  ],
]

for (const [title, request, expected, options] of rows) {
  void t.test(`onResult is called once for ${title}`, async (t) => {
    const { results, response } = await ask(request, options)
    t.equal(results.length, 1)
    t.match(results[0]?.result, expected)
    t.equal(results[0]?.result.status, response.status)
    t.match(results[0]?.request.params.query, /\{/)
  })
}

for (const request of [
  { target: '/nothing' },
  { method: 'PUT', target: '/people' },
  { target: '/person/1', headers: { Accept: 'text/html' } },
  { target: '/person', body: '{', headers: { 'Content-Type': 'application/json' } },
]) {
  void t.test(`onResult is not called for what HTTP refuses: ${stringify(request)}`, async (t) => {
    const { results, bugs } = await ask(request)
    t.strictSame([...results, ...bugs], [])
  })
}

void t.test('a refusal behind an execution has no header of the route', async (t) => {
  const { response } = await ask(
    { target: '/person/1' },
    {
      routes: routes.map((route) => ({ ...route, headers: () => ({ 'X-Name': 'secret' }) })),
      async around(_, proceed) {
        await proceed()
        return { kind: 'forbidden' }
      },
    },
  )
  t.equal(response.status, 403)
  t.equal(response.headers.get('x-name'), null)
  t.equal(response.headers.get('cache-control'), 'no-store')
})

void t.test('the principal is known to hooks of routes', async (t) => {
  const seen: unknown[] = []
  const got = (request: RequestInfo | undefined): undefined => {
    seen.push(request?.principal)
  }
  await ask(
    { target: '/fails?how=bug' },
    {
      authenticate: () => success('me'),
      onBug: (_, __, request) => got(request),
      formatError: (shown, _, request) => (got(request), shown),
      responseHeaders: (_, __, request) => got(request),
      onResult: (request) => got(request),
    },
  )
  t.strictSame(seen, ['me', 'me', 'me', 'me'])
})

/** The write is done when these are asked. */
void t.test('headers gets the version with which the operation ran last', async (t) => {
  const change = (_: unknown, { version }: { version: number }): number => {
    if (version === 2) return version
    throw new GraphQLError('Changed.', { extensions: { code: 'CONFLICT' } })
  }
  const versioned = buildSchema(
    'type Query { a: Int } type Mutation { change(version: Int): Int }',
    { Mutation: { change } },
  )
  const route: Route = {
    method: 'DELETE',
    path: '/book',
    operation: 'mutation Change($version: Int) { change(version: $version) }',
    ifMatch: 'version',
    headers: (_, { variables }) => ({ 'X-Version': String(variables['version']) }),
  }
  const send = testClient(createRestHandler({ schema: versioned, routes: [route] }))
  const headers = { 'If-Match': '"1", "2", "3"' }
  const response = await send({ method: 'DELETE', target: '/book', headers })
  t.equal(response.headers.get('x-version'), '2')
})

// oxfmt-ignore
const faults: readonly [title: string, headers: () => unknown, message: RegExp][] = [
  ['throws', () => { throw new Error('secret') }, /secret/],
  ['answers by a promise',            async () => ({ 'X-A': '1' }),             /headers: expected headers, got a promise/],
  ['gives a value that is undefined', () => ({ 'X-A': undefined, 'X-B': 'b' }), /X-A must be a/],
]

for (const [title, headers, message] of faults) {
  void t.test(`a success stays one where the function of its route ${title}`, async (t) => {
    const create = routes.find(({ path, status }) => path === '/person' && status === 201)!
    const { response, bugs, people } = await ask(
      { target: '/person', json: { name: 'Cy' } },
      { routes: [{ ...create, headers: headers as never }] },
    )
    t.equal(response.status, 201)
    t.equal(people.size, 3)
    t.match(bugs, [{ message }])
    t.notOk(response.headers.has('x-a'))
    t.equal(response.headers.has('x-b'), title.includes('undefined'))
  })
}
