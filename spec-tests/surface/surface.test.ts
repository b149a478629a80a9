import { createServer } from 'node:http'
import { GraphQLError } from 'graphql'
import t, { type Test } from 'tap'
import type { Handler, HttpResponse } from '../../src/http/message.js'
import { toFetch } from '../../src/hosts/fetch.js'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { buildSchema } from '../../src/options/define-options.js'
import { failure, success } from '../../src/base/outcome.js'
import { createSurfaceHandler, HttpSurface, type SurfaceOptions } from '../../src/surface/index.js'
import { close, listen } from '../hosts/start-node.js'

/* The surface of examples/surface has the limits, hooks and masking of the others, without a line of its own for them. */

const example = new URL('../../../examples/surface/rpc.mjs', import.meta.url).href
const { createRpcHandler } = (await import(example)) as {
  readonly createRpcHandler: (
    options: SurfaceOptions & { readonly procedures: { readonly [name: string]: string } },
  ) => Handler
}

const schema = buildSchema(
  `type Query {
    add(a: Int!, b: Int!): Int!
    broken: String
    refused: String
    silent: String
    long: String
    numbers(limit: Int!): [Int!]!
  }
  type Mutation { touch: Boolean }
  type Subscription { ticks: Int }`,
  {
    Query: {
      add: (_, { a, b }) => a + b,
      broken: () => {
        throw new Error('the secret')
      },
      refused: () => {
        throw new GraphQLError('Not today.', { extensions: { code: 'FORBIDDEN' } })
      },
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

interface Asked {
  readonly options?: Omit<SurfaceOptions, 'schema'>
  readonly method?: string
  readonly path?: string
  readonly type?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
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
  ['another method', { path: 'add', method: 'GET' }, 405, { error: 'Procedures are called by POST.' }],
  ['OPTIONS', { path: 'add', method: 'OPTIONS' }, 204, /^$/],
  ['a type that pages may send', { path: 'add', type: 'text/plain' }, 415, /"text\/plain\\" is not supported: send application\/json/],
  ['no JSON', { path: 'add', body: '{' }, 400, /error at character|truncated/],
  ['no object', { path: 'add', body: '[]' }, 422, /variables/],
  ['deep JSON', { path: 'add', body: '[[[[[[]]]]]]', options: { maxJsonNesting: 3 } }, 400, /nests deeper/],
  ['a long body', { path: 'add', body: JSON.stringify({ a: 'x'.repeat(2000) }), options: { maxBodyBytes: 1000 } }, 413, /limit of 1000|1000 bytes/],
  ['a wrong argument', { path: 'add', body: '{"a":"x","b":2}' }, 422, /\$a/],
  ['a document with a mistake', { path: 'unknown' }, 422, /unknown/],
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
    const port = await listen(server)
    t.teardown(() => close(server))
    return [`http://127.0.0.1:${port}`, fetch]
  },
}

for (const [host, start] of Object.entries(hosts)) {
  void t.test(`procedures over ${host}`, async (t) => {
    for (const [name, asked, status, expected] of rows) {
      await t.test(name, async (t) => {
        const { options = {}, method = 'POST', path, type = 'application/json', headers } = asked
        const bugs: unknown[] = []
        const handler = createRpcHandler({
          schema,
          procedures,
          onBug: (bug) => void bugs.push(bug),
          ...options,
        })
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
  const told: unknown[] = []
  const handler = createRpcHandler({
    schema: buildSchema('type Query { hello: String }', {
      Query: {
        hello: (_source, _given, request) => request.responseHeaders.set('X-Said', 'hello'),
      },
    }),
    procedures: { hello: 'query Hello { hello }' },
    cors: { origins: ['https://a.example'] },
    onResult: (request, { status, operationName, cost }) =>
      void told.push([status, operationName, cost, request.params.query]),
  })
  const response = await toFetch(handler)(
    new Request('http://localhost/rpc/hello', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'https://a.example' },
      body: '{}',
    }),
  )
  t.equal(response.status, 200)
  t.equal(response.headers.get('X-Said'), 'hello')
  t.equal(response.headers.get('Access-Control-Allow-Origin'), 'https://a.example')
  t.strictSame(told, [[200, 'Hello', 1, 'query Hello { hello }']])
})

void t.test('options that a surface does not have are refused', async (t) => {
  const visit = (): never => {
    throw new Error('not called')
  }
  const options = { schema, apq: {} } as SurfaceOptions
  t.throws(() => createSurfaceHandler(options, visit), /createSurfaceHandler.*apq/)
})

void t.test('a bug in the road is masked', async (t) => {
  class Broken extends HttpSurface {
    // oxlint-disable-next-line require-yield -- that is the bug
    *road(): Generator<never, HttpResponse> {
      throw new Error('the secret')
    }
    toResponse(why: { readonly kind: string }): HttpResponse {
      return { status: why.kind === 'internal' ? 500 : 400, headers: [], body: why.kind }
    }
  }
  const bugs: unknown[] = []
  const handler = createSurfaceHandler(
    { schema, onBug: (bug, { step }) => void bugs.push([String(bug), step]) },
    (tools, facts) => new Broken(tools, facts),
  )
  const response = await toFetch(handler)(new Request('http://localhost/'))
  t.equal(response.status, 500)
  t.strictSame(bugs, [['Error: the secret', 'framing']])
})
