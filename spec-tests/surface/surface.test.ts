import { createServer } from 'node:http'
import { GraphQLError } from 'graphql'
import t, { type Test } from 'tap'
import type { Handler, HttpResponse } from '../../src/http/message.js'
import { toFetch } from '../../src/hosts/fetch.js'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { testClient } from '../../src/hosts/testing.js'
import { buildSchema } from '../../src/options/define-options.js'
import { failure, success } from '../../src/base/outcome.js'
import {
  createSurfaceHandler,
  describeStop,
  OwnSurface,
  prepareOperation,
  runOperation,
  stop,
  wait,
  type OwnSurfaceOptions,
  type Request as SurfaceRequest,
  type Road,
  type Stop,
  type SurfaceOptions,
  type TextResponse,
} from '../../src/surface/index.js'
import { thrower } from '../base/thrower.js'
import { listenFor } from '../hosts/start-node.js'

/* The surface of examples/surface has the limits, hooks and masking of the others, without a line of its own for them. */

const example = new URL('../../../examples/surface/rpc.mjs', import.meta.url).href
const { createRpcHandler } = (await import(example)) as {
  readonly createRpcHandler: (
    options: SurfaceOptions & { readonly procedures: { readonly [name: string]: string } },
  ) => Handler
}

const schema = buildSchema(
  `type Query {
    add(a: Int!, b: Int!): Int!  numbers(limit: Int!): [Int!]!
    broken: String  refused: String  silent: String  long: String
  }
  type Mutation { touch: Boolean }
  type Subscription { ticks: Int }`,
  {
    Query: {
      add: (_, { a, b }) => a + b,
      broken: thrower(new Error('the secret')),
      refused: thrower(new GraphQLError('Not today.', { extensions: { code: 'FORBIDDEN' } })),
      silent: () => new Promise(() => {}),
      long: () => 'x'.repeat(3000),
      numbers: (_, { limit }) => Array.from({ length: limit }, (_one, at) => at),
    },
    Mutation: { touch: () => true },
  },
)
const procedures = {
  add: 'query Add($a: Int!, $b: Int!) { add(a: $a, b: $b) }',
  touch: 'mutation { touch }',
  broken: '{ broken }',
  refused: '{ refused }',
  silent: '{ silent }',
  long: '{ long }',
  numbers: '{ numbers(limit: 20000) }',
  ticks: 'subscription { ticks }',
  unknown: '{ unknown }',
}

type Asked = { readonly [part in 'method' | 'path' | 'type' | 'body']?: string } & {
  readonly options?: Omit<SurfaceOptions, 'schema'>
  readonly headers?: { readonly [name: string]: string }
}

type Row = readonly [name: string, asked: Asked, status: number, body: RegExp | object]

const key = { Authorization: 'Bearer key' }
const authenticate: SurfaceOptions['authenticate'] = ({ headers }) =>
  headers.includes('Bearer key')
    ? success('ada')
    : failure({ kind: 'unauthenticated', challenge: 'Bearer' })

// oxfmt-ignore
const rows: readonly Row[] = [
  ['a procedure', { path: 'add', body: '{"a":1,"b":2}' }, 200, { result: { add: 3 } }],
  ['a mutation', { path: 'touch' }, 200, { result: { touch: true } }],
  ['no procedure', { path: 'nothing' }, 404, { error: 'No such procedure.' }],
  ['another method', { path: 'add', method: 'GET' }, 405, { error: 'The method "GET" is not supported: use POST.' }],
  ['OPTIONS', { path: 'add', method: 'OPTIONS' }, 204, /^$/],
  ['a type that pages may send', { path: 'add', type: 'text/plain' }, 415, /"text\/plain\\" is not supported: send application\/json/],
  ['no JSON', { path: 'add', body: '{' }, 400, /error at character|truncated/],
  ['no object', { path: 'add', body: '[]' }, 422, /variables/],
  ['deep JSON', { path: 'add', body: '[[[[[[]]]]]]', options: { maxJsonNesting: 3 } }, 400, /nests deeper/],
  ['a long body', { path: 'add', body: JSON.stringify({ a: 'x'.repeat(2000) }), options: { maxBodyBytes: 1000 } }, 413, /limit of 1000|1000 bytes/],
  ['a wrong argument', { path: 'add', body: '{"a":"x","b":2}' }, 422, /\$a/],
  ['a bug in a document', { path: 'unknown' }, 500, { error: 'Internal server error' }],
  ['a subscription', { path: 'ticks' }, 422, { error: 'Subscriptions are not supported here.' }],
  ['an expensive procedure', { path: 'numbers', options: { maxCost: 100 } }, 422, /cost/],
  ['a bug is masked', { path: 'broken' }, 200, { error: 'Internal server error' }],
  ['an error for clients', { path: 'refused' }, 200, { error: 'Not today.' }],
  ['a long response is a bug', { path: 'long', options: { maxResponseBytes: 1000 } }, 500, /Internal/],
  ['the time is up', { path: 'silent', options: { executionTimeout: 20 } }, 503, /took longer than the server allows/],
  ['no credentials', { path: 'add', options: { authenticate } }, 401, /./],
  ['no credentials, nor a procedure', { path: 'nothing', options: { authenticate } }, 401, /./],
  ['credentials', { path: 'add', body: '{"a":1,"b":2}', headers: key, options: { authenticate } }, 200, { result: { add: 3 } }],
  ['admit', { path: 'add', body: '{"a":1,"b":2}', options: { admit: () => ({ kind: 'forbidden' }) } }, 403, /./],
  ['around', { path: 'add', body: '{"a":1,"b":2}', options: { around: (_, proceed) => withStatus(proceed()) } }, 202, { result: { add: 3 } }],
]

async function withStatus(response: HttpResponse | Promise<HttpResponse>): Promise<HttpResponse> {
  return { ...(await response), status: 202 }
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/** Sends over the web's Request, and over node:http. */
const hosts: { readonly [name: string]: (t: Test, handler: Handler) => Promise<[string, Send]> } = {
  fetch: async (_, handler) => {
    const serve = toFetch(handler)
    return ['http://localhost', async (url, init) => serve(new Request(url, init))]
  },
  'node:http': async (t, handler) => {
    const server = createServer(toNodeListener(handler))
    const port = await listenFor(t, server)
    return [`http://127.0.0.1:${port}`, fetch]
  },
}

for (const [host, start] of Object.entries(hosts)) {
  void t.test(`procedures over ${host}`, async (t) => {
    for (const [name, asked, status, expected] of rows) {
      await t.test(name, async (t) => {
        const { options = {}, method = 'POST', path, type = 'application/json', headers } = asked
        const bugs: unknown[] = []
        const onBug = (bug: unknown): void => void bugs.push(bug)
        const handler = createRpcHandler({ schema, procedures, onBug, ...options })
        const [origin, send] = await start(t, handler)
        const body = method === 'POST' ? (asked.body ?? '{}') : undefined
        const response = await send(`${origin}/rpc/${path}`, {
          method,
          headers: { 'Content-Type': type, Connection: 'close', ...headers },
          ...(body !== undefined && { body }),
        })
        const text = await response.text()
        t.equal(response.status, status, text)
        if (expected instanceof RegExp) t.match(text, expected)
        else t.strictSame(JSON.parse(text), expected)
        t.notMatch(text, /secret/)
        t.equal(bugs.length, /bug/.test(name) ? 1 : 0)
      })
    }
  })
}

void t.test('onResult, headers of resolvers, and CORS', async (t) => {
  const calls: unknown[] = []
  const handler = createRpcHandler({
    schema: buildSchema('type Query { hello: String }', {
      Query: { hello: (_, __, { responseHeaders }) => responseHeaders.set('X-Said', 'hello') },
    }),
    procedures: { hello: 'query Hello { hello }' },
    cors: { origins: ['https://a.example'] },
    onResult: (request, { status, operationName, cost }) =>
      void calls.push([status, operationName, cost, request.params.query]),
  })
  const headers = { Origin: 'https://a.example' }
  const response = await testClient(handler)({ target: '/rpc/hello', json: {}, headers })
  t.equal(response.status, 200)
  t.equal(response.headers.get('X-Said'), 'hello')
  t.equal(response.headers.get('Access-Control-Allow-Origin'), 'https://a.example')
  t.strictSame(calls, [[200, 'Hello', 1, 'query Hello { hello }']])
})

void t.test('a client that sent another type reads which are accepted', async (t) => {
  const handler = createRpcHandler({ schema, procedures })
  const headers = { 'Content-Type': 'text/plain' }
  const request = { target: '/rpc/add', method: 'POST', headers, body: '' }
  const response = await testClient(handler)(request)
  t.equal(response.headers.get('Accept'), 'application/json')
})

void t.test('options that a surface does not have are refused', async (t) => {
  const visit = thrower(new Error('not called'))
  const others = { apq: {}, path: '/only', credentialsFirst: true, edition: '2026-09' }
  for (const [name, value] of Object.entries(others)) {
    const options = { schema, [name]: value } as SurfaceOptions
    t.throws(() => createSurfaceHandler(options, visit), new RegExp(name))
  }
  t.throws(() => createSurfaceHandler({ schema }, undefined as never), /a function that makes/)
})

type Why = Stop | { readonly kind: 'mine' }

const text = (status: number, body: string): TextResponse => ({ status, headers: [], body })

/** A surface whose road and responses are those of a row. */
class Own extends OwnSurface<Why> {
  walk: (this: Own, request: SurfaceRequest) => Road<HttpResponse, Why> = () => this.touch()
  describe = (why: Why): HttpResponse => {
    const { status, errors, headers } = describeStop(why as Stop, this.tools.settings, this.facts)
    return { ...text(status, errors[0].message), headers }
  }

  road(request: SurfaceRequest): Road<HttpResponse, Why> {
    return this.walk(request)
  }

  toResponse(why: Why): HttpResponse {
    return this.describe(why)
  }

  *touch(query = 'mutation { touch }'): Road<HttpResponse, Why> {
    const { tools, facts } = this
    const operation = yield* prepareOperation({ query }, tools, facts)
    const respond = ({ data }: { readonly data: string }): TextResponse => text(200, data)
    return yield* runOperation({ operation, respond }, this, tools, facts)
  }
}

const json = { 'Content-Type': 'application/json' }
const late = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1))
const fails = thrower(new Error('no response for anything'))

type OwnAsked = { readonly headers?: object; readonly options?: Partial<OwnSurfaceOptions> }

/* oxlint-disable require-yield -- that is the mistake */
// oxlint-disable-next-line unicorn/no-thenable -- that is what the row is about
const failing = { then: fails } as PromiseLike<unknown>

// oxfmt-ignore
const ownRows: readonly (readonly [name: string, change: (own: Own) => void, asked: OwnAsked, status: number, bug: RegExp | undefined])[] = [
  ['a mutation', () => {}, { headers: json }, 200, undefined],
  ['a mutation that a form of another site could send', () => {}, { headers: { 'Content-Type': 'text/plain' } }, 415, undefined],
  ['a mutation without any content', () => {}, {}, 415, undefined],
  ['a step without its *', (own) => (own.walk = function* () { yield prepareOperation({ query: '{ long }' }, this.tools, this.facts) as never; return text(200, '') }), {}, 500, /`yield` without `\*`/],
  ['a wait without wait', (own) => (own.walk = function* () { yield* wait(late()); yield 'Ada' as never; return text(200, '') }), {}, 500, /A road yielded "Ada"/],
  ['a then that throws, after a wait', (own) => (own.walk = function* () { yield* wait(late()); yield* wait(failing); return text(200, '') }), {}, 500, /no response/],
  ['a response that rejects', (own) => (own.walk = function* () { return Promise.reject(new Error('late')) as never }), {}, 500, /got a Promise/],
  ['an own kind for describeStop', (own) => (own.walk = function* () { return yield* stop({ kind: 'mine' }) }), {}, 500, /"mine" is a kind of your own/],
  ['a road without a response', (own) => (own.walk = function* () { return undefined as never }), {}, 500, /road: expected \{ status/],
  ['a response without headers', (own) => (own.walk = function* () { return { status: 200, body: '' } as never }), {}, 500, /headers: \[name, value/],
  ['a response without a status', (own) => (own.walk = function* () { return { headers: [], body: '' } as never }), {}, 500, /road: expected \{ status/],
  ['a response without a body', (own) => (own.walk = function* () { return { status: 200, headers: [] } as never }), {}, 500, /body \}/],
  ['a body that is neither text nor bytes', (own) => (own.walk = function* () { return { status: 200, headers: [], body: {} } as never }), {}, 500, /body \}/],
  ['a status that no response has', (own) => (own.walk = function* () { return { ...text(200, ''), status: 99 } }), {}, 500, /road: expected a status from 200 to 599 other than 205, got 99/],
  ['a length of its own', (own) => (own.walk = function* () { return { ...text(200, 'abc'), headers: ['Content-Length', '1'] } }), {}, 500, /Content-Length is managed/],
  ['a toResponse without a response', (own) => { own.describe = () => undefined as never; own.walk = function* () { return yield* stop({ kind: 'mine' }) } }, {}, 500, /toResponse: expected a response, got undefined/],
  ['a generator as a response', (own) => (own.walk = function* () { return this.touch() as never }), {}, 500, /Is a `yield\*` missing/],
  ['a bug in the road', (own) => (own.walk = fails), {}, 500, /no response for anything/],
  ['a toResponse that throws', (own) => { own.describe = fails; own.walk = function* () { return yield* stop({ kind: 'mine' }) } }, {}, 500, /no response/],
  ['one that throws after a wait', (own) => { own.describe = fails; own.walk = function* () { yield* wait(late()); return yield* stop({ kind: 'mine' }) } }, {}, 500, /no response/],
  ['one that throws when the time is up', (own) => { own.describe = fails; own.walk = function* () { yield* wait(new Promise(() => {})); return text(200, '') } }, { options: { executionTimeout: 5 } }, 500, /no response/],
]

for (const [name, change, { headers = {}, options = {} }, status, bug] of ownRows) {
  void t.test(name, async (t) => {
    const bugs: string[] = []
    const onBug = (thrown: unknown): void => void bugs.push(String(thrown))
    const handler = createSurfaceHandler({ schema, onBug, ...options }, (tools, facts) => {
      const own = new Own(tools, facts)
      change(own)
      return own
    })
    const serve = toFetch(handler, { onBug })
    const request = new Request('http://localhost/', { method: 'POST', headers: { ...headers } })
    const response = await serve(request)
    t.equal(response.status, status, await response.text())
    if (bug === undefined) t.strictSame(bugs, [])
    else t.match(bugs.join('\n'), bug)
  })
}

void t.test('the methods of a surface are GET, HEAD and POST', async (t) => {
  const handler = createSurfaceHandler({ schema }, (tools, facts) => new Own(tools, facts))
  const response = await testClient(handler)({ method: 'OPTIONS' })
  t.equal(response.headers.get('Allow'), 'GET, HEAD, POST, OPTIONS')
})

// oxfmt-ignore
for (const [method, methods, allow, message] of [
  ['GET', undefined, 'POST, OPTIONS', 'A mutation cannot be sent with GET, which is a safe method: use POST.'],
  ['PUT', undefined, 'GET, HEAD, POST, OPTIONS', 'The method "PUT" is not supported: use GET, HEAD or POST.'],
  ['GET', ['PUT'], 'PUT, OPTIONS', 'The method "GET" is not supported: use PUT.'],
] as const) {
  void t.test(`${method} is 405: ${allow}`, async (t) => {
    const handler = createSurfaceHandler({ schema, methods }, (tools, facts) => new Own(tools, facts))
    const response = await testClient(handler)({ method })
    t.equal(response.status, 405)
    t.equal(response.headers.get('Allow'), allow)
    t.equal(response.headers.get('Accept-Query'), null)
    t.equal(response.body, message)
  })
}

void t.test('a method in lower case is a mistake, and so is none', (t) => {
  const begin = thrower(new Error('never called'))
  t.throws(
    () => createSurfaceHandler({ schema, methods: ['post'] }, begin),
    /methods\[0\].*a method such as "POST"/,
  )
  t.throws(() => createSurfaceHandler({ schema, methods: [] }, begin), /at least one method/)
  t.end()
})

void t.test('preflights name the methods of the surface', async (t) => {
  const handler = createSurfaceHandler(
    { schema, methods: ['DELETE'], cors: { origins: ['https://a.example'] } },
    (tools, facts) => new Own(tools, facts),
  )
  const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'DELETE' }
  const response = await testClient(handler)({ method: 'OPTIONS', headers })
  t.equal(response.status, 204)
  t.equal(response.headers.get('Allow'), 'DELETE, OPTIONS')
  t.equal(response.headers.get('Access-Control-Allow-Methods'), 'DELETE')
})

void t.test('an own stop reaches onResult without errors of before', async (t) => {
  const calls: unknown[] = []
  const handler = createSurfaceHandler(
    { schema, onResult: (_, { status, hasData }) => void calls.push([status, hasData]) },
    (tools, facts) => {
      const own = new Own(tools, facts)
      own.describe = () => text(409, '')
      own.walk = function* () {
        yield* this.touch()
        return yield* stop({ kind: 'mine' })
      }
      return own
    },
  )
  await testClient(handler)({ method: 'POST', headers: json })
  t.strictSame(calls, [[409, false]])
})
