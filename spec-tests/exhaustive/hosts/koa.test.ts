import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import Koa, { type Context, type Middleware } from 'koa'
import t from 'tap'
import {
  buildSchema,
  createHandler,
  type Handler,
  type OperationRequest,
} from '../../../src/index.js'
import { toKoaMiddleware } from '../../../src/hosts/frameworks/koa.js'
import { http1Client } from '../../hosts/http1-client.js'
import {
  cookie,
  integritySuite,
  routes,
  type FrameworkHost,
  type Before,
} from './integrity-suite.js'
import { hostSuite } from '../../hosts/shared-suite.js'
import { close, listen, startHttp1 } from '../../hosts/start-node.js'
import { createTestedHandler } from '../../hosts/tested-handler.js'

/** What the body parsers of Koa do. */
function bodyParser(): Middleware {
  return async ({ request, req }, next) => {
    const parsed = request.is('json') === 'json' ? await json(req) : {}
    Object.assign(request, { body: parsed })
    return next()
  }
}

void t.test('Koa', (t) =>
  hostSuite(t, (handler) =>
    startHttp1(
      createServer((...pair) => void new Koa().use(toKoaMiddleware(handler)).callback()(...pair)),
    ),
  ),
)

void t.test('Koa with a body parser in front', (t) =>
  hostSuite(t, (handler) => {
    const app = new Koa().use(bodyParser()).use(toKoaMiddleware(handler))
    return startHttp1(
      createServer((...pair) => void app.callback()(...pair)),
      '/graphql',
      ['raw-body'],
    )
  }),
)

void t.test('Koa keeps what is its own', (t) => integritySuite(t, startApp))

void t.test("hooks get Koa's own context, typed", async (t) => {
  const handler = createHandler({
    schema: buildSchema<string>('type Query { me: String }', {
      Query: { me: (_, _args, me) => me },
    }),
    context: ({ head }: OperationRequest<Context>) =>
      `${head.raw.state['user']} by ${head.raw.cookies.get('by')}`,
  })
  const app = new Koa()
  app.use((context, next) => {
    context.state['user'] = context.get('x-user')
    return next()
  })
  app.use(toKoaMiddleware(handler))
  const server = createServer((...pair) => void app.callback()(...pair))
  const port = await listen(server)
  t.teardown(() => close(server))
  const send = http1Client(`http://127.0.0.1:${port}/graphql`)
  const headers = { 'x-user': 'ada', cookie: 'by=train' }
  const { body } = await send({ query: '?query={me}', headers })
  t.equal(String(body), '{"data":{"me":"ada by train"}}')
})

void t.test('Koa: middleware sees and changes the answer, and always ends', async (t) => {
  const tested = createTestedHandler()
  const app = new Koa()
  let ended: (() => void) | undefined
  app.use(async (context, next) => {
    try {
      await next()
      context.set('X-Length', String(context.length))
    } finally {
      ended?.()
    }
  })
  app.use(toKoaMiddleware(tested.handler))
  const server = createServer((...pair) => void app.callback()(...pair))
  const port = await listen(server)
  t.teardown(() => close(server))
  const send = http1Client(`http://127.0.0.1:${port}/graphql`)
  const { headers } = await send({ query: '?query={echo(text:"hi")}' })
  t.ok(headers.includes('X-Length'))
  t.equal(headers[headers.indexOf('X-Length') + 1], '22')

  const end = new Promise<void>((resolve) => (ended = resolve))
  const client = new AbortController()
  const left = send({ body: '{"query":"{ wait }"}' }, client.signal).catch(() => undefined)
  await tested.nextWaiting()
  client.abort()
  await Promise.all([end, left])
  t.pass('also when the client leaves')
})

async function startApp(
  handler: Handler,
  { setsCookie, vary, fields }: Before,
): Promise<FrameworkHost> {
  const app = new Koa()
  app.use((context, next) => {
    if (setsCookie) context.append('Set-Cookie', cookie)
    context.vary(vary)
    for (const [name, value] of fields) context.set(name, value)
    return next()
  })
  app.use(toKoaMiddleware(handler))
  app.use((context) => {
    if (context.path === routes.redirect.path) context.redirect(routes.redirect.to)
    else context.body = Readable.from(routes.stream.pieces)
  })
  const server = createServer((...pair) => void app.callback()(...pair))
  const port = await listen(server)
  return {
    at: (path) => http1Client(`http://127.0.0.1:${port}${path}`),
    close: () => close(server),
  }
}

void t.test('toKoaMiddleware serves its path, and refuses what it does not know', async (t) => {
  const { handler } = createTestedHandler()
  const app = new Koa().use(toKoaMiddleware(handler, { path: '/api' }))
  const server = createServer((...pair) => void app.callback()(...pair))
  const port = await listen(server)
  t.teardown(() => close(server))
  const rows: readonly [path: string, status: number][] = [
    ['/api', 200],
    ['/api/', 404],
    ['/graphql', 404],
  ]
  for (const [path, status] of rows) {
    const send = http1Client(`http://127.0.0.1:${port}${path}`)
    t.equal((await send({ query: '?query={echo(text:"hi")}' })).status, status, path)
  }
  t.throws(() => toKoaMiddleware(handler, { path: 'api' }), /path: expected an absolute path/)
})
