import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { http2Client } from '../../hosts/http2-client.js'
import { postBytes, rawClient, type RawClient } from './raw-client.js'
import { close, listen } from '../../hosts/start-node.js'
import { createTestedHandler, type TestedHandler } from '../../hosts/tested-handler.js'

// An error that nobody handles ends the process, and so fails whichever of these tests is running.

interface Served extends TestedHandler {
  readonly server: Server
  readonly connect: () => Promise<RawClient>
}

async function serve(t: Test, big = ''): Promise<Served> {
  const tested = createTestedHandler()
  const listener = toNodeListener((head) =>
    big === '' ? tested.handler(head) : { status: 200, headers: [], body: big },
  )
  const server = createServer(listener)
  const port = await listen(server)
  const timers = countTimers()
  t.teardown(async () => {
    await close(server)
    if (countTimers() > timers) throw new Error('A timer was left behind.')
  })
  return { ...tested, server, connect: () => rawClient(port) }
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

/** Resolves when the server has seen the end of its next connection. */
async function nextEnd(server: Server): Promise<() => Promise<unknown>> {
  const [socket] = (await once(server, 'connection')) as [RawClient['socket']]
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return () => closed
}

/** Resolves with why the signal fired; a time-out would be the wrong reason. */
async function untilAborted(signal: AbortSignal): Promise<string> {
  if (!signal.aborted) await once(signal, 'abort')
  return (signal.reason as { readonly reason: string }).reason
}

const ways: readonly [name: string, (client: RawClient) => void][] = [
  ['closes', ({ socket }) => socket.destroy()],
  ['resets', ({ socket }) => socket.resetAndDestroy()],
]

for (const [name, leave] of ways) {
  void t.test(`a client that ${name} its connection`, async (t) => {
    void t.test('in the middle of a head', async (t) => {
      const { server, connect, bugs } = await serve(t)
      const [ended, client] = await Promise.all([nextEnd(server), connect()])
      client.write('POST /graphql HTTP/1.1\r\nHos')
      leave(client)
      await ended()
      t.same(bugs, [])
    })

    void t.test('in the middle of a body', async (t) => {
      const { server, connect, bugs, count } = await serve(t)
      const [ended, client] = await Promise.all([nextEnd(server), connect()])
      const requested = once(server, 'request')
      client.write(postBytes('{"query":"mutation { count }"}').slice(0, -1))
      await requested
      leave(client)
      await ended()
      t.equal(count(), 0)
      t.same(bugs, [])
    })

    void t.test('before its answer', async (t) => {
      const { server, connect, bugs, nextWaiting } = await serve(t)
      const [ended, client] = await Promise.all([nextEnd(server), connect()])
      client.write(postBytes('{"query":"{ wait }"}'))
      const { signal, finish } = await nextWaiting()
      leave(client)
      t.equal(await untilAborted(signal), 'client-gone')
      await ended()
      finish('too late')
      await new Promise(setImmediate)
      t.same(bugs, [])
    })

    void t.test('in the middle of its answer', async (t) => {
      const { server, connect, bugs } = await serve(t, 'x'.repeat(32 * 1024 * 1024))
      const [ended, client] = await Promise.all([nextEnd(server), connect()])
      client.write('GET /graphql HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(client.socket, 'data')
      leave(client)
      await ended()
      t.same(bugs, [])
    })

    void t.test('while the rest of its request is read after an early answer', async (t) => {
      const { server, connect, bugs } = await serve(t)
      const [ended, client] = await Promise.all([nextEnd(server), connect()])
      client.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
      client.write('Content-Length: 5000000\r\n\r\n...')
      t.match(await client.next(), { status: 413 })
      leave(client)
      await ended()
      t.same(bugs, [])
    })

    void t.test('with a pipeline full of requests cancels each of them', async (t) => {
      const { server, connect, bugs, nextWaiting } = await serve(t)
      const [ended, client] = await Promise.all([nextEnd(server), connect()])
      const length = 20 // more than the listeners that Node takes for a leak
      const warnings: Error[] = []
      const warn = (warning: Error): void => void warnings.push(warning)
      process.on('warning', warn)
      client.write(postBytes('{"query":"{ wait }"}').repeat(length))
      const signals: AbortSignal[] = []
      while (signals.length < length) signals.push((await nextWaiting()).signal)
      leave(client)
      t.same(new Set(await Promise.all(signals.map(untilAborted))), new Set(['client-gone']))
      await ended()
      await new Promise(setImmediate)
      process.off('warning', warn)
      t.same(warnings, [])
      t.same(bugs, [])
    })
  })
}

void t.test('an answered pipeline leaves nothing on its socket', async (t) => {
  const { server, connect, nextWaiting } = await serve(t)
  const connected = once(server, 'connection')
  const client = await connect()
  const [socket] = (await connected) as [RawClient['socket']]
  const before = socket.listenerCount('close')
  client.write(postBytes('{"query":"{ wait }"}').repeat(3))
  const waiting = [await nextWaiting(), await nextWaiting(), await nextWaiting()]
  for (const { finish } of waiting) finish('done')
  for (let at = 0; at < 3; at += 1) t.match(await client.next(), { status: 200 })
  await new Promise(setImmediate)
  t.equal(socket.listenerCount('close'), before)
  client.socket.destroy()
})

void t.test('HTTP/2: a client that resets its connection cancels what runs for it', async (t) => {
  const tested = createTestedHandler()
  const server = createHttp2Server(toNodeListener(tested.handler))
  const port = await listen(server)
  t.teardown(() => close(server))
  const client = http2Client(`http://127.0.0.1:${port}/graphql`)
  const answers = [1, 2].map(() =>
    client.send({ body: '{"query":"{ wait }"}' }).catch(() => undefined),
  )
  const signals = [await tested.nextWaiting(), await tested.nextWaiting()].map(
    ({ signal }) => signal,
  )
  client.destroy()
  t.same(await Promise.all(signals.map(untilAborted)), ['client-gone', 'client-gone'])
  t.same(await Promise.all(answers), [undefined, undefined])
  t.same(tested.bugs, [])
})
