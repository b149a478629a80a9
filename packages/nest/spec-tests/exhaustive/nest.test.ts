import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { GraphQLModule } from '@nestjs/graphql'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { fieldValue, success } from 'graphwire'
import { createClient } from 'graphql-ws'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { GraphwireDriver, type GraphwireDriverConfig } from '@graphwire/nest'
import { http1Streams } from '../../../../spec-tests/hosts/streams/stream-client.js'
import { ShopModule, ticks } from '../shop.js'

interface Started {
  readonly app: INestApplication
  readonly origin: string
  readonly bugs: unknown[]
  readonly ask: (query: string, headers?: Record<string, string>) => Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly json: unknown
}

const adapters = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
} as const

for (const [name, makeAdapter] of Object.entries(adapters)) {
  const start = async (
    t: Test,
    options: Partial<GraphwireDriverConfig> = {},
    prefix = '',
    otherPath?: string,
  ): Promise<Started> => {
    const bugs: unknown[] = []
    const own = {
      ...options,
      handler: { onBug: (bug: unknown) => void bugs.push(bug), ...options.handler },
    }
    const module = ShopModule.with(own, ...(otherPath ? [{ ...own, path: otherPath }] : []))
    const app = await NestFactory.create(module, makeAdapter() as never, { logger: false })
    if (prefix !== '') app.setGlobalPrefix(prefix)
    await app.listen(0, '127.0.0.1')
    t.teardown(() => app.close())
    const { port } = app.getHttpServer().address() as { readonly port: number }
    const origin = `http://127.0.0.1:${port}`
    const ask = async (query: string, headers: Record<string, string> = {}): Promise<Answer> => {
      const response = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
      })
      return { status: response.status, json: await response.json() }
    }
    return { app, origin, bugs, ask }
  }

  void t.test(`${name}: queries and mutations of resolvers, code first`, async (t) => {
    const { ask, origin } = await start(t)
    t.strictSame(await ask('{ book(title: "Emma") { title pages } }'), {
      status: 200,
      json: { data: { book: { title: 'Emma', pages: 300 } } },
    })
    t.strictSame((await ask('mutation { count }')).json, { data: { count: 1 } })
    const get = await fetch(`${origin}/graphql?query={book(title:"a"){title}}`)
    t.strictSame(await get.json(), { data: { book: { title: 'a' } } })
    const refused = await fetch(`${origin}/graphql?query=mutation{count}`)
    t.equal(refused.status, 405)
    t.equal((await ask('{ nothing }')).status, 422)
    t.equal(await (await fetch(`${origin}/status`)).text(), 'ready', 'controllers stay')
  })

  void t.test(`${name}: schema first, with a path and a global prefix`, async (t) => {
    const options = {
      autoSchemaFile: false,
      typeDefs: 'type Query { visitor: String }',
      resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
      path: 'api',
      useGlobalPrefix: true,
    } as const
    const { origin } = await start(t, options, 'v1')
    const response = await fetch(`${origin}/v1/api?query={visitor}`)
    t.strictSame(await response.json(), { data: { visitor: 'guest' } })
    t.equal((await fetch(`${origin}/graphql`)).status, 404)
  })

  void t.test(`${name}: the context has the request, and what an option adds`, async (t) => {
    const { ask } = await start(t, {
      handler: {
        authenticate: ({ raw }) => success(raw.headers['x-user']),
        context: () => ({ added: 'more' }),
      },
    })
    t.strictSame(await ask('{ visitor principal added }', { 'X-User': 'ada' }), {
      status: 200,
      json: { data: { visitor: 'ada', principal: 'ada', added: 'more' } },
    })
  })

  // oxfmt-ignore
  const failures: readonly [query: string, message: string, extensions: object, bugs: number][] = [
    ['{ secret }',                    'Log in first.',       { code: 'UNAUTHENTICATED' }, 0],
    ['{ fails(kind: "forbidden") }',  'Forbidden',           { code: 'FORBIDDEN' },       0],
    ['{ fails(kind: "missing") }',    'No such book.',       { code: 'NOT_FOUND' },       0],
    ['{ fails(kind: "invalid") }',    'Bad Request Exception', { code: 'BAD_USER_INPUT', details: ['title is too long', 'pages must be positive'] }, 0],
    ['{ filtered }',                  'No such book.',       { code: 'NOT_FOUND' },       0],
    ['{ book(title: "a") { cover } }', 'No cover.',          { code: 'NOT_FOUND' },       0],
    ['{ fails(kind: "internal") }',   'Internal server error', { code: 'INTERNAL_SERVER_ERROR' }, 1],
    ['{ fails(kind: "bug") }',        'Internal server error', { code: 'INTERNAL_SERVER_ERROR' }, 1],
  ]

  void t.test(`${name}: what guards, pipes and resolvers throw`, async (t) => {
    const { ask, bugs } = await start(t)
    for (const [query, message, extensions, found] of failures) {
      bugs.length = 0
      const { json } = await ask(query)
      t.match(json, { errors: [{ message, extensions }] }, query)
      t.notMatch(JSON.stringify(json), 'ECONNREFUSED')
      t.equal(bugs.length, found, query)
    }
    t.strictSame((await ask('{ secret }', { 'X-User': 'admin' })).json, { data: { secret: '42' } })
    t.match((await ask('{ secret }', { 'X-User': 'ada' })).json, {
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
  })

  void t.test(`${name}: a context that is not a plain object is reported`, async (t) => {
    for (const made of ['user', new Date()]) {
      const { ask, bugs } = await start(t, { handler: { context: () => made } })
      t.equal((await ask('{ visitor }')).status, 500)
      t.match(bugs, [/expected handler.context to return a plain object/])
    }
  })

  void t.test(`${name}: subscriptions over SSE, and the end of the application`, async (t) => {
    const { app, origin } = await start(t)
    const follow = http1Streams(origin)
    const refused = await follow({ query: 'subscription{secretTick}' })
    t.match((await refused.whole()).body, /Log in first.*UNAUTHENTICATED/)
    const stream = await follow({ query: 'subscription{tick}' })
    await stream.until('"tick":1')
    const { left } = ticks
    await app.close()
    t.match((await stream.whole()).body, /retry: \d+\n\n$/, 'its client connects again')
    t.equal(ticks.left, left + 1)
  })

  void t.test(`${name}: a client that connects again before the server closes`, async (t) => {
    const { app, origin } = await start(t)
    const follow = http1Streams(origin)
    const adapter = app.getHttpAdapter()
    const close = adapter.close.bind(adapter) as () => unknown
    // Nest closes the server last, when all hooks of the application have ended.
    const late = new Promise<string>((resolve) => {
      adapter.close = async () => {
        adapter.close = close
        const stream = await follow({ query: 'subscription{tick}' })
        void stream.whole().then(({ body }) => resolve(body))
        return close()
      }
    })
    await app.close()
    t.match(await late, /retry: \d+\n\n$/)
  })

  void t.test(`${name}: WebSockets, and the end of the application`, async (t) => {
    const { app, origin } = await start(t, { websocket: true })
    const url = `${origin.replace('http', 'ws')}/graphql`
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
    const closing = new Promise((resolve) => client.on('closed', resolve))
    const query = 'subscription { tick }'
    const events = client.iterate({ query })
    t.strictSame(await events.next(), { done: false, value: { data: { tick: 1 } } })
    const refused = client.iterate({ query: 'subscription { secretTick }' })
    const errors: unknown = await refused.next().catch((reason: unknown) => reason)
    t.match(errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
    const last = events.next().catch(() => undefined)
    await app.close()
    t.match(await closing, { code: 1001 })
    await last
  })

  void t.test(`${name}: a guard reads the token of a socket from a header of req`, async (t) => {
    const { origin } = await start(t, {
      websocket: true,
      handler: {
        context({ head }) {
          head.raw.headers['x-user'] ??= fieldValue(head.headers, 'authorization')
          return {}
        },
      },
    })
    const url = `${origin.replace('http', 'ws')}/graphql`
    const connectionParams = { Authorization: 'admin' }
    const client = createClient({ url, webSocketImpl: WebSocket, connectionParams })
    t.teardown(() => client.dispose())
    const { value } = await client.iterate({ query: '{ secret }' }).next()
    t.strictSame(value, { data: { secret: '42' } })
  })

  void t.test(`${name}: an upgrade that no module and no gateway wants is refused`, async (t) => {
    const { origin } = await start(t, { websocket: true }, '', '/admin')
    for (const [upgrade, path, status] of [
      ['websocket', '/x', 404],
      ['h2c', '/x', 404],
      ['websocket', '/admin', 426],
      ['websocket', '/graphql', 426],
    ] as const) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
      )
      let text = ''
      for await (const piece of socket) text += String(piece)
      t.match(text, `HTTP/1.1 ${status} `, `${upgrade} at ${path}`)
    }
  })

  void t.test(`${name}: upgrades to other paths are left to gateways`, async (t) => {
    const { app, origin } = await start(t, { websocket: {} })
    const server = app.getHttpServer() as Server
    server.on('upgrade', ({ url }, socket) => {
      if (url === '/chat') socket.end('HTTP/1.1 418 Teapot\r\n\r\n')
    })
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/chat`)
    const [, { statusCode }] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { readonly statusCode: number },
    ]
    t.equal(statusCode, 418)
    socket.on('error', () => {})
    socket.terminate()
  })
}

// oxfmt-ignore
const surplus: readonly [options: object, problem: string | undefined][] = [
  [{ introspection: false },              'introspection is not an option. Those of graphwire belong in handler, such as handler.introspection'],
  [{ context: () => ({}) },               'context is not an option'],
  [{ validationRules: [], websocket: true }, 'validationRules is not an option'],
  [{ handler: {}, maxDepht: 3 },          'maxDepht is not an option'],
  [{ handler: { maxDepht: 3 } },          'maxDepht is not an option. Did you mean "maxDepth"'],
  [{ metadata: async () => ({}), sortSchema: true, stopOnApplicationShutdown: true, transformAutoSchemaFile: true, path: 'api', useGlobalPrefix: true }, undefined],
]
for (const [options, problem] of surplus) {
  void t.test(
    `the start ${problem ? 'fails' : 'succeeds'}: ${Object.keys(options).join(', ')}`,
    async (t) => {
      const graphql = GraphQLModule.forRootAsync({
        driver: GraphwireDriver,
        useFactory: () => ({ typeDefs: 'type Query { a: String }', ...options }),
      })
      const app = await NestFactory.create(
        { module: ShopModule, imports: [graphql] },
        { logger: false, abortOnError: false },
      )
      if (problem === undefined) await app.init()
      else await t.rejects(app.init(), { name: 'TypeError', message: problem })
      await app.close()
    },
  )
}
