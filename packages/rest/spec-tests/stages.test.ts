import { tracingChannel } from 'node:diagnostics_channel'
import * as graphql from 'graphql'
import { GraphQLError, graphqlSync } from 'graphql'
import t from 'tap'
import { createRestHandler, type RestOptions, type Route } from '@graphwire/rest'
import { buildSchema, failure, problem, success } from 'graphwire'
import type { Denial, Options, RequestTrace } from 'graphwire'
import { testClient, type TestRequest } from 'graphwire/testing'
import { createPeople, routes } from './people.js'

function client(options: Partial<RestOptions> = {}) {
  const { schema, people } = createPeople()
  const handler = createRestHandler({ schema, routes, onBug: () => undefined, ...options })
  return { send: testClient(handler), people }
}

/** What is wrong with a request, from the first check to the last; each has its own status. */
const wrongs: [status: number, wrong: (request: Wrong) => void, options?: Partial<RestOptions>][] =
  [
    [414, (request) => (request.target = `/person/${'x'.repeat(9000)}`)],
    [401, (request) => (request.headers['X-Key'] = 'bad')],
    [404, (request) => (request.target = '/nothing')],
    [403, (request) => (request.headers['X-Key'] = 'reader')],
    [406, (request) => (request.headers['Accept'] = 'text/html')],
    [415, (request) => (request.headers['Content-Type'] = 'text/plain')],
    [400, (request) => (request.body = '{')],
    [422, (request) => (request.body = '{"name":5}')],
    [429, (request) => (request.headers['X-Slow'] = 'yes')],
  ]

interface Wrong {
  method: string
  target: string
  headers: { [name: string]: string }
  body: string
}

const guarded: Partial<RestOptions> = {
  authenticate: ({ headers }) =>
    headers.includes('bad')
      ? failure({ kind: 'unauthenticated', challenge: 'Key' })
      : success({ isReader: headers.includes('reader') }),
  authorize: ({ principal, route }) =>
    (principal as { isReader: boolean }).isReader && route.method !== 'GET'
      ? { kind: 'forbidden', message: 'This key can only read.' }
      : undefined,
  admit: (request) =>
    request.header('x-slow') === undefined ? undefined : { kind: 'rate-limited', retryAfter: 5 },
}

for (const [at, [status]] of wrongs.entries()) {
  void t.test(`${status} goes before what is checked later`, async (t) => {
    const request: Wrong = {
      method: 'PUT',
      target: '/person/1',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"x"}',
    }
    for (const [, wrong] of wrongs.slice(at).toReversed()) wrong(request)
    const response = await client(guarded).send(request)
    t.equal(response.status, status, response.body)
    t.equal(response.headers.get('content-type'), 'application/problem+json')
  })
}

void t.test('a request with nothing wrong passes all of them', async (t) => {
  const { send } = client(guarded)
  t.equal((await send({ method: 'PUT', target: '/person/1', json: { name: 'x' } })).status, 200)
  t.equal((await send({ target: '/person/1', headers: { 'X-Key': 'reader' } })).status, 200)
})

void t.test('OPTIONS * lists the body types of all routes', async (t) => {
  const patch = routes.find(({ method }) => method === 'PATCH')
  const { send } = client({
    routes: [patch!, { ...patch!, path: '/other/{id}', accepts: ['application/other+json'] }],
  })
  const response = await send({ method: 'OPTIONS', target: '*' })
  t.equal(
    response.headers.get('accept-patch'),
    'application/json, application/merge-patch+json, application/other+json',
  )
})

// oxfmt-ignore
const denials: [denial: Denial, status: number, problem: object, headers: object][] = [
  [{ kind: 'unauthenticated', challenge: 'Key' },        401, { code: 'UNAUTHENTICATED' },            { 'www-authenticate': 'Key' }],
  [{ kind: 'forbidden', message: 'No.' },                403, { code: 'FORBIDDEN', detail: 'No.' },   {}],
  [{ kind: 'rate-limited', retryAfter: 1.5 },            429, { code: 'RATE_LIMITED' },               { 'retry-after': '2' }],
  [{ kind: 'unavailable', retryAfter: 9 },               503, { code: 'UNAVAILABLE' },                { 'retry-after': '9' }],
]
for (const [denial, status, expected, headers] of denials) {
  void t.test(`a denial of authorize, at once or later, is the problem ${status}`, async (t) => {
    for (const authorize of [() => denial, async () => denial]) {
      const response = await client({ authorize }).send({ target: '/person/1' })
      t.equal(response.status, status)
      t.match(response.json(), { ...expected, status })
      t.match(Object.fromEntries(response.headers), headers)
    }
  })
}

void t.test('routes selected by their bodies are each authorized', async (t) => {
  const { send, people } = client({
    authorize: ({ route }) => (route.when === 'id' ? { kind: 'forbidden' } : undefined),
  })
  t.equal((await send({ target: '/person', json: { id: '1', name: 'x' } })).status, 403)
  t.equal(people.get('1')?.name, 'Ann')
  t.equal((await send({ target: '/person', json: { name: 'x' } })).status, 201)
})

void t.test('of many writers with the same If-Match exactly one wins', async (t) => {
  const { send } = client()
  const headers = { 'If-Match': '"3"' }
  const writers = Array.from({ length: 8 }, (_, at) =>
    send({ method: 'PUT', target: '/person/1', json: { name: `writer ${at}` }, headers }),
  )
  const statuses = (await Promise.all(writers)).map(({ status }) => status)
  t.strictSame(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array<number>(7).fill(412)],
  )
  t.equal((await send({ target: '/person/1' })).headers.get('etag'), '"4"')
})

void t.test('the body for a route that no caller may use is not read', async (t) => {
  const { schema } = createPeople()
  const handler = createRestHandler({ schema, routes, authorize: () => ({ kind: 'forbidden' }) })
  const headers = ['Content-Type', 'application/json']
  const reply = await handler({ method: 'POST', target: '/person', headers, raw: undefined })
  t.match(reply, { status: 403 })
})

const fail = (): never => {
  throw new Error('secret')
}
const bugs: [name: string, options: Partial<RestOptions>][] = [
  ['authorize', { authorize: async () => fail() }],
  ['an authorize that says nonsense', { authorize: () => ({ kind: 'no' }) as never }],
]
for (const [name, options] of bugs) {
  void t.test(`what ${name} throws is a masked 500`, async (t) => {
    const reported: unknown[] = []
    const { send } = client({
      ...options,
      createId: () => 'id-1',
      onBug: (bug, { id }) => reported.push([bug, id]),
    })
    const response = await send({ target: '/person/1' })
    t.equal(response.status, 500)
    t.match(response.json(), {
      code: 'INTERNAL_SERVER_ERROR',
      detail: 'Internal server error',
      id: 'id-1',
    })
    t.match(reported, [[Error, 'id-1']])
  })
}

void t.test('errors are shown where they are not masked', async (t) => {
  const { send } = client({ maskErrors: false })
  t.match((await send({ target: '/fails?how=bug' })).json(), { detail: 'secret' })
})

void t.test('formatError has the last word', async (t) => {
  const { send } = client({
    formatError: (error) => ({
      ...error,
      message: 'In other words.',
      extensions: { code: 'NOT_FOUND' },
    }),
  })
  t.match((await send({ target: '/fails?how=bug' })).json(), {
    status: 404,
    detail: 'In other words.',
  })
})

void t.test('an operation that takes too long is 503', async (t) => {
  const { send } = client({ executionTimeout: 20, context: () => new Promise(() => undefined) })
  const response = await send({ target: '/person/1' })
  t.match(response.json(), { status: 503, code: 'CANCELLED' })
  t.equal(response.headers.get('retry-after'), '1')
})

void t.test('an authorize that fails of each route in another way is one masked 500', async (t) => {
  let reports = 0
  const { send } = client({
    onBug: () => (reports += 1),
    authorize: ({ route }) => {
      if (route.when === 'id') return Promise.reject(new Error('later'))
      throw new Error('at once')
    },
  })
  t.equal((await send({ target: '/person', json: { name: 'x' } })).status, 500)
  t.equal(reports, 1)
})

const inner = buildSchema('type Query { lock: Int }', {
  Query: {
    lock: () => {
      throw new GraphQLError('Locked.', { extensions: { code: 'CONFLICT' } })
    },
  },
})

function passOn(): never {
  const { errors = [] } = graphqlSync({ schema: inner, source: '{ lock }' })
  throw errors[0] as Error
}

function passOnAsJson(): never {
  const { errors = [] } = graphqlSync({ schema: inner, source: '{ lock }' })
  const { message, path, extensions } = JSON.parse(JSON.stringify(errors[0])) as GraphQLError
  throw new GraphQLError(message, { path, extensions })
}

function conflict(): never {
  throw new GraphQLError('Changed.', { extensions: { code: 'CONFLICT' } })
}

const plainExecute = graphql.execute as Options['execute']
const withTypeNames: Options['execute'] = (args) => {
  const add = { SelectionSet: (set: graphql.SelectionSetNode) => ({ ...set }) }
  const field = { Field: (node: graphql.FieldNode) => ({ ...node }) }
  return graphql.execute({ ...args, document: graphql.visit(args.document, { ...add, ...field }) })
}

// oxfmt-ignore
const conflicts: [name: string, root: (() => never) | undefined, nested: () => unknown, execute: Options['execute'], status: number, runs: number, type?: 'Int!'][] = [
  ['of the root field',                                 conflict,  () => 1,      undefined,     412, 3],
  ['of the root field, with a custom executor',         conflict,  () => 1,      plainExecute,  412, 3],
  ['of the root field, in a transformed document',      conflict,  () => 1,      withTypeNames, 412, 3],
  ['of a nested field',                                 undefined, conflict,     undefined,     409, 1],
  ['of a nested field that must not be null',           undefined, conflict,     undefined,     409, 1, 'Int!'],
  ['that a nested field passes on',                     undefined, passOn,       undefined,     409, 1],
  ['that a nested field passes on as JSON',             undefined, passOnAsJson, undefined,     409, 1],
  ['that a nested field passes on, custom executor',    undefined, passOn,       plainExecute,  409, 1],
]
for (const [name, root, nested, execute, status, runs, type = 'Int'] of conflicts) {
  void t.test(`If-Match with three tags: a conflict ${name} is ${status}`, async (t) => {
    let writes = 0
    const write = (): object => {
      writes++
      return root?.() ?? {}
    }
    const schema = buildSchema(
      `type Query { a: Int } type Mutation { write(v: Int): Thing } type Thing { lock: ${type} }`,
      { Mutation: { write }, Thing: { lock: nested } },
    )
    const operation = 'mutation Write($v: Int) { write(v: $v) { lock } }'
    const route: Route = { method: 'PUT', path: '/thing', operation, ifMatch: 'v' }
    const options = { schema, routes: [route], ...(execute && { execute }) }
    const headers = { 'If-Match': '"1", "2", "3"' }
    const send = testClient(createRestHandler(options))
    const response = await send({ method: 'PUT', target: '/thing', json: {}, headers })
    t.equal(response.status, status, response.body)
    t.equal(writes, runs)
  })
}

void t.test('a client that disconnects stops waiting work', async (t) => {
  const { send } = client({ authorize: () => new Promise(() => undefined) })
  const gone = AbortSignal.abort()
  t.match((await send({ target: '/person/1', signal: gone })).json(), { code: 'CANCELLED' })
})

/** Hooks that wait, each asked for the first request alone. */
// oxfmt-ignore
const waits: [name: string, method: string, hook: (wait: () => Promise<undefined>) => Partial<RestOptions>][] = [
  ['admit',        'GET',   (wait) => ({ admit: wait })],
  ['authenticate', 'GET',   (wait) => ({ authenticate: () => wait().then(success) })],
  ['authorize',    'GET',   (wait) => ({ authorize: wait })],
  ['authorize',    'PATCH', (wait) => ({ authorize: wait })],
]
for (const [name, method, hook] of waits) {
  void t.test(`too many requests in flight are 503, without ${name}: ${method}`, async (t) => {
    let release = (): void => undefined
    let asked = 0
    const { send } = client({
      maxInFlight: 1,
      ...hook(() => {
        asked++
        return new Promise((resolve) => (release = () => resolve(undefined)))
      }),
    })
    const request = { method, target: '/person/1', ...(method === 'PATCH' && { json: {} }) }
    const first = send(request)
    const second = await send(request)
    t.equal(second.status, 503)
    t.equal(second.headers.get('retry-after'), '1')
    t.match(second.json(), { code: 'OVERLOADED' })
    t.equal(asked, 1)
    release()
    t.equal((await first).status, 200)
  })
}

void t.test('no more errors of a body are reported than maxErrors', async (t) => {
  const { send } = client({ maxErrors: 2, maxMessageLength: 20 })
  const many = Array.from({ length: 5000 }, (_, at) => [`x${at}`, 1] as const)
  for (const target of ['/person', '/message']) {
    const response = await send({ target, json: Object.fromEntries(many) })
    t.equal(response.status, 422)
    t.match(response.json(), { errors: [{ pointer: /^#\// }, { pointer: /^#\// }] })
    t.equal(response.json<{ errors: unknown[] }>().errors.length, 2)
  }
  const long = await send({ target: '/person', json: { name: ['x'.repeat(500)] } })
  const [error] = (long.json() as { errors: { detail: string }[] }).errors
  t.equal(error?.detail, 'String cannot repres...')
  const key = await send({ target: '/person', json: { name: 'x', ['é'.repeat(5000)]: 1 } })
  t.ok(key.body.length < 1500, key.body)
})

void t.test('suggestions are shown unless they are turned off', async (t) => {
  const request: TestRequest = { target: '/people?sort=NAM' }
  const response = await client().send(request)
  t.equal(response.status, 422)
  t.match(response.body, 'Did you mean')
  const silent = await client({ suggestions: false }).send(request)
  t.equal(silent.status, 422)
  t.notMatch(silent.body, 'Did you mean')
})

void t.test('the context reaches resolvers and the headers of a route', async (t) => {
  const seen: unknown[] = []
  const { send } = client({
    context: () => ({ mine: true }),
    routes: [
      {
        ...routes[1]!,
        headers: (value, facts) => {
          seen.push([value, facts])
          return { 'X-Seen': 'yes' }
        },
      },
    ],
  })
  const response = await send({ target: 'http://example.com/person/1' })
  t.equal(response.headers.get('x-seen'), 'yes')
  t.match(seen, [
    [
      { id: '1', version: 3 },
      { context: { mine: true }, variables: { id: '1' }, target: '/person/1' },
    ],
  ])
})

void t.test('a route may say itself how its answers are stored', async (t) => {
  const own = { 'Cache-Control': 'public, max-age=60', Vary: 'X-Tenant' }
  const { send } = client({ routes: [{ ...routes[1]!, headers: () => own }] })
  for (const headers of [{}, { 'If-None-Match': '*' }]) {
    const answer = await send({ target: '/person/1', headers })
    t.equal(answer.headers.get('cache-control'), 'public, max-age=60')
    t.equal(answer.headers.get('vary'), 'Accept, X-Tenant')
    t.equal(answer.headers.get('etag'), '"3"')
  }
})

void t.test('headers of the request context are on every kind of answer', async (t) => {
  const { send } = client({
    admit({ responseHeaders }) {
      responseHeaders.set('X-Limit', '5')
      return undefined
    },
  })
  for (const target of ['/person/1', '/people', '/person/9', '/fails?how=bug']) {
    t.equal((await send({ target })).headers.get('x-limit'), '5', target)
  }
})

void t.test('a preflight says the methods of its resource', async (t) => {
  const origin = 'https://app.example'
  const { send } = client({ cors: { origins: [origin] } })
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'PATCH' }
  const preflight = await send({ method: 'OPTIONS', target: '/person/1', headers })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-origin'), origin)
  t.equal(
    preflight.headers.get('access-control-allow-methods'),
    'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
  )
  const answer = await send({ target: '/person/9', headers: { Origin: origin } })
  t.equal(answer.headers.get('access-control-allow-origin'), origin)
})

void t.test('a body in a coding that has a decoder is read', async (t) => {
  const decoders = { twice: (bytes: Uint8Array) => success(bytes.slice(0, bytes.byteLength / 2)) }
  const { send } = client({ decoders })
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'twice' }
  const response = await send({ target: '/person', body: '{"name":"x"}'.repeat(2), headers })
  t.equal(response.status, 201)
})

void t.test('documents are parsed and validated with the handler, once each', async (t) => {
  const { schema } = createPeople()
  const counts = new Map<string, number>()
  const messages: RequestTrace[] = []
  const names = ['graphql:parse', 'graphql:validate', 'graphql:execute', 'graphwire:request']
  const stop = names.map((name) => {
    const channel = tracingChannel(name)
    const start = (message: unknown): void => {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (name === 'graphwire:request') messages.push(message as RequestTrace)
    }
    const subscribers = { start, end() {}, asyncStart() {}, asyncEnd() {}, error() {} }
    channel.subscribe(subscribers)
    return () => channel.unsubscribe(subscribers)
  })
  // Without a cache, each document is still checked once.
  const send = testClient(createRestHandler({ schema, routes, documentCacheEntries: 0 }))
  const each = routes.length
  t.strictSame(Object.fromEntries(counts), { 'graphql:parse': each, 'graphql:validate': each })
  counts.clear()
  await send({ target: '/person/1' })
  await send({ target: '/people' })
  await send({ target: '/nothing' })
  await send({ method: 'PUT', target: '/person/1', json: { name: 'x' } })
  t.strictSame(Object.fromEntries(counts), { 'graphwire:request': 4, 'graphql:execute': 3 })
  const statuses = messages.map(({ result }) => result?.status)
  t.strictSame(statuses, [200, 200, 404, 200])
  for (const undo of stop) undo()
})

void t.test('an embedder can send its own problems', async (t) => {
  const headers = { Allow: 'POST', 'Retry-After': '3' }
  const response = problem({
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    detail: 'Use POST.',
    headers,
  })
  t.equal(response.status, 405)
  t.strictSame(JSON.parse(response.body), {
    type: 'urn:graphwire:problem:method-not-allowed',
    title: 'Method not allowed',
    status: 405,
    detail: 'Use POST.',
    code: 'METHOD_NOT_ALLOWED',
  })
  const lines = response.headers.join(': ')
  t.match(lines, 'Content-Type: application/problem+json: Cache-Control: no-store')
  t.match(lines, 'Allow: POST: Retry-After: 3')
  const own = problem({
    status: 400,
    code: 'X',
    detail: 'y',
    type: 'about:blank',
    title: 'Z',
    errors: [],
  })
  t.match(JSON.parse(own.body), { type: 'about:blank', title: 'Z', errors: [] })
})

void t.test('the types of problems start as the embedder says', async (t) => {
  const { send } = client({ problemBase: 'https://example.com/problems/' })
  t.match((await send({ target: '/x' })).json(), { type: 'https://example.com/problems/not-found' })
})
