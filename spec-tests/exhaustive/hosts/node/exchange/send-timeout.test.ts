import { once } from 'node:events'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { host, plain } from '../../hosted.js'
import { close, listen } from '../../../../hosts/start-node.js'

const big = 'x'.repeat(32 * 1024 * 1024)
/** More than a stream of HTTP/2 takes before its reader reads, and less than what Node lets wait in a connection. */
const medium = 'x'.repeat(1024 * 1024)
const hasBig = toNodeListener(() => ({ status: 200, headers: [], body: big }), { sendTimeout: 50 })
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const late = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'

const watched = { sendTimeout: 50, connectionsCheckingInterval: 10 }
const hosts = {
  node: (t: Test) => plain(t, hasBig),
  ours: (t: Test) => host(t, watched, (_incoming, outgoing) => void outgoing.end(big)),
}

for (const [name, request, start] of [
  ['its answer', get, hosts.node],
  ['an early answer to a request that was still being sent', late, hosts.node],
  ['what any listener of a server of ours sends', get, hosts.ours],
] as const) {
  void t.test(`a client that does not read ${name} is cut off`, async (t) => {
    const { client, socket, closed } = await (await start(t)).connectBoth()
    client.socket.pause()
    client.write(request)
    await closed
    t.ok(socket.destroyed)
  })
}

for (const [name, body] of [
  ['is sent whole when its turn comes', '{}'],
  ['is cut if the client does not read it then', big],
] as const) {
  void t.test(`an answer that waits for an earlier one of its pipeline ${name}`, async (t) => {
    let release = (): void => {}
    const listener = toNodeListener(
      ({ target }) => {
        if (target !== '/slow') return { status: 200, headers: [], body }
        return new Promise((resolve) => {
          release = () => resolve({ status: 200, headers: [], body: '{}' })
        })
      },
      { sendTimeout: 50 },
    )
    const { client, closed } = await (await plain(t, listener)).connectBoth()
    client.write(get.replace('/', '/slow') + get)
    // Much longer than the time that the second has.
    await new Promise((resolve) => setTimeout(resolve, 200))
    release()
    t.match(await client.answer(), { status: 200 })
    if (body === big) {
      client.socket.pause()
      await closed
    } else t.match(await client.answer(), { status: 200 })
  })
}

void t.test('of HTTP/2 the stream is cut, and the connection serves on', async (t) => {
  const server = createHttp2Server(
    toNodeListener(
      ({ target }) => ({ status: 200, headers: [], body: target === '/big' ? medium : '{}' }),
      { sendTimeout: 50 },
    ),
  )
  const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`)
  t.teardown(async () => {
    session.destroy()
    await close(server)
  })
  const opened = once(server, 'stream')
  const stream = session.request({ ':path': '/big' }).on('error', () => {})
  const [theirs] = (await opened) as [ServerHttp2Stream]
  await once(theirs, 'close')
  t.equal(theirs.rstCode, 8, 'CANCEL')
  const other = session.request({ ':path': '/small' })
  t.equal(Buffer.concat(await other.toArray()).toString(), '{}')
  stream.destroy()
})

void t.test('a client that reads in time gets everything, each time', async (t) => {
  const options = { sendTimeout: 30_000, connectionsCheckingInterval: 1 }
  const { connect } = await host(t, options, (_incoming, outgoing) => {
    outgoing.setHeader('Content-Length', medium.length)
    outgoing.end(medium)
  })
  const client = await connect()
  for (let at = 0; at < 2; at += 1) {
    t.equal((await client.ask(get)).body.length, medium.length)
  }
})

void t.test('a flood of requests is held back while no response is read', async (t) => {
  const count = 5_000
  let served = 0
  const body = 'x'.repeat(10_000)
  const listener = toNodeListener(() => {
    served += 1
    return { status: 200, headers: [], body }
  })
  // A head of which the rest is held back may take its time.
  const times = { headersTimeout: 60_000, requestTimeout: 60_000 }
  const { client, socket } = await (await host(t, times, listener)).connectBoth()
  client.socket.pause()
  client.write(get.repeat(count))
  // Until nothing more happens.
  for (let before = -1; before < served || served === 0;) {
    before = served
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  t.ok(served < count, `${served} were served`)
  t.ok(socket.writableLength < 1024 * 1024, `${socket.writableLength} bytes wait in the process`)
  let received = 0
  client.socket.removeAllListeners('data')
  client.socket.on('data', (chunk) => (received += chunk.length))
  client.socket.resume()
  while (served < count) await once(client.socket, 'data')
  t.ok(received > (count / 2) * body.length, 'and goes on when they are read')
})
