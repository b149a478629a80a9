import type { RequestListener } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import express from 'express'
import Koa, { type Middleware } from 'koa'
import t, { type Test } from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { buildSchema, createEndpoint, createHandler } from '../../../../../src/index.js'
import type { Handler } from '../../../../../src/index.js'
import { toKoaMiddleware } from '../../../../../src/hosts/frameworks/koa.js'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { createWebSocketHost } from '../../../../../src/hosts/node/websocket/index.js'
import { valueOf } from '../../../../hosts/exchange.js'
import { createTestedHandler } from '../../../../hosts/tested-handler.js'
import { host, plain } from '../../hosted.js'
import { postBytes } from '../../raw-client.js'

const much = 100_000

// oxfmt-ignore
const rows: readonly (readonly [last: string, head: string, status: number])[] = [
  ['another listener',              'POST /other HTTP/1.1\r\nHost: x',                      404],
  ['the same listener',             'POST /graphql/x HTTP/1.1\r\nHost: x',                  404],
  ['a probe',                       'GET /livez HTTP/1.1\r\nHost: x',                       200],
  ['a probe that refuses',          'POST /readyz HTTP/1.1\r\nHost: x',                     405],
  ['the check of the head',         'GET /graphql HTTP/1.1',                                400],
  ['the refusal of an expectation', 'POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: strange', 417],
]

for (const [last, head, status] of rows) {
  void t.test(`nothing runs behind the last answer, which is that of ${last}`, async (t) => {
    let runs = 0
    const schema = buildSchema('type Query { a: Int }  type Mutation { count: Int }', {
      Mutation: { count: () => (runs += 1) },
    })
    const graphql = toNodeListener(createHandler({ schema, path: '/graphql' }))
    const rest = toNodeListener(
      createRestHandler({ schema, routes: [{ method: 'GET', path: '/a', operation: '{ a }' }] }),
    )
    const { connect } = await host(t, {}, (incoming, outgoing) => {
      const isGraphQL = incoming.url?.startsWith('/graphql') === true
      return (isGraphQL ? graphql : rest)(incoming, outgoing)
    })
    const client = await connect()
    t.match(await client.ask(`${head}\r\nContent-Length: ${much}\r\n\r\n`), { status })
    client.write(Buffer.alloc(much))
    client.write(postBytes('{"query":"mutation { count }"}'))
    t.equal(await client.ended(), '')
    t.equal(runs, 0)
  })
}

type Start = (t: Test, handler: Handler) => ReturnType<typeof plain>

/** Where an `Upgrade` is ignored. */
const places: { readonly [name: string]: Start } = {
  'a server': (t, handler) => host(t, {}, toNodeListener(handler)),
  'a server with WebSockets': (t, handler) => {
    const sockets = createWebSocketHost(
      createEndpoint({ schema: buildSchema('type Query { a: Int }') }),
    )
    return host(t, { sockets }, toNodeListener(handler))
  },
  'a server of node:http': (t, handler) => plain(t, toNodeListener(handler)),
  'an app of Express': (t, handler) => plain(t, express().use(toNodeListener(handler))),
  'an app of Koa': (t, handler) =>
    plain(t, new Koa().use(toKoaMiddleware(handler) as Middleware).callback()),
}

const upgrade = 'Connection: keep-alive, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'
/** Requests that are answered when the test says so. */
const ignored = {
  GET: `GET /graphql?query={wait} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`,
  POST: postBytes('{"query":"{ wait }"}', upgrade),
  // Node's parser reads both fields alike.
  'GET by Proxy-Connection': `GET /graphql?query={wait} HTTP/1.1\r\nHost: x\r\nProxy-Connection: upgrade\r\nUpgrade: foo\r\n\r\n`,
}

for (const [place, start] of Object.entries(places)) {
  for (const [method, request] of Object.entries(ignored)) {
    void t.test(`nothing runs after a ${method} with an ignored Upgrade to ${place}`, async (t) => {
      const { handler, count, nextWaiting } = createTestedHandler()
      const { connect } = await start(t, handler)
      const client = await connect()
      // What Node drops is the head of a request whose body is a request itself.
      const mutation = postBytes('{"query":"mutation { count }"}')
      client.write(
        `${request}POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${mutation.length}\r\n\r\n`,
      )
      const { finish } = await nextWaiting()
      client.write(mutation)
      for (let other = 0; other < 3; other += 1) (await connect()).socket.destroy()
      for (let turn = 0; turn < 50; turn += 1) await nextTurn()
      finish('done')
      const answer = await client.answer()
      t.equal(answer.body.toString(), '{"data":{"wait":"done"}}')
      t.equal(valueOf(answer, 'connection'), 'close')
      t.equal(await client.ended(), '')
      t.equal(count(), 0)
    })
  }
}

type ToListener = (handler: Handler) => RequestListener

const behindMiddleware: { readonly [place: string]: readonly [ToListener, typeof plain] } = {
  'an app of Express': [(handler) => express().use(toNodeListener(handler)), plain],
  'an app of Express that is hosted': [
    (handler) => express().use(toNodeListener(handler)),
    (t, listener) => host(t, {}, listener),
  ],
  'an app of Koa': [
    (handler) => new Koa().use(toKoaMiddleware(handler) as Middleware).callback(),
    plain,
  ],
}

for (const [place, [toListener, start]] of Object.entries(behindMiddleware)) {
  void t.test(
    `${place} answers what a middleware held when the last answer was made`,
    async (t) => {
      const { handler, count } = createTestedHandler()
      const listener = toListener(handler)
      const held: (() => void)[] = []
      const { connect } = await start(t, (incoming, outgoing) => {
        if (incoming.headers.cookie === undefined) listener(incoming, outgoing)
        else held.push(() => listener(incoming, outgoing))
      })
      const client = await connect()
      const mutation = '{"query":"mutation { count }"}'
      const slow = postBytes(mutation, 'Cookie: a=b\r\n')
      client.write(`${slow}${slow}GET /graphql HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`)
      while (held.length < 2) await nextTurn()
      client.write(slow)
      for (let turn = 0; turn < 50; turn += 1) await nextTurn()
      for (const serve of held.toReversed()) serve()
      t.equal((await client.answer()).body.toString(), '{"data":{"count":1}}')
      t.equal((await client.answer()).body.toString(), '{"data":{"count":2}}')
      const last = await client.answer()
      t.match(last, { status: 422 })
      t.equal(valueOf(last, 'connection'), 'close')
      t.equal(await client.ended(), '')
      t.equal(count(), 2)
    },
  )
}
