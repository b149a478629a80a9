import type { Test } from 'tap'
import { createHostServer, toNodeListener } from '../../../src/hosts/node/index.js'
import { createWebSocketHost } from '../../../src/hosts/node/websocket/index.js'
import { listen } from '../../hosts/start-node.js'
import { multipart, http1Streams } from '../../hosts/streams/stream-client.js'
import { createStreamedEndpoint } from '../../hosts/streams/streamed-endpoint.js'
import { RawWebSocket, subscribe } from '../hosts/node/websocket/raw-web-socket.js'
import { documented, passing, startNginx } from './nginx.js'
import { testWith, untilMatches } from './proxy.js'

type Stage = Awaited<ReturnType<typeof start>>

/** A server of streams behind nginx, over SSE and WebSockets. */
async function start(t: Test, program: string, configure: (port: number) => string) {
  const endpoint = createStreamedEndpoint({ heartbeat: 1000 })
  const sockets = createWebSocketHost(endpoint)
  const { server, close } = createHostServer(toNodeListener(endpoint.handler), { sockets })
  const port = await listen(server)
  const end = (): Promise<unknown> => close({ grace: 0, spread: 0, deadline: 1000 })
  t.teardown(end)
  const { socket } = await startNginx(t, program, configure(port))
  return {
    ...endpoint,
    sockets: () => sockets.stats().open,
    close: end,
    send: http1Streams('http://localhost', socket),
    /** Opens a connection, by a handshake if nothing else is given. */
    connect: (head?: string) => RawWebSocket.open(socket, head),
  }
}

/** One that passes everything on; `gzip on` is what Debian's nginx.conf says. */
function alone(more = ''): (port: number) => string {
  return (port) => `gzip on; ${passing(port, more)}`
}

const query = 'subscription { pushed }'
const methods = ['GET', 'POST'] as const

/** Each event has to arrive before the next one is made. */
async function checkEvents(t: Test, stage: Stage, encoding?: 'gzip'): Promise<void> {
  for (const method of methods) {
    await t.test(`events by ${method} arrive at once`, async (t) => {
      const client = await stage.send({ query, method, gzip: true })
      const source = await stage.nextSource()
      await client.until(':\n\n')
      for (const event of [1, 2]) {
        source.push(event)
        await client.until(`"pushed":${event}}`)
      }
      t.equal(client.headers['content-encoding'], encoding)
      source.finish()
      await client.until('event: complete\ndata:\n\n')
      t.match(await client.whole(), { isCut: false })
    })
  }
  await t.test('a client that leaves is noticed', async (t) => {
    const client = await stage.send({ query })
    const source = await stage.nextSource()
    source.push(1)
    await client.until('"pushed":1')
    client.leave()
    await source.returned
    t.equal(stage.stats().open, 0)
  })
}

for (const [name, configure, encoding] of [
  ['docs/proxies/nginx.conf', documented],
  ['nginx with proxy_pass alone', alone()],
  ['nginx that compresses all types', alone('gzip_types *; gzip_min_length 0;'), 'gzip'],
] as const) {
  testWith('nginx', `streams of ${name}`, async (t, program) => {
    await checkEvents(t, await start(t, program, configure), encoding)
  })
}

testWith('nginx', 'more streams of docs/proxies/nginx.conf', async (t, program) => {
  const stage = await start(t, program, documented)
  await t.test('heartbeats arrive', async () => {
    const client = await stage.send({ query })
    await client.until(':\n\n:\n\n')
    client.leave()
    await (
      await stage.nextSource()
    ).returned
  })
  await t.test('parts arrive at once', async () => {
    const client = await stage.send({ query, accept: multipart })
    const source = await stage.nextSource()
    for (const event of [1, 2]) {
      source.push(event)
      await client.until(`"pushed":${event}}}}\r\n--graphql`)
    }
    client.leave()
    await source.returned
  })
  await t.test('a stream is not stored', async (t) => {
    const request = { query: 'subscription { countdown(from: 1) }', method: 'GET' } as const
    const answers = [await stage.send(request), await stage.send(request)]
    for (const client of answers) t.match((await client.whole()).body, /"countdown":0/)
    t.equal(stage.ends.filter(({ field }) => field === 'countdown').length, 2)
  })
})

testWith('nginx', 'WebSockets of docs/proxies/nginx.conf', async (t, program) => {
  const stage = await start(t, program, documented)
  const open = async (): Promise<RawWebSocket> => {
    const raw = await stage.connect()
    await raw.init()
    raw.tell(subscribe('1', query))
    return raw
  }
  await t.test('events arrive at once, and messages of the client', async (t) => {
    const raw = await open()
    const source = await stage.nextSource()
    for (const pushed of [1, 2]) {
      source.push(pushed)
      t.match(await raw.message(), { id: '1', payload: { data: { pushed } } })
    }
    raw.tell({ id: '1', type: 'complete' })
    await source.returned
    raw.socket.destroy()
  })
  await t.test('a client that leaves is noticed', async (t) => {
    const raw = await open()
    const source = await stage.nextSource()
    raw.socket.destroy()
    await source.returned
    await untilMatches(/^0$/, () => String(stage.sockets()))
    t.equal(stage.stats().open, 0)
  })
  await t.test('requests with other upgrades are served', async (t) => {
    const raw = await stage.connect(
      'GET /graphql?query={hello} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
    )
    t.match(await raw.ended(), /^HTTP\/1\.1 200 .*\{"data":\{"hello":"hi"\}\}/s)
  })
  await t.test('a server that shuts down says 1001', async (t) => {
    const raw = await open()
    await stage.nextSource()
    void stage.close()
    t.equal((await raw.closed())[0], 1001)
    raw.socket.destroy()
  })
})

testWith('nginx', 'what nginx does not do by itself', async (t, program) => {
  await t.test('WebSockets: the handshake arrives as a GET without a query', async (t) => {
    const stage = await start(t, program, alone())
    const raw = await stage.connect()
    t.match(await raw.head(), /^HTTP\/1\.1 422 /)
    raw.socket.destroy()
  })
  await t.test('streams, where it does not obey X-Accel-Buffering', async (t) => {
    const stage = await start(t, program, alone('proxy_ignore_headers X-Accel-Buffering;'))
    let hasBegun = false
    const response = stage.send({ query }).finally(() => (hasBegun = true))
    const source = await stage.nextSource()
    source.push(1)
    // nginx has one worker here, which has read the event before it answers these.
    for (let round = 0; round < 20; round += 1) {
      await (await stage.send({ query: '{ hello }', accept: '*/*' })).whole()
    }
    t.notOk(hasBegun)
    source.finish()
    t.match((await (await response).whole()).body, /"pushed":1.*complete/s)
  })
})
