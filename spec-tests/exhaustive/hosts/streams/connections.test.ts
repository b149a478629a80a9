import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Options } from '../../../../src/index.js'
import { toNodeListener, type NodeHostOptions } from '../../../../src/hosts/node/index.js'
import { createStreamedEndpoint } from '../../../hosts/streams/streamed-endpoint.js'
import { plain } from '../hosted.js'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

async function start(
  t: Test,
  wrap: (listener: Listener) => Listener = (listener) => listener,
  options: Partial<Options> = {},
  hostOptions: NodeHostOptions = {},
) {
  const endpoint = createStreamedEndpoint(options)
  const { connect } = await plain(t, wrap(toNodeListener(endpoint.handler, hostOptions)))
  const subscribe = async (request = pushed) => {
    const client = await connect()
    client.write(request)
    return { client, source: await endpoint.nextSource() }
  }
  return { ...endpoint, connect, subscribe }
}

const get = (query: string, version = '1.1', headers = ''): string =>
  `GET /graphql?query=${encodeURIComponent(query)} HTTP/${version}\r\nHost: a\r\n${headers}\r\n`
const pushed = get('subscription { pushed }')
const endless = get('subscription { pushed }', '1.1', 'Transfer-Encoding: chunked\r\n')

const ways: { readonly [name: string]: (socket: Socket) => unknown } = {
  closes: (socket) => socket.destroy(),
  resets: (socket) => socket.resetAndDestroy(),
  'half-closes': (socket) => socket.end(),
}

for (const [name, leave] of Object.entries(ways)) {
  void t.test(`a client that ${name} in the middle of an event`, async (t) => {
    const stage = await start(t)
    const client = await stage.connect()
    client.write(get('subscription { flood(bytes: 1000000) }'))
    await client.until('xxx')
    leave(client.socket)
    t.match(await stage.nextEnd(), { cause: 'client-gone' })
    t.equal(stage.open(), 0)
  })
}

const early = 'half-closes behind its request'
for (const name of [...Object.keys(ways), early]) {
  void t.test(`a client that ${name} while its subscription starts`, async (t) => {
    const stage = await start(t)
    const { socket } = await stage.connect()
    socket.write(get('subscription { later }'))
    if (name === early) socket.end()
    await stage.starting()
    ways[name]?.(socket)
    stage.letStart()
    while (stage.made() === 0 || stage.open() > 0) await nextTurn()
    t.equal(stage.stats().open, 0)
  })
}

void t.test('a connection lives on after its stream, without listeners', async (t) => {
  let socket: Socket | undefined
  const stage = await start(t, (listener) => (incoming, outgoing) => {
    socket = incoming.socket
    listener(incoming, outgoing)
  })
  const client = await stage.connect()
  const listeners: unknown[] = []
  for (let round = 1; round <= 3; round += 1) {
    client.write(get(`subscription Round${round} { countdown(from: ${round}) }`))
    await client.until(`"countdown":${round}}`)
    client.write(get(`{ round${round}: hello }`))
    await client.until(`{"data":{"round${round}":"hi"}}`)
    listeners.push(socket?.eventNames().map((name) => [name, socket?.listenerCount(name)]))
  }
  t.same(listeners[1], listeners[0])
  t.same(listeners[2], listeners[0])
})

void t.test('HTTP/1.0: the end of the connection is the end of the stream', async (t) => {
  const stage = await start(t)
  const client = await stage.connect()
  client.write(get('subscription { countdown(from: 0) }', '1.0'))
  const received = await client.ended()
  t.notMatch(received, /transfer-encoding/i)
  t.match(received, /connection: close/i)
  t.match(received, /:\n\nevent: next\ndata: .*"countdown":0\}\}\n\nevent: complete\ndata:\n\n$/)
})

void t.test('a stream behind another in a pipeline waits for its turn', async (t) => {
  const stage = await start(t)
  const client = await stage.connect()
  client.write(pushed + pushed + get('{ hello }'))
  const [first, second] = [await stage.nextSource(), await stage.nextSource()]
  second.push(2)
  first.push(1)
  t.notMatch(await client.until('"pushed":1'), '"pushed":2')
  first.finish()
  await client.until('"pushed":2')
  second.push(3)
  t.notMatch(await client.until('"pushed":3'), 'hi')
  second.finish()
  await client.until('{"data":{"hello":"hi"}}')
  t.equal(stage.open(), 0)
})

void t.test('twenty streams of a pipeline end with it, without a warning', async (t) => {
  const warnings: unknown[] = []
  const warn = (warning: unknown): void => void warnings.push(warning)
  process.on('warning', warn)
  const stage = await start(t)
  const client = await stage.connect()
  client.write(pushed.repeat(20))
  const sources = await Promise.all(Array.from({ length: 20 }, stage.nextSource))
  client.socket.destroy()
  await Promise.all(sources.map(({ returned }) => returned))
  t.equal(stage.stats().open, 0)
  await nextTurn()
  t.same(warnings, [])
  process.off('warning', warn)
})

void t.test('a body that is not read does not hide that its client leaves', async (t) => {
  const stage = await start(t)
  const { client, source } = await stage.subscribe(endless)
  client.write(`8000\r\n${'x'.repeat(0x8000)}\r\n`.repeat(10))
  source.push(1)
  t.match(await client.until('"pushed":1'), /connection: close/i)
  client.socket.destroy()
  await source.returned
  t.match(await stage.nextEnd(), { cause: 'client-gone' })
})

void t.test('a body without an end is cut', async (t) => {
  const stage = await start(t, undefined, {}, { lingerTimeout: 50 })
  const { client, source } = await stage.subscribe(endless)
  await source.returned
  await client.ended()
  t.match(await stage.nextEnd(), { cause: 'client-gone' })
})

void t.test('a response that middleware ends does not fail later', async (t) => {
  let end = (): void => undefined
  const stage = await start(t, (listener) => (incoming, outgoing) => {
    end = () => void outgoing.end()
    listener(incoming, outgoing)
  })
  const { client, source } = await stage.subscribe()
  await client.until(':\n\n')
  end()
  source.push(1)
  await source.returned
  t.match(await stage.nextEnd(), { cause: 'client-gone' })
  client.write(get('{ hello }'))
  t.notMatch(await client.until('{"data":{"hello":"hi"}}'), '"pushed":1')
})

void t.test('a client leaves though the response is wrapped by a proxy', async (t) => {
  const handler: ProxyHandler<ServerResponse> = {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  }
  const stage = await start(t, (listener) => (incoming, outgoing) => {
    listener(incoming, new Proxy(outgoing, handler))
  })
  const { client, source } = await stage.subscribe()
  source.push(1)
  await client.until('"pushed":1')
  // Without FIN, only the response tells.
  client.socket.resetAndDestroy()
  await source.returned
  t.match(await stage.nextEnd(), { cause: 'client-gone' })
})

void t.test('an adapter without sockets, whose request was read', async (t) => {
  const stage = createStreamedEndpoint()
  const url = pushed.split(' ')[1]
  const incoming = Object.assign(Readable.from([]), {
    method: 'GET',
    url,
    headers: { host: 'a' },
    rawHeaders: ['Host', 'a'],
    httpVersion: '1.1',
    httpVersionMajor: 1,
    complete: true,
  }).resume()
  await once(incoming, 'end')
  const outgoing = Object.assign(new PassThrough({ encoding: 'utf8' }), {
    getHeaders: () => ({}),
    getHeaderNames: () => [],
    setHeader: () => undefined,
    writeHead: () => undefined,
    flushHeaders: () => undefined,
  })
  const serve = toNodeListener(stage.handler) as unknown as (...pair: unknown[]) => unknown
  serve(incoming, outgoing)
  const source = await stage.nextSource()
  const received = outgoing[Symbol.asyncIterator]() as AsyncIterator<string>
  t.equal((await received.next()).value, ':\n\n')
  source.push(1)
  t.match((await received.next()).value, '"pushed":1')
  outgoing.destroy()
  await source.returned
  t.match(await stage.nextEnd(), { cause: 'client-gone', events: 1 })
})

void t.test('a client that does not read holds one event, and others are served', async (t) => {
  let held = (): number => 0
  const stage = await start(
    t,
    (listener) => (incoming, outgoing) => {
      const { socket, url = '' } = incoming
      if (url.includes('flood')) held = () => socket.writableLength + outgoing.writableLength
      listener(incoming, outgoing)
    },
    { streamSendTimeout: 1000 },
  )
  const idle = await stage.connect()
  idle.socket.pause()
  idle.write(get('subscription { flood(bytes: 200000) }'))
  await stage.blocked()
  t.ok(held() > 0 && held() < 2 * 200_100, `${held()} bytes are held`)
  const other = await stage.subscribe()
  other.source.push(1)
  await other.client.until('"pushed":1')
  t.match(await stage.nextEnd(), { field: 'flood', cause: 'slow-reader' })
  t.equal(stage.open(), 1)
  idle.socket.resume()
  t.notMatch(await idle.ended(), 'complete')
})

void t.test('a stream that lasts too long asks its client to reconnect', async (t) => {
  const stage = await start(t, undefined, { maxStreamDuration: 1000 })
  const { client } = await stage.subscribe()
  t.match(await client.until('\r\n0\r\n\r\n'), /retry: \d{4}\n\n/)
  t.match(await stage.nextEnd(), { cause: 'too-long' })
  client.write(get('{ hello }'))
  await client.until('{"data":{"hello":"hi"}}')
})
