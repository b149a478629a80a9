import { Readable } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import type { Handler } from '../../src/index.js'
import { mergeHeaders, toNodeResponder } from '../../src/hosts/node/index.js'
import type { Host, Need } from './exchange.js'
import { http1Client } from './http1-client.js'
import {
  cookie,
  integritySuite,
  routes,
  type FrameworkHost,
  type Before,
} from './integrity-suite.js'
import { hostSuite } from './shared-suite.js'
import { http1Lacks } from './start-node.js'
import { createTestedHandler } from './tested-handler.js'

/** The route as docs/hosts.md shows it. */
function addRoute(app: FastifyInstance, handler: Handler): void {
  const respond = toNodeResponder(handler)
  app.all('/graphql', async (request, reply) => {
    const { status, statusMessage, headers, body } = await respond(request.raw, reply.raw, {
      body: request.body,
    })
    if (statusMessage !== undefined) reply.raw.statusMessage = statusMessage
    for (const [name, value] of mergeHeaders(headers, reply.getHeaders())) {
      reply.removeHeader(name)
      if (value !== undefined) reply.header(name, value)
    }
    return reply.code(status).send(body)
  })
}

/** Leaves bodies to the handler, below the scope that it is given. */
function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

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
    app.register(async (scope) => {
      leaveBodies(scope)
      addRoute(scope, handler)
    })
    return start(app)
  }),
)

void t.test('Fastify with its own body parser', (t) =>
  hostSuite(t, (handler) => {
    const app = fastify()
    addRoute(app, handler)
    return start(app, ['raw-body'])
  }),
)

void t.test('Fastify keeps what is its own', (t) => integritySuite(t, startApp))

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
  addRoute(app, handler)
  app.get(routes.redirect.path, (_request, reply) => reply.redirect(routes.redirect.to))
  app.get(routes.stream.path, (_request, reply) => reply.send(Readable.from(routes.stream.pieces)))
  return app
}

async function startApp(handler: Handler, before: Before): Promise<FrameworkHost> {
  const app = appWith(handler, before)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { at: (path) => http1Client(url + path), close: () => app.close() }
}
