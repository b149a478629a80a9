import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import {
  createHostServer,
  toNodeListener,
  type ConnectionOptions,
} from '../../../../src/hosts/node/index.js'
import { registerFlow } from '../../../../src/hosts/node/streams/open-flows.js'
import { inFramework } from '../hosted.js'
import { certificate, listen } from '../../../hosts/start-node.js'
import { http1Streams, http2Streams } from '../../../hosts/streams/stream-client.js'
import { createStreamedEndpoint } from '../../../hosts/streams/streamed-endpoint.js'

const pushed = { query: 'subscription { pushed }' }

async function start(t: Test, options: ConnectionOptions = {}) {
  const endpoint = createStreamedEndpoint()
  const hosted = createHostServer(toNodeListener(endpoint.handler), options)
  const port = await listen(hosted.server)
  t.teardown(() => hosted.close({ grace: 0, spread: 0, deadline: 0 }))
  const send = options.tls
    ? http2Streams(`https://localhost:${port}`)
    : http1Streams(`http://127.0.0.1:${port}`)
  return { endpoint, hosted, send }
}

/** Times that do not matter: connections close behind their streams. */
const long = { grace: 60_000, deadline: 60_000 }

const hosts: readonly (readonly [string, ConnectionOptions])[] = [
  ['HTTP/1.1', {}],
  ['HTTP/2', { tls: certificate }],
]

for (const [name, options] of hosts) {
  void t.test(`${name}: open streams end in waves, and ask clients to reconnect`, async (t) => {
    const { endpoint, hosted, send } = await start(t, options)
    const responses = await Promise.all(Array.from({ length: 30 }, () => send(pushed)))
    const begun = performance.now()
    const closing = hosted.close({ spread: 600, ...long })
    const times = await Promise.all(
      responses.map(async (response) => {
        const { body, isCut } = await response.whole()
        t.match(body, /^:\n\nretry: [1-4]\d{3}\n\n$/)
        t.notOk(isCut)
        return performance.now() - begun
      }),
    )
    t.match(await closing, { finished: 0, cut: 0, streams: { ended: 30, cut: 0 } })
    t.ok(Math.max(...times) - Math.min(...times) > 150, 'not all at once')
    t.equal(endpoint.open(), 0)
    t.ok(endpoint.ends.every(({ cause }) => cause === 'shutdown'))
  })

  void t.test(`${name}: a client that does not read is cut at the deadline`, async (t) => {
    const { hosted, endpoint, send } = await start(t, options)
    const response = await send({ query: 'subscription { flood(bytes: 300000) }' })
    response.pause()
    await endpoint.blocked()
    const report = await hosted.close({ spread: 0, grace: 0, deadline: 700 })
    t.match(report, { finished: 0, cut: 0, streams: { ended: 0, cut: 1 } })
    t.equal(endpoint.open(), 0)
  })

  void t.test(`${name}: streams end when a long delay is cut short`, async (t) => {
    const { hosted, send } = await start(t, options)
    const response = await send(pushed)
    const closing = hosted.close({ delay: 60_000, deadline: 100 })
    t.match((await response.whole()).body, /retry: \d{4}\n\n$/)
    t.match(await closing, { finished: 0, cut: 0, streams: { ended: 1, cut: 0 } })
  })
}

void t.test('a request that runs is finished beside the waves', async (t) => {
  const { endpoint, hosted, send } = await start(t)
  const response = await send(pushed)
  const later = send({ query: 'subscription { later }' })
  await endpoint.starting()
  const closing = hosted.close({ spread: 0, ...long })
  await response.whole()
  endpoint.letStart()
  // It opens while the server closes, and ends with the next wave.
  t.match((await (await later).whole()).body, /retry: \d{4}\n\n$/)
  t.match(await closing, { finished: 0, cut: 0, streams: { ended: 2, cut: 0 } })
})

void t.test('streams that a framework sends end, too', async (t) => {
  const endpoint = createStreamedEndpoint()
  const { server, close } = createHostServer(inFramework(endpoint.handler))
  const response = await http1Streams(`http://127.0.0.1:${await listen(server)}`)(pushed)
  await endpoint.nextSource()
  const closing = close(long)
  t.match((await response.whole()).body, /retry: \d{4}\n\n$/)
  t.match(await closing, { finished: 0, cut: 0, streams: { ended: 1, cut: 0 } })
})

void t.test('what another protocol has open on a socket ends, too', async (t) => {
  const listener = ({ socket }: IncomingMessage, outgoing: ServerResponse): void => {
    outgoing.end()
    registerFlow(socket, { shutDown: () => void socket.end() })
  }
  const { server, close } = createHostServer(listener)
  const client: Socket = connect(await listen(server), '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(client, 'data')
  t.match(await close(long), { streams: { ended: 1, cut: 0 } })
})
