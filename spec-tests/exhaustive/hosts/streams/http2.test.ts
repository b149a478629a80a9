import { once } from 'node:events'
import { connect as connectSession, createServer } from 'node:http2'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { Options } from '../../../../src/index.js'
import { toNodeListener, type NodeHostOptions } from '../../../../src/hosts/node/index.js'
import { endStream, frameTypes, rawHttp2Client } from '../raw-http2-client.js'
import { close, listen } from '../../../hosts/start-node.js'
import { createStreamedEndpoint } from '../../../hosts/streams/streamed-endpoint.js'

async function start(t: Test, options: Partial<Options> = {}, hostOptions: NodeHostOptions = {}) {
  const endpoint = createStreamedEndpoint(options)
  const server = createServer(toNodeListener(endpoint.handler, hostOptions))
  const port = await listen(server)
  const socket = connect({ port, host: '127.0.0.1' })
  const session = connectSession(`http://127.0.0.1:${port}`, { createConnection: () => socket })
  session.on('error', () => undefined)
  t.teardown(async () => {
    session.destroy()
    await close(server)
  })
  const open = (query: string) => {
    const path = `/graphql?${new URLSearchParams({ query }).toString()}`
    const stream = session.request({ ':path': path })
    stream.on('error', () => undefined)
    return stream
  }
  return { ...endpoint, port, socket, session, open }
}

for (const [name, leave] of [
  ['is destroyed', (socket: Socket) => socket.destroy()],
  ['is half-closed', (socket: Socket) => socket.end()],
] as const) {
  void t.test(`the streams of a connection that ${name} end with it`, async (t) => {
    const stage = await start(t)
    const opened = Array.from({ length: 20 }, () => stage.open('subscription { pushed }').resume())
    const sources = await Promise.all(opened.map(stage.nextSource))
    leave(stage.socket)
    await Promise.all(sources.map(({ returned }) => returned))
    t.match(await stage.nextEnd(), { cause: 'client-gone' })
    t.equal(stage.stats().open, 0)
  })
}

void t.test('a client that does not read is cut, and sees that', async (t) => {
  const stage = await start(t, { streamSendTimeout: 1000 })
  const stream = stage.open('subscription { flood(bytes: 100000) }')
  await stage.blocked()
  const other = stage.open('{ hello }')
  const [headers] = (await once(other, 'response')) as [{ readonly ':status': number }]
  t.equal(headers[':status'], 200)
  t.match(await stage.nextEnd(), { cause: 'slow-reader' })
  stream.resume()
  await once(stream, 'close')
  t.equal(stream.rstCode, 8)
  other.destroy()
})

void t.test('a client that vanishes without a word is gone after sendTimeout', async (t) => {
  const stage = await start(t, {}, { sendTimeout: 200 })
  const body = JSON.stringify({ query: 'subscription { pushed }' })
  const openRaw = async () => {
    const client = await rawHttp2Client(stage.port)
    t.teardown(() => client.destroy())
    client.head()
    client.data(body, endStream)
    const source = await stage.nextSource()
    source.push(1)
    t.ok(await client.nextOf(frameTypes.ping), 'it is pinged')
    return { client, source }
  }
  stage.open('subscription { pushed }').resume()
  const alive = await stage.nextSource()
  const pinged = once(stage.session, 'ping')
  alive.push(1)
  await pinged
  const slow = await openRaw()
  slow.client.widen()
  const vanished = await openRaw()
  // Their times are over before that of this one.
  await vanished.source.returned
  t.match(await stage.nextEnd(), { cause: 'client-gone', events: 1 })
  t.equal(stage.stats().open, 2, 'those that have sent anything since are there')
})
