import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import express, { Router, type Request as ExpressRequest } from 'express'
import fastify, { type FastifyRequest } from 'fastify'
import { Hono, type Context as HonoContext } from 'hono'
import Koa, { type Context, type Middleware } from 'koa'
import t from 'tap'
import { buildSchema, createHandler } from '../../../src/index.js'
import type { Handler, OperationRequest } from '../../../src/index.js'
import { toFetch } from '../../../src/hosts/fetch.js'
import { toFastifyPlugin } from '../../../src/hosts/frameworks/fastify.js'
import { toKoaMiddleware } from '../../../src/hosts/frameworks/koa.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import type { Need } from '../../hosts/exchange.js'
import { fetchClient } from '../../hosts/fetch-client.js'
import { inHono, mounts, type Listener } from '../../hosts/mounts.js'
import { hostSuite } from '../../hosts/shared-suite.js'
import { startHttp1 } from '../../hosts/start-node.js'
import { http1Streams } from '../../hosts/streams/stream-client.js'
import { createStreamedEndpoint } from '../../hosts/streams/streamed-endpoint.js'
import { createTestedHandler } from '../../hosts/tested-handler.js'
import { plain } from './hosted.js'
import { integritySuite } from './integrity-suite.js'

const inKoa = (...all: Middleware[]): RequestListener => {
  const app = new Koa()
  for (const one of all) app.use(one)
  const callback = app.callback()
  return (incoming, outgoing) => void callback(incoming, outgoing)
}

const parseInKoa: Middleware = async ({ request, req }, next) => {
  Object.assign(request, { body: request.is('json') === 'json' ? await json(req) : {} })
  return next()
}

async function inFastify(handler: Handler): Promise<Listener> {
  const app = fastify().register(toFastifyPlugin(handler, { parsers: true }))
  await app.ready()
  return (incoming, outgoing) => app.routing(incoming as never, outgoing as never)
}

const parse = express.json()
const readRaw = express.raw({ type: () => true })

// oxfmt-ignore
const hosts: readonly (readonly [name: string, mount: (handler: Handler) => unknown, path?: string, lacks?: readonly Need[]])[] = [
  ...Object.entries(mounts).map(([name, mount]) =>
    [name, mount, '/graphql', name.startsWith('Hono') ? (['reason-phrase'] as const) : []] as const,
  ),
  ['Express with a body parser',             (handler) => express().use(parse).all('/graphql', toNodeListener(handler)), '/graphql', ['raw-body']],
  ['Express with a parser of raw bodies',    (handler) => express().use(readRaw).all('/graphql', toNodeListener(handler))],
  ['Express, in a router below a prefix',    (handler) => express().use('/api', Router().use('/v1', toNodeListener(handler))), '/api/v1'],
  ['Koa with a body parser in front',        (handler) => inKoa(parseInKoa, toKoaMiddleware(handler)), '/graphql', ['raw-body']],
  ['Fastify with its own body parser',       inFastify, '/graphql', ['raw-body', 'uploads']],
]

for (const [name, mount, path, lacks] of hosts) {
  void t.test(name, (t) =>
    hostSuite(t, async (handler) =>
      startHttp1(createServer((await mount(handler)) as RequestListener), path, lacks),
    ),
  )
}

void t.test('Hono, in process', (t) =>
  hostSuite(t, (handler) => ({
    send: fetchClient('http://localhost/graphql', (request) => inHono(handler).fetch(request)),
    lacks: ['raw-target', 'reason-phrase'],
    close: async () => {},
  })),
)

for (const [name, mount] of Object.entries(mounts)) {
  void t.test(`${name} keeps what is its own`, (t) =>
    integritySuite(
      t,
      async (t, handler, before) => (await plain(t, await mount(handler, before))).at,
    ),
  )
}

void t.test('Hono keeps what is its own, in process', (t) =>
  integritySuite(t, async (_, handler, before) => {
    const app = inHono(handler, before)
    return (path) => fetchClient(`http://localhost${path}`, (request) => app.fetch(request))
  }),
)

const schema = buildSchema<string | undefined>('type Query { me: String }', {
  Query: { me: (_, _args, me) => me },
})
const me = { query: '?query={me}', headers: { 'x-user': 'ada', cookie: 'by=train' } }

void t.test("hooks get Express's own request, typed", async (t) => {
  const handler = createHandler({
    schema,
    context: ({ head: { raw } }: OperationRequest<ExpressRequest>) =>
      `${raw.get('x-user')} by ${raw.ip}`,
  })
  const { at } = await plain(t, express().all('/graphql', toNodeListener(handler)))
  t.equal(String((await at('/graphql')(me)).body), '{"data":{"me":"ada by 127.0.0.1"}}')
})

void t.test("hooks get Koa's own context, typed", async (t) => {
  const handler = createHandler({
    schema,
    context: ({ head: { raw } }: OperationRequest<Context>) =>
      `${raw.state['user']} by ${raw.cookies.get('by')}`,
  })
  const setUser: Middleware = (context, next) => {
    context.state['user'] = context.get('x-user')
    return next()
  }
  const { at } = await plain(t, inKoa(setUser, toKoaMiddleware(handler) as Middleware))
  t.equal(String((await at('/graphql')(me)).body), '{"data":{"me":"ada by train"}}')
})

const users = new AsyncLocalStorage<string>()
const subscriptions = buildSchema('type Query { me: String } type Subscription { me: String }', {
  Subscription: {
    me: {
      async *subscribe() {
        for (let n = 0; n < 40; n += 1) yield n
      },
      resolve: () => users.getStore(),
    },
  },
})
const inContext: { readonly [name: string]: (handler: Handler) => RequestListener } = {
  Express: (handler) =>
    express()
      .use((request, _, next) => users.run(String(request.get('x-user')), next))
      .use(toNodeListener(handler)),
  Koa: (handler) =>
    inKoa((context, next) => users.run(context.get('x-user'), next), toKoaMiddleware(handler)),
}
for (const [name, mount] of Object.entries(inContext)) {
  void t.test(`resolvers of events see an AsyncLocalStorage of ${name}'s middleware`, async (t) => {
    const { port } = await plain(t, mount(createHandler({ schema: subscriptions })))
    const read = async (user: string): Promise<void> => {
      const headers = { 'X-User': user, Accept: 'text/event-stream', Connection: 'close' }
      const response = await fetch(`http://127.0.0.1:${port}/?query=subscription{me}`, { headers })
      t.equal((await response.text()).split(`{"me":"${user}"}`).length, 41)
    }
    await Promise.all(['ada', 'bob', 'eve'].map(read))
  })
}

void t.test("hooks get Fastify's own request, typed", async (t) => {
  const app = fastify().decorateRequest('user', '')
  app.addHook('onRequest', async (request) => {
    request.setDecorator('user', String(request.headers['x-user']))
  })
  const handler = createHandler({
    schema,
    context: ({ head: { raw } }: OperationRequest<FastifyRequest>) =>
      `${raw.getDecorator<string>('user')} at ${raw.routeOptions.url}`,
  })
  app.register(toFastifyPlugin(handler))
  t.teardown(() => app.close())
  const { headers } = me
  const response = await app.inject({ url: '/graphql?query={me}', headers })
  t.strictSame(response.json(), { data: { me: 'ada at /graphql' } })
})

void t.test('no cache stores a cookie that a plugin of Fastify adds at the end', async (t) => {
  const app = fastify()
  app.addHook('onSend', async ({ headers }, reply) => {
    if (headers.cookie !== undefined) reply.header('Set-Cookie', 'a=1')
  })
  const around = async (_: unknown, proceed: () => unknown): Promise<never> => {
    const headers = ['Cache-Control', 'public, max-age=60', 'CDN-Cache-Control', 'max-age=60']
    return { ...((await proceed()) as object), headers } as never
  }
  app.register(toFastifyPlugin(createHandler({ schema, around, context: () => 'ada' })))
  t.teardown(() => app.close())
  const cached = async (headers: { readonly [name: string]: string }) => {
    const response = await app.inject({ url: '/graphql?query={me}', headers })
    return [response.headers['cache-control'], response.headers['cdn-cache-control']]
  }
  t.strictSame(await cached({}), ['public, max-age=60', 'max-age=60'])
  t.strictSame(await cached({ cookie: 'a' }), ['no-store', undefined])
})

void t.test("hooks find Hono's own context by the request", async (t) => {
  const contexts = new WeakMap<Request, HonoContext<{ Variables: { user: string } }>>()
  const userOf = ({ head }: OperationRequest<Request>) => contexts.get(head.raw)?.get('user')
  const respond = toFetch(createHandler({ schema, context: userOf }))
  const app = new Hono<{ Variables: { user: string } }>()
  app.all('/graphql', (context) => {
    context.set('user', String(context.req.header('x-user')))
    contexts.set(context.req.raw, context)
    return respond(context.req.raw)
  })
  const response = await app.request('/graphql?query={me}', { headers: me.headers })
  t.strictSame(await response.json(), { data: { me: 'ada' } })
})

void t.test('Fastify hooks see and change the answer', async (t) => {
  const app = fastify().register(toFastifyPlugin(createTestedHandler().handler))
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('X-Length', String(payload).length)
    return `${String(payload)}\n`
  })
  t.teardown(() => app.close())
  // `inject` stands in for the socket: no part of ours may need a real one.
  const payload = { query: '{ echo(text: "hi") }' }
  const answer = await app.inject({ method: 'POST', url: '/graphql', payload })
  t.equal(answer.body, '{"data":{"echo":"hi"}}\n')
  t.match(answer.headers, { 'x-length': '22', 'content-length': '23' })
})

void t.test('Koa: middleware sees and changes the answer, and always ends', async (t) => {
  const { handler, nextWaiting } = createTestedHandler()
  let ended: (() => void) | undefined
  const watch: Middleware = async (context, next) => {
    try {
      await next()
      context.set('X-Length', String(context.length))
    } finally {
      ended?.()
    }
  }
  const { at } = await plain(t, inKoa(watch, toKoaMiddleware(handler)))
  const send = at('/graphql')
  const { headers } = await send({ query: '?query={echo(text:"hi")}' })
  t.equal(headers[headers.indexOf('X-Length') + 1], '22')

  const end = new Promise<void>((resolve) => (ended = resolve))
  const client = new AbortController()
  const left = send({ body: '{"query":"{ wait }"}' }, client.signal).catch(() => 'left')
  await nextWaiting()
  client.abort()
  await end
  t.equal(await left, 'left', 'also when the client leaves')
})

const echo = { query: '?query={echo(text:"hi")}' }
const { handler } = createTestedHandler()
const routed = createHandler({ schema, path: '/graphql' })

// oxfmt-ignore
const places: readonly (readonly [name: string, start: () => unknown, statuses: { readonly [path: string]: number }])[] = [
  // What is mounted compares its path with what is left.
  ['Express', () => express().use('/api', toNodeListener(routed)), { '/api/graphql': 422, '/api/other': 404, '/graphql': 404 }],
  ['Koa',     () => inKoa(toKoaMiddleware(handler, { path: '/api' })), { '/api': 200, '/api/': 404, '/graphql': 404 }],
]
for (const [name, start, statuses] of places) {
  void t.test(`${name} serves its path`, async (t) => {
    const { at } = await plain(t, start() as RequestListener)
    for (const [path, status] of Object.entries(statuses)) {
      t.equal((await at(path)(echo)).status, status, path)
    }
  })
}

void t.test('Fastify: a prefix, and the parsers of other routes', async (t) => {
  const app = fastify()
  app.register(toFastifyPlugin(handler, { path: '/query' }), { prefix: '/api' })
  app.post('/other', async (request) => request.body)
  t.teardown(() => app.close())
  const post = { payload: { query: '{ echo(text: "hi") }' }, method: 'POST' } as const
  t.equal((await app.inject({ ...post, url: '/api/query' })).body, '{"data":{"echo":"hi"}}')
  t.same((await app.inject({ ...post, url: '/other' })).json(), post.payload)
  t.equal((await app.inject({ ...post, url: '/graphql' })).statusCode, 404)
})

void t.test('options that are none are refused', async (t) => {
  for (const [options, message] of /* oxfmt-ignore */ [
    [{ pth: '/graphql' },  /pth is not an option\. Did you mean "path"\?/],
    [{ path: 'graphql' },  /path: expected an absolute path/],
    [{ parsers: 'json' },  /parsers: expected a boolean/],
  ] as const) {
    t.throws(() => toFastifyPlugin(handler, options as object), message)
  }
  t.throws(() => toKoaMiddleware(handler, { path: 'api' }), /path: expected an absolute path/)
})

void t.test('Fastify closes the connection of a request that runs while it closes', async (t) => {
  const tested = createTestedHandler()
  const app = fastify().register(toFastifyPlugin(tested.handler))
  t.teardown(() => app.server.closeAllConnections())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const asked = fetch(`${origin}/graphql?query={wait}`)
  const { finish } = await tested.nextWaiting()
  const closed = app.close()
  // Its hooks have run when it stops listening.
  while (app.server.listening) await new Promise((resolve) => setImmediate(resolve))
  finish('done')
  const response = await asked
  t.equal(response.headers.get('connection'), 'close')
  t.strictSame(await response.json(), { data: { wait: 'done' } })
  await closed
})

void t.test('Fastify ends its streams when it closes, so that clients come back', async (t) => {
  const endpoint = createStreamedEndpoint()
  const app = fastify().register(toFastifyPlugin(endpoint.handler))
  t.teardown(() => app.server.closeAllConnections())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const stream = await http1Streams(origin)({ query: 'subscription { pushed }' })
  await stream.until(':\n\n')
  await app.close()
  const { body } = await stream.whole()
  t.match(body, /^retry: \d+$/m)
  t.notMatch(body, 'event: complete')
  t.match(endpoint.ends, [{ cause: 'shutdown' }])
})
