import { once } from 'node:events'
import { buildSchema } from 'graphql'
import t from 'tap'
import { serve, type ServeOptions } from '../../../../../src/hosts/node/index.js'
import { http1Client } from '../../../../hosts/http1-client.js'
import { postBytes, rawClient } from '../../raw-client.js'

let running = (_release: (value: string) => void): void => {}
const options: ServeOptions = {
  schema: buildSchema('type Query { hi: String  wait: String }'),
  rootValue: { hi: 'hi', wait: () => new Promise<string>((release) => running(release)) },
  host: '127.0.0.1',
  port: 0,
}

void t.test('it listens where it says, at the one path', async (t) => {
  const served = await serve(options)
  t.teardown(() => served.close())
  t.equal(served.url, `http://127.0.0.1:${served.port}/graphql`)
  t.equal(await statusAt(served.url), 200)
  t.equal(await statusAt(`${served.url}/more`), 404)
})

void t.test('a port that is taken is said at once', async (t) => {
  const served = await serve(options)
  t.teardown(() => served.close())
  await t.rejects(serve({ ...options, port: served.port }), { code: 'EADDRINUSE' })
})

void t.test('closing waits for the answer under way, and for nothing after it', async (t) => {
  const served = await serve(options)
  const [idle, busy] = [await rawClient(served.port), await rawClient(served.port)]
  idle.write(postBytes('{"query":"{ hi }"}'))
  await idle.next()
  const runs = new Promise<(value: string) => void>((resolve) => (running = resolve))
  busy.write(postBytes('{"query":"{ wait }"}'))
  const release = await runs
  const closing = served.close({ grace: 100 })
  await idle.ended()
  // The idle connection has gone, and the busy one has not.
  release('late')
  t.match(await busy.next(), { status: 200 })
  // Node itself would keep this one for more than five seconds, in case of another request.
  const first = await Promise.race([closing.then(() => 'closed'), afterSeconds(4)])
  t.equal(first, 'closed')
  t.match(await closing, { finished: 1, cut: 0 })
})

void t.test('probes and limits are there', async (t) => {
  const served = await serve({ ...options, maxHeaderBytes: 500, readyPath: '/ready' })
  t.teardown(() => served.close())
  const origin = served.url.replace('/graphql', '')
  t.equal(await statusAt(`${origin}/livez`), 200)
  t.equal(await statusAt(`${origin}/ready`), 200)
  t.equal(await statusAt(`${origin}/readyz`), 404)
  const client = await rawClient(served.port)
  client.write(postBytes('{"query":"{ hi }"}', `X: ${'x'.repeat(500)}\r\n`))
  t.match(await client.next(), { status: 431 })
})

void t.test('closing twice is closing', async (t) => {
  const served = await serve(options)
  await Promise.all([served.close(), served.close()])
  const client = rawClient(served.port)
  await t.rejects(client, { code: 'ECONNREFUSED' })
})

async function statusAt(url: string): Promise<number> {
  return (await http1Client(url)({ query: '?query={hi}' })).status
}

async function afterSeconds(seconds: number): Promise<string> {
  const signal = AbortSignal.timeout(seconds * 1000)
  await once(signal, 'abort')
  return 'too late'
}
