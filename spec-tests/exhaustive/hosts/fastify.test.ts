import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import t from 'tap'
import {
  buildSchema,
  createHandler,
  type Handler,
  type OperationRequest,
} from '../../../src/index.js'
import { toFastifyPlugin } from '../../../src/hosts/frameworks/fastify.js'
import type { Host, Need } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import {
  cookie,
  integritySuite,
  routes,
  type FrameworkHost,
  type Before,
} from './integrity-suite.js'
import { hostSuite } from '../../hosts/shared-suite.js'
import { http1Lacks } from '../../hosts/start-node.js'
import { createTestedHandler } from '../../hosts/tested-handler.js'

async function start(app: FastifyInstance, lacks: readonly Need[] = []): Promise<Host> {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    send: http1Client(`${url}/graphql`),
    lacks: [...http1Lacks, ...lacks],
    close: () => app.close(),
  }
}

void t.test('Fastify', (t) =>
  hostSuite(t, (handler) => {
    const app = fastify()
    app.register(toFastifyPlugin(handler))
    return start(app)
  }),
)

void t.test('Fastify with its own body parser', (t) =>
  hostSuite(t, (handler) => {
    const app = fastify()
    app.register(toFastifyPlugin(handler, { parsers: true }))
    return start(app, ['raw-body', 'uploads'])
  }),
)

void t.test('Fastify keeps what is its own', (t) => integritySuite(t, startApp))

void t.test("hooks get Fastify's own request, typed", async (t) => {
  const app = fastify().decorateRequest('user', '')
  app.addHook('onRequest', async (request) => {
    request.setDecorator('user', String(request.headers['x-user']))
  })
  const handler = createHandler({
    schema: buildSchema('type Query { me: String }', { Query: { me: (_, _args, me) => me } }),
    context: ({ head }: OperationRequest<FastifyRequest>) =>
      `${head.raw.getDecorator<string>('user')} at ${head.raw.routeOptions.url}`,
  })
  app.register(toFastifyPlugin(handler))
  t.teardown(() => app.close())
  const headers = { 'x-user': 'ada' }
  const response = await app.inject({ url: '/graphql?query={me}', headers })
  t.strictSame(response.json(), { data: { me: 'ada at /graphql' } })
})

void t.test('Fastify hooks see and change the answer', async (t) => {
  const app = appWith(createTestedHandler().handler, {
    setsCookie: false,
    vary: 'Origin',
    fields: [],
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('X-Length', String(payload).length)
    return `${String(payload)}\n`
  })
  t.teardown(() => app.close())
  // `inject` stands in for the socket: no part of ours may need a real one.
  const answer = await app.inject({
    method: 'POST',
    url: '/graphql',
    payload: { query: '{ echo(text: "hi") }' },
  })
  t.equal(answer.statusCode, 200)
  t.equal(answer.body, '{"data":{"echo":"hi"}}\n')
  t.equal(answer.headers['x-length'], '22')
  t.equal(answer.headers['content-length'], '23')
})

function appWith(handler: Handler, { setsCookie, vary, fields }: Before): FastifyInstance {
  const app = fastify()
  app.addHook('onRequest', async (_request, reply) => {
    if (setsCookie) reply.header('set-cookie', cookie)
    reply.header('vary', vary)
    for (const [name, value] of fields) reply.header(name, value)
  })
  app.register(toFastifyPlugin(handler, { parsers: true }))
  app.get(routes.redirect.path, (_request, reply) => reply.redirect(routes.redirect.to))
  app.get(routes.stream.path, (_request, reply) => reply.send(Readable.from(routes.stream.pieces)))
  return app
}

async function startApp(handler: Handler, before: Before): Promise<FrameworkHost> {
  const app = appWith(handler, before)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { at: (path) => http1Client(url + path), close: () => app.close() }
}

void t.test('Fastify: a prefix, and the parsers of other routes', async (t) => {
  const app = fastify()
  app.register(toFastifyPlugin(createTestedHandler().handler, { path: '/query' }), {
    prefix: '/api',
  })
  app.post('/other', async (request) => request.body)
  t.teardown(() => app.close())
  const echo = { payload: { query: '{ echo(text: "hi") }' }, method: 'POST' } as const
  t.equal((await app.inject({ ...echo, url: '/api/query' })).body, '{"data":{"echo":"hi"}}')
  t.same((await app.inject({ ...echo, url: '/other' })).json(), echo.payload)
  t.equal((await app.inject({ ...echo, url: '/graphql' })).statusCode, 404)
})

void t.test('toFastifyPlugin refuses what it does not know', async (t) => {
  const { handler } = createTestedHandler()
  const rows: readonly [options: object, message: RegExp][] = [
    [{ pth: '/graphql' }, /pth is not an option\. Did you mean "path"\?/],
    [{ path: 'graphql' }, /path: expected an absolute path/],
    [{ parsers: 'json' }, /parsers: expected a boolean/],
  ]
  for (const [options, message] of rows) t.throws(() => toFastifyPlugin(handler, options), message)
})
