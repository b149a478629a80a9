import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import express from 'express'
import type { GraphQLSchema } from 'graphql'
import Koa, { type Middleware } from 'koa'
import t from 'tap'
import { createHandler, createRestHandler, buildSchema } from '../../../../../src/index.js'
import { toKoaMiddleware } from '../../../../../src/hosts/frameworks/koa.js'
import { listen, serve, toNodeListener } from '../../../../../src/hosts/node/index.js'
import { valueOf } from '../../../../hosts/exchange.js'
import { postBytes, rawClient } from '../../raw-client.js'
import { close, listen as listenPlain } from '../../../../hosts/start-node.js'

const much = 100_000

interface Row {
  readonly name: string
  /** The first line of the request whose body is not read, and the headers behind it. */
  readonly head: string
  readonly status: number
}

// oxfmt-ignore
const rows: readonly Row[] = [
  { name: 'another listener',              head: 'POST /other HTTP/1.1\r\nHost: x',                      status: 404 },
  { name: 'the same listener',             head: 'POST /graphql/x HTTP/1.1\r\nHost: x',                  status: 404 },
  { name: 'a probe',                       head: 'GET /livez HTTP/1.1\r\nHost: x',                       status: 200 },
  { name: 'a probe that refuses',          head: 'POST /readyz HTTP/1.1\r\nHost: x',                     status: 405 },
  { name: 'the check of the head',         head: 'GET /graphql HTTP/1.1',                                status: 400 },
  { name: 'the refusal of an expectation', head: 'POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: strange', status: 417 },
]

for (const { name, head, status } of rows) {
  void t.test(`nothing runs behind the last answer, which is that of ${name}`, async (t) => {
    let runs = 0
    const schema = buildSchema('type Query { a: Int }  type Mutation { count: Int }', {
      Mutation: { count: () => (runs += 1) },
    })
    const graphql = toNodeListener(createHandler({ schema, path: '/graphql' }))
    const rest = toNodeListener(
      createRestHandler({ schema, routes: [{ method: 'GET', path: '/a', operation: '{ a }' }] }),
    )
    const server = await listen(
      (incoming, outgoing) => {
        const isGraphQL = incoming.url?.startsWith('/graphql') === true
        return (isGraphQL ? graphql : rest)(incoming, outgoing)
      },
      { port: 0, livePath: '/livez', readyPath: '/readyz' },
    )
    const client = await rawClient(server.port)
    t.teardown(async () => {
      client.socket.destroy()
      await server.close({ grace: 0 })
    })
    client.write(`${head}\r\nContent-Length: ${much}\r\n\r\n`)
    t.match(await client.next(), { status })
    const body = '{"query":"mutation { count }"}'
    client.write(Buffer.alloc(much))
    client.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    t.equal(await client.next(), undefined)
    t.equal(runs, 0)
  })
}

interface Place {
  readonly port: number
  readonly close: () => Promise<unknown>
}

async function plain(server: ReturnType<typeof createServer>): Promise<Place> {
  return { port: await listenPlain(server), close: () => close(server) }
}

/** Where an `Upgrade` is ignored. */
const places: {
  readonly [name: string]: (options: { readonly schema: GraphQLSchema }) => Promise<Place>
} = {
  'a server': (options) => serve({ ...options, port: 0 }),
  'a server with WebSockets': (options) => serve({ ...options, port: 0, websocket: true }),
  'a server of node:http': (options) => plain(createServer(toNodeListener(createHandler(options)))),
  'an app of Express': (options) =>
    plain(createServer(express().use(toNodeListener(createHandler(options))))),
  'an app of Koa': (options) =>
    plain(
      createServer(
        new Koa()
          .use(toKoaMiddleware(createHandler(options)) as Middleware)
          .callback() as RequestListener,
      ),
    ),
}

const waits = encodeURIComponent('{ wait }')
const upgrade = 'Connection: keep-alive, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'
/** Requests that are answered when the test says so. */
const ignored = {
  GET: `GET /graphql?query=${waits} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`,
  POST: postBytes('{"query":"{ wait }"}', upgrade),
}

for (const [place, start] of Object.entries(places)) {
  for (const [method, request] of Object.entries(ignored)) {
    void t.test(`nothing runs after a ${method} with an ignored Upgrade to ${place}`, async (t) => {
      let runs = 0
      let finish: (result: string) => void = () => {}
      const waiting = new EventEmitter()
      const schema = buildSchema('type Query { wait: String }  type Mutation { count: Int }', {
        Query: {
          wait: () =>
            new Promise<string>((resolve) => {
              finish = resolve
              waiting.emit('started')
            }),
        },
        Mutation: { count: () => (runs += 1) },
      })
      const server = await start({ schema })
      const client = await rawClient(server.port)
      t.teardown(async () => {
        client.socket.destroy()
        await server.close()
      })
      const hasStarted = once(waiting, 'started')
      // What Node drops is the head of a request whose body is a request itself.
      const mutation = postBytes('{"query":"mutation { count }"}')
      client.write(
        `${request}POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${mutation.length}\r\n\r\n`,
      )
      await hasStarted
      client.write(mutation)
      for (let other = 0; other < 3; other += 1) (await rawClient(server.port)).socket.destroy()
      for (let turn = 0; turn < 50; turn += 1) await nextTurn()
      finish('done')
      const answer = await client.next()
      t.match(answer, { status: 200 })
      t.equal(answer && valueOf(answer, 'connection'), 'close')
      t.equal(await client.ended(), '')
      t.equal(runs, 0)
    })
  }
}
