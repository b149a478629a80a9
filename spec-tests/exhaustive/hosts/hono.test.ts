import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { setCookie } from 'hono/cookie'
import { stream } from 'hono/streaming'
import type { StatusCode } from 'hono/utils/http-status'
import t from 'tap'
import {
  buildSchema,
  createHandler,
  type Handler,
  type OperationRequest,
} from '../../../src/index.js'
import { setHeaders, toFetch } from '../../../src/hosts/fetch.js'
import { fetchClient } from '../../hosts/fetch-client.js'
import { http1Client } from '../../hosts/http1-client.js'
import { integritySuite, routes, type FrameworkHost, type Before } from './integrity-suite.js'
import { hostSuite } from '../../hosts/shared-suite.js'
import { close, listen, startHttp1 } from '../../hosts/start-node.js'

/** The route as docs/hosts.md shows it. */
function addRoute(app: Hono, handler: Handler): Hono {
  const respond = toFetch(handler)
  app.all('/graphql', async (context) => {
    const response = await respond(context.req.raw)
    setHeaders(response.headers, context.res.headers)
    return context.newResponse(response.body, response.status as StatusCode)
  })
  return app
}

void t.test('Hono, in process', (t) =>
  hostSuite(t, (handler) => {
    const app = new Hono()
    app.all('/graphql', (context) => toFetch(handler)(context.req.raw))
    return {
      send: fetchClient('http://localhost/graphql', (request) => app.fetch(request)),
      lacks: ['raw-target'],
      close: async () => {},
    }
  }),
)

void t.test('Hono on its Node server', (t) =>
  hostSuite(t, (handler) => {
    const server = createAdaptorServer({ fetch: addRoute(new Hono(), handler).fetch }) as Server
    return startHttp1(server, '/graphql', ['reason-phrase'])
  }),
)

void t.test("hooks find Hono's own context by the request", async (t) => {
  const contexts = new WeakMap<Request, Context<{ Variables: { user: string } }>>()
  const respond = toFetch(
    createHandler({
      schema: buildSchema('type Query { me: String }', { Query: { me: (_, _args, me) => me } }),
      context: ({ head }: OperationRequest<Request>) => contexts.get(head.raw)?.get('user'),
    }),
  )
  const app = new Hono<{ Variables: { user: string } }>()
  app.use(async (context, next) => {
    context.set('user', String(context.req.header('x-user')))
    await next()
  })
  app.all('/graphql', (context) => {
    contexts.set(context.req.raw, context)
    return respond(context.req.raw)
  })
  const headers = { 'x-user': 'ada' }
  const response = await app.request('/graphql?query={me}', { headers })
  t.strictSame(await response.json(), { data: { me: 'ada' } })
})

void t.test('Hono keeps what is its own, in process', (t) => integritySuite(t, startInProcess))

void t.test('Hono keeps what is its own, on its Node server', (t) => integritySuite(t, startApp))

async function startInProcess(handler: Handler, before: Before): Promise<FrameworkHost> {
  const app = appWith(handler, before)
  return {
    at: (path) => fetchClient(`http://localhost${path}`, (request) => app.fetch(request)),
    close: async () => {},
  }
}

function appWith(handler: Handler, { setsCookie, vary, fields }: Before): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    if (setsCookie) setCookie(context, 'session', 'abc')
    context.res.headers.append('Vary', vary)
    for (const [name, value] of fields) context.header(name, value)
    await next()
  })
  app.get(routes.redirect.path, (context) => context.redirect(routes.redirect.to))
  app.get(routes.stream.path, (context) =>
    stream(context, async (out) => {
      for (const piece of routes.stream.pieces) await out.write(piece)
    }),
  )
  return addRoute(app, handler)
}

async function startApp(handler: Handler, before: Before): Promise<FrameworkHost> {
  const server = createAdaptorServer({ fetch: appWith(handler, before).fetch }) as Server
  const port = await listen(server)
  return {
    at: (path) => http1Client(`http://127.0.0.1:${port}${path}`),
    close: () => close(server),
  }
}
