import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { encodeFrame, opcodes } from '../../../../../src/conformance/wire/web-socket/frames.js'
import { handshake, RawWebSocket, subscribe, text } from './raw-web-socket.js'
import { acknowledged, serveSockets, until } from './serve-sockets.js'
import { thrower } from '../../../../base/thrower.js'
import { listen } from '../../../../hosts/start-node.js'
import { buildSchema, createEndpoint } from '../../../../../src/index.js'
import { createHostServer, toNodeListener } from '../../../../../src/hosts/node/index.js'
import {
  createWebSocketHost,
  type WsSocket,
} from '../../../../../src/hosts/node/websocket/index.js'

const schema = buildSchema('type Query { a: Int }')
const silent = 'subscription { silent }'
const flood = 'subscription { flood(bytes: 100000) }'
const completed = (id: string): object => ({ id, type: 'complete' })
const fast = { messagesPerSecond: 1_000_000, messageBurst: 1_000_000 }

/** A server, and a socket that asked it. */
async function asking(t: Test, query: string, options: Parameters<typeof serveSockets>[1] = {}) {
  const served = await serveSockets(t, options)
  const raw = await acknowledged(served.port)
  raw.tell(subscribe('1', query))
  return { ...served, raw }
}

void t.test('sources are returned however the client goes', async (t) => {
  const { port, sources, served } = await serveSockets(t)
  const ways: { readonly [name: string]: (raw: RawWebSocket) => unknown } = {
    'with a close frame': (raw) => raw.close(1000),
    'with FIN': (raw) => raw.socket.end(),
    'with RST': (raw) => raw.socket.resetAndDestroy(),
    'with complete': (raw) => raw.tell(completed('1'), completed('2')),
  }
  for (const [name, leave] of Object.entries(ways)) {
    const raw = await acknowledged(port)
    raw.tell(subscribe('1', silent), subscribe('2', 'subscription { stuck }'))
    await until(() => sources.open === 2)
    leave(raw)
    await until(() => sources.open === 0)
    t.pass(name)
    raw.socket.destroy()
  }
  await until(() => served.figures().connections === 0)
})

void t.test('a client that half-closes while much is unsent is cut', async (t) => {
  const { raw, sources, served } = await asking(t, flood)
  raw.socket.pause()
  await until(() => sources.pulled > 0)
  await stalled(() => sources.pulled)
  raw.socket.end()
  await until(() => sources.open === 0 && served.figures().connections === 0)
})

void t.test('10,000 subscribes at once: 100 run, others fail, the socket lives', async (t) => {
  const { port, sources } = await serveSockets(t, { websocket: fast })
  const raw = await acknowledged(port)
  const all = Array.from({ length: 10_000 }, (_, at) =>
    encodeFrame(text(subscribe(`${at}`, silent))),
  )
  raw.socket.write(Buffer.concat(all))
  let errors = 0
  while (errors < 9900) {
    const message = await raw.message()
    if (message?.['type'] !== 'error') break
    errors += 1
  }
  t.equal(errors, 9900)
  t.equal(sources.open, 100)
  raw.tell({ type: 'ping' })
  t.match(await raw.message(), { type: 'pong' })
  raw.socket.destroy()
  await until(() => sources.open === 0)
})

void t.test('10,000 subscribes and completes leave nothing behind', async (t) => {
  const { port, sources } = await serveSockets(t, { websocket: fast })
  const raw = await acknowledged(port)
  for (let round = 0; round < 100; round += 1) {
    raw.tell(...Array.from({ length: 100 }, () => [subscribe('1', silent), completed('1')]).flat())
  }
  raw.tell({ type: 'ping' })
  t.match(await raw.message(), { type: 'pong' })
  await until(() => sources.open === 0)
})

/** Waits until a number has not changed for many turns: nothing goes on. */
async function stalled(read: () => number): Promise<number> {
  for (let same = 0, before = -1; same < 500;) {
    await nextTurn()
    same = before === read() ? same + 1 : 0
    before = read()
  }
  return read()
}

void t.test('a client that does not read stops its streams, and is cut in the end', async (t) => {
  const options = { streamSendTimeout: 1000, websocket: { maxUnsent: 65_536 } }
  const { raw, port, sources, served } = await asking(t, flood, options)
  raw.socket.pause()
  await until(() => sources.pulled > 0)
  const pulled = await stalled(() => sources.pulled)
  t.ok(pulled < 200, `${pulled} events were pulled`)
  // Others are not affected.
  const other = await acknowledged(port)
  other.tell(subscribe('1', '{ echo(text: "b") }'))
  t.match(await other.message(), { payload: { data: { echo: 'b' } } })
  await until(() => sources.open === 0)
  raw.socket.resume()
  t.equal((await raw.closed())[0], 1013)
  raw.socket.destroy()
  other.socket.destroy()
  await until(() => served.figures().connections === 0)
})

void t.test('a client that does not read has few results of queries in memory', async (t) => {
  const { port, sources } = await serveSockets(t)
  const raw = await acknowledged(port)
  raw.socket.pause()
  const query = '{ big(bytes: 1000000) }'
  raw.tell(...Array.from({ length: 100 }, (_, at) => subscribe(`${at}`, query)))
  await until(() => sources.big > 0)
  const executed = await stalled(() => sources.big)
  t.ok(executed < 20, `${executed} of 100 were executed`)
  raw.socket.resume()
  for (let results = 0; results < 100;) {
    const message = await raw.message()
    if (message?.['type'] === 'next') results += 1
  }
  t.equal(sources.big, 100, 'the others are executed when it reads')
})

void t.test('a client that reads none of several sockets loses the largest', async (t) => {
  // The system takes some megabytes of each.
  const websocket = { maxUnreadBytes: 24 * 1024 * 1024 }
  const { port, sources, served } = await serveSockets(t, { websocket })
  const ordinary = await acknowledged(port, '127.0.0.2')
  const greedy = await Promise.all(Array.from({ length: 4 }, () => acknowledged(port)))
  const ask = (raw: RawWebSocket, queries: number): void => {
    raw.socket.pause()
    const query = '{ wait big(bytes: 1000000) }'
    raw.tell(...Array.from({ length: queries }, (_, at) => subscribe(`${at}`, query)))
  }
  ask(ordinary, 1)
  for (const raw of greedy) ask(raw, 30)
  await until(() => sources.waiting === 121)
  sources.release()
  await until(() => served.figures().connections <= 3)
  ordinary.socket.resume()
  t.match(await ordinary.message(), { id: '0', type: 'next' }, 'another client loses nothing')
  for (const raw of [...greedy, ordinary]) raw.socket.destroy()
})

void t.test('what sockets send at once is read in several turns, and in order', async (t) => {
  const { port, sources } = await serveSockets(t)
  const sockets = await Promise.all(Array.from({ length: 3 }, () => acknowledged(port)))
  const ids = Array.from({ length: 90 }, (_, at) => String(at))
  for (const raw of sockets) raw.tell(...ids.map((id) => subscribe(id, '{ big(bytes: 1) }')))
  let most = 0
  while (sources.big < 270) {
    const before = sources.big
    await nextTurn()
    most = Math.max(most, sources.big - before)
  }
  // Parts of two turns may lie between two looks.
  t.ok(most <= 32, `${most} queries ran in a turn`)
  for (const raw of sockets) {
    const results: unknown[] = []
    while (results.length < 90) {
      const message = await raw.message()
      if (message?.['type'] === 'next') results.push(message['id'])
    }
    t.same(results, ids)
    raw.socket.destroy()
  }
})

void t.test('shutting down: sockets close with 1001, after their single results', async (t) => {
  const { port, sources, served } = await serveSockets(t)
  const stream = await acknowledged(port)
  const busy = await acknowledged(port)
  const waiting = await RawWebSocket.open(port)
  await waiting.head()
  stream.tell(subscribe('1', silent))
  busy.tell(subscribe('1', silent), subscribe('2', '{ wait }'))
  await until(() => sources.open === 2 && sources.waiting === 1)
  const closed = served.close({ grace: 60_000, deadline: 120_000 })
  const reason = 'Going away: connect again'
  for (const raw of [stream, waiting]) {
    t.same(await raw.closed(), [1001, reason])
    raw.close(1001)
  }
  await until(() => sources.open === 0)
  sources.release()
  t.match(await busy.message(), { id: '2', payload: { data: { wait: 'done' } } })
  t.match(await busy.message(), { id: '2', type: 'complete' })
  t.same(await busy.closed(), [1001, reason])
  busy.close(1001)
  const report = await closed
  t.same(report.sockets, { closed: 3, cut: 0 })
  t.same(report.streams, { ended: 0, cut: 0 }, 'those of sockets end with them')
})

void t.test('shutting down: handshakes are 503 meanwhile', async (t) => {
  const statuses: number[] = []
  const { port, served } = await serveSockets(t, {
    onHandshake: (_, { status }) => statuses.push(status),
  })
  const stream = await acknowledged(port)
  const kept = await RawWebSocket.open(port, '')
  // The server must have accepted it.
  await until(() => served.figures().connections === 2)
  const closed = served.close({ grace: 60_000, deadline: 120_000 })
  kept.socket.write(handshake())
  t.match(await kept.head(), /^HTTP\/1\.1 503 /)
  t.same(statuses, [101, 503])
  for (const raw of [stream, kept]) raw.socket.destroy()
  await closed
})

void t.test('shutting down: at the deadline they are cut', async (t) => {
  const { raw, sources, served } = await asking(t, '{ wait }')
  await until(() => sources.waiting === 1)
  const report = await served.close({ grace: 0, deadline: 300 })
  t.match(report, { finished: 0, cut: 0, sockets: { closed: 0, cut: 1 } })
  t.equal(await raw.next(), undefined)
})

for (const how of ['an upgrade listener of its own', 'the option of a server']) {
  void t.test(`shutting down: those of ${how}, too`, async (t) => {
    const endpoint = createEndpoint({ schema })
    const sockets = createWebSocketHost(endpoint)
    const options = how.startsWith('the option') ? { sockets } : {}
    const { server, close } = createHostServer(toNodeListener(endpoint.handler), options)
    if (options.sockets === undefined) server.on('upgrade', sockets.upgrade)
    const raw = await acknowledged(await listen(server))
    t.same(sockets.stats(), { open: 1, waiting: 0 })
    t.equal(endpoint.stats().sockets, 1)
    const closing = close({ grace: 60_000, deadline: 60_000 })
    t.equal((await raw.closed())[0], 1001)
    raw.socket.destroy()
    t.same((await closing).sockets, { closed: 1, cut: 0 })
    t.equal(endpoint.stats().sockets, 0)
  })
}

void t.test('a refusal of the caller is sent as it is', async (t) => {
  const { upgrade } = createWebSocketHost(createEndpoint({ schema }))
  const { server } = createHostServer(() => undefined)
  const body = Buffer.from('no')
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, first: Buffer) =>
    upgrade(incoming, socket, first, { status: 499, headers: [], body }),
  )
  const raw = await RawWebSocket.open(await listen(server), handshake())
  t.match(await raw.head(), /^HTTP\/1\.1 499 \r\n[^]*Content-Length: 2/)
  raw.socket.destroy()
  server.close()
})

void t.test('a socket that has closed before it is given is not counted', async (t) => {
  const { accept, stats } = createWebSocketHost(createEndpoint({ schema }))
  accept({ readyState: 3, protocol: 'graphql-transport-ws' } as WsSocket, {} as IncomingMessage)
  t.strictSame(stats(), { open: 0, waiting: 0 })
})

void t.test('the time limits of requests do not end sockets', async (t) => {
  const times = { headersTimeout: 100, requestTimeout: 100, keepAliveTimeout: 100 }
  const options = { ...times, connectionsCheckingInterval: 50, heartbeat: 1000 }
  const { raw } = await asking(t, silent, options)
  t.match(await raw.next(), { opcode: opcodes.ping })
  raw.tell({ type: 'ping' })
  t.match(await raw.message(), { type: 'pong' })
})

void t.test('a handshake hook that fails is a bug, and the socket opens', async (t) => {
  const bugs: unknown[] = []
  const onBug = (bug: unknown): void => void bugs.push(String(bug))
  const fail = thrower(new Error('no'))
  for (const onHandshake of [fail, async () => fail()]) {
    const { port, served } = await serveSockets(t, { onHandshake, onBug })
    await acknowledged(port)
    t.equal(served.figures().sockets, 1)
  }
  t.same(bugs, ['Error: no', 'Error: no'])
})
