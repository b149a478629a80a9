import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { buildSchema } from 'graphql'
import {
  createHostServer,
  listen,
  serve,
  toNodeListener,
  type ConnectionOptions,
} from '../../../../../src/hosts/node/index.js'
import { thrower } from '../../../../base/thrower.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { host } from '../../hosted.js'
import { http1Client } from '../../../../hosts/http1-client.js'
import { postBytes, rawClient } from '../../raw-client.js'
import { close, listen as listenOn } from '../../../../hosts/start-node.js'
import { createTestedHandler } from '../../../../hosts/tested-handler.js'

const hello: RequestListener = (_incoming, outgoing) => void outgoing.end('hello')
const echo = postBytes('{"query":"{ echo(text: \\"x\\") }"}')
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

for (const name of ['127.0.0.1', 'localhost', '::1']) {
  void t.test(`it says that it listens at ${name}`, async (t) => {
    const listening = await listen(hello, { host: name, port: 0 }).catch((error: unknown) => {
      // Some machines have no IPv6.
      if ((error as { code?: string }).code === 'EADDRNOTAVAIL') return undefined
      throw error
    })
    if (listening === undefined) return
    const { origin, port } = listening
    t.equal(origin, `http://${name === '::1' ? '[::1]' : name}:${port}`)
    t.equal((await http1Client(`${origin}/`)({})).body.toString(), 'hello')
    t.match(await listening.close({ grace: 0 }), { finished: 0, cut: 0 })
  })
}

void t.test('serve listens where it says, at the one path, with probes and limits', async (t) => {
  const schema = buildSchema('type Query { hi: String }')
  const options = { schema, host: '127.0.0.1', port: 0, maxHeaderBytes: 500, readyPath: '/ready' }
  const { url, port, close: end } = await serve(options)
  t.equal(url, `http://127.0.0.1:${port}/graphql`)
  for (const [path, status] of /* oxfmt-ignore */ [
    ['/graphql',      200],
    ['/graphql/more', 404],
    ['/livez',        200],
    ['/ready',        200],
    ['/readyz',       404],
  ] as const) {
    const send = http1Client(`http://127.0.0.1:${port}${path}`)
    t.equal((await send({ query: '?query={hi}' })).status, status, path)
    if (status === 200) t.equal((await send({ headers: { x: 'x'.repeat(500) } })).status, 431)
  }
  await t.rejects(serve({ ...options, port }), { code: 'EADDRINUSE' })
  const idle = await rawClient(port)
  idle.write(get)
  await idle.next()
  const begun = performance.now()
  await Promise.all([end({ grace: 100 }), end()])
  t.ok(performance.now() - begun < 4_000, 'Node itself waits for another request for longer')
  await t.rejects(rawClient(port), { code: 'ECONNREFUSED' })
})

void t.test('limits that Node can enforce itself are passed to it', async (t) => {
  const times = { headersTimeout: 11, requestTimeout: 12, keepAliveTimeout: 13 }
  const given = { ...times, connectionsCheckingInterval: 14 }
  const { server } = createHostServer(hello, { ...given, maxHeaderBytes: 15 })
  t.match(server, { ...given, maxHeaderSize: 15, maxHeadersCount: 251 })
  const defaults = createHostServer(hello).server
  t.match(defaults, { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000 })
  t.match(defaults, { connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 })
})

const fail = thrower(new Error('secret'))

for (const [name, listener] of [
  ['throws', fail],
  ['rejects', async () => fail()],
] as const) {
  void t.test(`a listener that ${name} is a bug, masked`, async (t) => {
    const { at, bugs } = await host(t, { createId: () => 'id-1' }, listener)
    const answer = await at('/')({})
    t.equal(answer.status, 500)
    t.match(jsonOf(answer), { errors: [{ extensions: { id: 'id-1' } }] })
    t.match(bugs, [{ message: 'secret' }])
  })
}

void t.test('a listener that throws in the middle of its answer is cut', async (t) => {
  const { at, bugs } = await host(t, {}, (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Length': '10' }).write('half')
    fail()
  })
  await t.rejects(at('/')({}))
  t.match(bugs, [{ message: 'secret' }])
})

void t.test('a callback for timeouts of the server decides what happens', async (t) => {
  let answer = (): unknown => undefined
  const { server, connect } = await host(t, {}, (_incoming, outgoing) => {
    answer = () => outgoing.end('late')
  })
  server.setTimeout(20, () => answer())
  t.match(await (await connect()).ask(get), { status: 200 })
})

void t.test('a connection too many is cut, and takes the place of none', async (t) => {
  const { connect, connectBoth } = await host(t, { maxSockets: 2 })
  const [first, second, third] = [await connectBoth(), await connectBoth(), await connect()]
  t.equal(await third.ended(), '')
  t.match(await second.client.ask(echo), { status: 200 })
  first.client.socket.destroy()
  await first.closed
  const fourth = await connect()
  t.match(await fourth.ask(echo), { status: 200 })
})

void t.test('a connection carries so many requests and no more', async (t) => {
  const { connect, count, nextWaiting } = await host(t, { maxRequestsPerSocket: 3 })
  const client = await connect()
  for (const connection of ['keep-alive', 'keep-alive', 'close']) {
    const answer = await client.ask(echo)
    t.equal(answer.status, 200)
    t.equal(valueOf(answer, 'connection'), connection)
  }
  t.equal(await client.ended(), '')

  const wait = postBytes('{"query":"{ wait }"}')
  const atOnce = 'GET /?query={echo(text:"one")} HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const request of [wait, atOnce]) {
    const pipelined = await connect()
    pipelined.write(request.repeat(3) + postBytes('{"query":"mutation { count }"}'))
    for (let at = 0; at < 3; at += 1) if (request === wait) (await nextWaiting()).finish('ok')
    for (let at = 0; at < 3; at += 1) t.match(await pipelined.next(), { status: 200 })
    t.equal(await pipelined.ended(), '')
  }
  t.equal(count(), 0)
})

/** A server that takes connections for another one, as the primary of a cluster does. */
async function startPrimary(t: Test, options: ConnectionOptions, pauseOnConnect: boolean) {
  const { handler } = createTestedHandler()
  const hosted = createHostServer(toNodeListener(handler), options)
  const primary = createServer({ pauseOnConnect }, (socket) => hosted.adopt(socket))
  const port = await listenOn(primary)
  t.teardown(async () => {
    await hosted.close({ grace: 0 })
    await close(primary)
  })
  return { ...hosted, port }
}

for (const paused of [false, true]) {
  void t.test(`a connection that is adopted${paused ? ', paused,' : ''} is served`, async (t) => {
    const { port, close: end, server } = await startPrimary(t, {}, paused)
    const client = await rawClient(port)
    t.match(await client.ask(echo), { status: 200 })
    t.match(await client.ask(echo.repeat(2)), { status: 200 })
    t.match(await client.next(), { status: 200 })
    t.notOk(server.listening)
    const closing = end({ grace: 600_000, deadline: 1_200_000 })
    const answer = await client.ask(echo)
    t.equal(valueOf(answer, 'connection'), 'close')
    t.match(await closing, { finished: 1, cut: 0 })
    const late = await rawClient(port)
    t.equal(await late.ended(), '', 'the server has ended')
  })
}

void t.test('a connection that is adopted while the listener closes is served', async (t) => {
  const { port, close: end, server } = await startPrimary(t, {}, true)
  await listenOn(server)
  const closing = end({ grace: 0, deadline: 600_000 })
  // New connections are held for a moment, before the listener closes.
  while (server.listenerCount('connection') > 1) await new Promise(setImmediate)
  const client = await rawClient(port)
  t.equal(valueOf(await client.ask(echo), 'connection'), 'close')
  t.match(await closing, { finished: 1, cut: 0 })
})

void t.test('an adopted connection has the same limits', async (t) => {
  const options = { headersTimeout: 40, requestTimeout: 80, connectionsCheckingInterval: 10 }
  const { port } = await startPrimary(t, options, true)
  const [broken, slow] = [await rawClient(port), await rawClient(port)]
  t.match(await broken.ask('garbage\r\n\r\n'), { status: 400 })
  t.match(await slow.ask(get.slice(0, -2)), { status: 408 })
  await Promise.all([slow.ended(), broken.ended()])
})
