import { once } from 'node:events'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createPubSub, ioredisTransport } from '@graphwire/pubsub'
import { relayTo } from './relay.js'
import { testOwnership, testTransport } from './shared-suite.js'

const service = { port: 6379, connectsLater: true, hasOneOrder: true }

function makeClient(port: number, options: object = {}): Redis {
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 10, ...options })
  client.on('error', () => {})
  return client
}

async function connectOne(t: Test, port: number): Promise<Redis> {
  const client = makeClient(port)
  t.teardown(() => client.disconnect())
  await client.ping()
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

testOwnership(t, service.port, connectOne, ioredisTransport)

void t.test('a connection that is lost while ioredis subscribes again', async (t) => {
  const relay = await relayTo(t, 'Redis', service.port)
  if (relay === undefined) return
  const client = makeClient(relay.port, { commandTimeout: 500, maxRetriesPerRequest: 0 })
  t.teardown(() => client.disconnect())
  const duplicate = client.duplicate.bind(client)
  const made: Redis[] = []
  client.duplicate = (options) => {
    made.push(duplicate(options))
    return made[0]!
  }
  const transport = ioredisTransport(client)
  const pubsub = createPubSub<{ lost: number }>({ transport, onGap: 'ignore' })
  t.teardown(() => pubsub.close())
  const events = pubsub.subscribe('lost')
  let count = 0
  const timer = setInterval(() => void pubsub.publish('lost', count++).catch(() => {}), 10)
  t.teardown(() => clearInterval(timer))
  await events.next()
  const [subscriber] = made as [Redis]
  for (const _ of ['outage', 'while it subscribes']) {
    subscriber.stream.destroy()
    await once(subscriber, 'ready')
  }
  const back = count
  for await (const event of events) if (event >= back) break
  t.pass('it is used again, and the process goes on')
})
