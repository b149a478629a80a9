import { Redis } from 'ioredis'
import t from 'tap'
import { createPubSub, ioredisTransport } from '../../../../src/pubsub/index.js'
import { relayTo } from './relay.js'
import { testTransport } from './shared-suite.js'

const service = { port: 6379, connectsLater: true, hasOneOrder: true }

function makeClient(port: number, options: object = {}): Redis {
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 10, ...options })
  client.on('error', () => {})
  return client
}

testTransport(t, {
  ...service,
  name: 'Redis by ioredis',
  async connect(t, port) {
    const client = makeClient(port)
    t.teardown(() => client.disconnect())
    return ioredisTransport(client)
  },
})

testTransport(t, {
  ...service,
  name: 'Redis by two clients of ioredis that connect lazily, with a key prefix',
  async connect(t, port) {
    const options = { lazyConnect: true, keyPrefix: 'k:' }
    const [client, subscriber] = [makeClient(port, options), makeClient(port, options)]
    for (const one of [client, subscriber]) t.teardown(() => one.disconnect())
    return ioredisTransport(client, subscriber)
  },
})

void t.test('the client of the embedder stays open, its duplicate does not', async (t) => {
  const relay = await relayTo(t, 'Redis', service.port)
  if (relay === undefined) return
  const client = makeClient(relay.port)
  t.teardown(() => client.disconnect())
  await client.ping()
  const listeners = client.listenerCount('error')
  const pubsub = createPubSub({ transport: ioredisTransport(client) })
  await pubsub.subscribe('x').opened
  t.equal(relay.connections(), 2)
  pubsub.close()
  t.equal(await client.ping(), 'PONG')
  while (relay.connections() > 1) await new Promise((resolve) => setImmediate(resolve))
  t.equal(client.listenerCount('error'), listeners)
})
