import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import express, { Router, type Express, type Request, type RequestHandler } from 'express'
import t from 'tap'
import { createHandler, type Handler, type OperationRequest } from '../../../src/index.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { buildSchema } from 'graphql'
import { http1Client } from '../../hosts/http1-client.js'
import { integritySuite, routes, type FrameworkHost, type Before } from './integrity-suite.js'
import { hostSuite } from '../../hosts/shared-suite.js'
import { close, listen, startHttp1 } from '../../hosts/start-node.js'

function appWith(handler: Handler, ...middleware: RequestHandler[]): Express {
  const app = express()
  if (middleware.length > 0) app.use(middleware)
  app.all('/graphql', toNodeListener(handler))
  return app
}

void t.test('Express', (t) => hostSuite(t, (handler) => startHttp1(createServer(appWith(handler)))))

void t.test('Express with a body parser in front', (t) =>
  hostSuite(t, (handler) =>
    startHttp1(createServer(appWith(handler, express.json())), '/graphql', ['raw-body']),
  ),
)

void t.test('Express with a parser of raw bodies in front loses no check', (t) =>
  hostSuite(t, (handler) =>
    startHttp1(createServer(appWith(handler, express.raw({ type: () => true })))),
  ),
)

void t.test('Express, in a router below a prefix', (t) =>
  hostSuite(t, (handler) => {
    const router = Router()
    router.use('/graphql', toNodeListener(handler))
    const app = express().use('/api/v1', router)
    return startHttp1(createServer(app), '/api/v1/graphql')
  }),
)

void t.test('Express: a mounted handler compares its path with what is left', async (t) => {
  const schema = buildSchema('type Query { hi: String }')
  const handler = createHandler({ schema, path: '/graphql', rootValue: { hi: 'hi' } })
  const server = createServer(express().use('/api', toNodeListener(handler)))
  const port = await listen(server)
  t.teardown(() => close(server))
  const statusAt = async (path: string): Promise<number> =>
    (await http1Client(`http://127.0.0.1:${port}${path}`)({ query: '?query={hi}' })).status
  t.equal(await statusAt('/api/graphql'), 200)
  t.equal(await statusAt('/api/other'), 404)
  t.equal(await statusAt('/graphql'), 404)
})

void t.test("hooks get Express's own request, typed", async (t) => {
  const handler = createHandler({
    schema: buildSchema('type Query { me: String }'),
    rootValue: { me: (_args: object, me: string) => me },
    context: ({ head }: OperationRequest<Request>) => `${head.raw.get('x-user')} by ${head.raw.ip}`,
  })
  const server = createServer(express().all('/graphql', toNodeListener(handler)))
  const port = await listen(server)
  t.teardown(() => close(server))
  const send = http1Client(`http://127.0.0.1:${port}/graphql`)
  const { body } = await send({ query: '?query={me}', headers: { 'x-user': 'ada' } })
  t.equal(String(body), '{"data":{"me":"ada by 127.0.0.1"}}')
})

void t.test('Express keeps what is its own', (t) => integritySuite(t, startApp))

async function startApp(
  handler: Handler,
  { setsCookie, vary, fields }: Before,
): Promise<FrameworkHost> {
  const app = express()
  app.use((_request, response, next) => {
    if (setsCookie) response.cookie('session', 'abc')
    response.vary(vary)
    for (const [name, value] of fields) response.set(name, value)
    next()
  })
  app.all('/graphql', toNodeListener(handler))
  app.get(routes.redirect.path, (_request, response) => response.redirect(routes.redirect.to))
  app.get(routes.stream.path, (_request, response) => {
    Readable.from(routes.stream.pieces).pipe(response)
  })
  const server = createServer(app)
  const port = await listen(server)
  return {
    at: (path) => http1Client(`http://127.0.0.1:${port}${path}`),
    close: () => close(server),
  }
}
