import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { listen, toNodeListener } from '../../../src/hosts/node/index.js'
import { plain } from './hosted.js'
import { postBytes, type RawClient } from './raw-client.js'

// An error that nobody handles ends the process, and so fails whichever of these tests is running.

const wait = postBytes('{"query":"{ wait }"}')

type Served = Awaited<ReturnType<typeof plain>>

async function serve(t: Test, big?: string): Promise<Served> {
  const before = countTimers()
  t.teardown(() => {
    if (countTimers() > before) throw new Error('A timer was left behind.')
  })
  const listener = toNodeListener(() => ({ status: 200, headers: [], body: big ?? '' }))
  return plain(t, big === undefined ? undefined : listener)
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

/** Resolves with why the signal fired; a time-out would be the wrong reason. */
async function untilAborted(signal: AbortSignal): Promise<string> {
  if (!signal.aborted) await once(signal, 'abort')
  return (signal.reason as { readonly reason: string }).reason
}

/** Sends a part of an exchange; what is returned has to be true once the client has left. */
type Moment = (
  t: Test,
  client: RawClient,
  served: Served,
) => Promise<void | (() => void | Promise<void>)>

const moments: { readonly [name: string]: Moment } = {
  async 'in the middle of a head'(_, client) {
    client.write('POST /graphql HTTP/1.1\r\nHos')
  },
  async 'in the middle of a body'(t, client, { server, count }) {
    const requested = once(server, 'request')
    client.write(postBytes('{"query":"mutation { count }"}').slice(0, -1))
    await requested
    return () => void t.equal(count(), 0)
  },
  async 'before its answer'(t, client, { nextWaiting }) {
    client.write(wait)
    const { signal, finish } = await nextWaiting()
    return async () => {
      t.equal(await untilAborted(signal), 'client-gone')
      finish('too late')
    }
  },
  async 'in the middle of its answer'(_, client) {
    client.write('GET /graphql HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(client.socket, 'data')
  },
  async 'while the rest of its request is read after an early answer'(t, client) {
    const head = await client.ask(
      postBytes('...').replace('Content-Length: 3', 'Content-Length: 5000000'),
    )
    t.match(head, { status: 413 })
  },
  // More than the listeners that Node takes for a leak.
  async 'with a pipeline of 20 requests'(t, client, { nextWaiting }) {
    client.write(wait.repeat(20))
    const signals: AbortSignal[] = []
    while (signals.length < 20) signals.push((await nextWaiting()).signal)
    return async () => {
      t.same(new Set(await Promise.all(signals.map(untilAborted))), new Set(['client-gone']))
    }
  },
}

const leave = {
  closes: ({ socket }: RawClient) => socket.destroy(),
  resets: ({ socket }: RawClient) => socket.resetAndDestroy(),
}

for (const [moment, begin] of Object.entries(moments)) {
  for (const way of ['closes', 'resets'] as const) {
    void t.test(`a client ${way} its connection ${moment}`, async (t) => {
      const warnings: Error[] = []
      const warn = (warning: Error): void => void warnings.push(warning)
      process.on('warning', warn)
      const isLarge = moment === 'in the middle of its answer'
      const served = await serve(t, isLarge ? 'x'.repeat(32 * 1024 * 1024) : undefined)
      const { client, closed } = await served.connectBoth()
      const check = await begin(t, client, served)
      leave[way](client)
      await check?.()
      await closed
      await new Promise(setImmediate)
      process.off('warning', warn)
      t.same(warnings, [])
      t.same(served.bugs, [])
    })
  }
}

void t.test('an answered pipeline leaves nothing on its socket', async (t) => {
  const { connectBoth, nextWaiting } = await serve(t)
  const { client, socket } = await connectBoth()
  const before = socket.listenerCount('close')
  client.write(wait.repeat(3))
  for (let at = 0; at < 3; at += 1) (await nextWaiting()).finish('done')
  for (let at = 0; at < 3; at += 1) t.match(await client.next(), { status: 200 })
  await new Promise(setImmediate)
  t.equal(socket.listenerCount('close'), before)
})

/** Sends requests, and resets their connections, while this process does nothing else. */
function resetAtOnce(port: number, count: number): void {
  const code = `
    const { connect } = require('node:net')
    for (let at = 0; at < ${count}; at += 1) {
      const socket = connect(${port}, '127.0.0.1', () => {
        socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => socket.resetAndDestroy())
      })
    }`
  execFileSync(process.execPath, ['-e', code])
}

const starts: { readonly [name: string]: (t: Test, listener: RequestListener) => Promise<number> } =
  {
    async 'a server of ours'(t, listener) {
      const server = await listen(listener, { port: 0, host: '127.0.0.1' })
      t.teardown(() => server.close())
      return server.port
    },
    async 'a server of Node'(t, listener) {
      const server = createServer(listener).listen(0, '127.0.0.1')
      t.teardown(() => server.close())
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
  }

for (const [name, start] of Object.entries(starts)) {
  void t.test(`${name} begins no request of a client that has gone already`, async (t) => {
    const targets: string[] = []
    const listener = toNodeListener(({ target }) => {
      targets.push(target)
      return { status: 200, headers: [], body: '' }
    })
    const port = await start(t, listener)
    resetAtOnce(port, 20)
    t.equal((await fetch(`http://127.0.0.1:${port}/later`)).status, 200)
    t.same(targets, ['/later'])
  })
}
