import { createClient } from '@redis/client'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createPubSub, redisTransport } from '@graphwire/pubsub'
import { relayTo } from './relay.js'
import { testOwnership, testTransport } from './shared-suite.js'

const service = { port: 6379, connectsLater: true, hasOneOrder: true }

function makeClient(port: number, RESP: 2 | 3) {
  const client = createClient({ RESP, socket: { host: '127.0.0.1', port, reconnectStrategy: 10 } })
  client.on('error', () => {})
  return client
}

async function connectOne(t: Test, port: number) {
  const client = makeClient(port, 3)
  await client.connect()
  t.teardown(() => client.destroy())
  return client
}

for (const version of [2, 3] as const) {
  testTransport(t, {
    ...service,
    name: `Redis by node-redis, RESP${version}`,
    async connect(t, port) {
      const client = makeClient(port, version)
      void client.connect().catch(() => {})
      t.teardown(() => client.destroy())
      return redisTransport(client)
    },
  })
}

testTransport(t, {
  ...service,
  name: 'Redis by two clients of node-redis',
  async connect(t, port) {
    const [client, subscriber] = [makeClient(port, 3), makeClient(port, 3)]
    for (const one of [client, subscriber]) {
      void one.connect().catch(() => {})
      t.teardown(() => one.destroy())
    }
    return redisTransport(client, subscriber)
  },
})

void t.test('a topic without subscribers is not subscribed to any more', async (t) => {
  const relay = await relayTo(t, 'Redis', service.port)
  if (relay === undefined) return
  const client = await connectOne(t, relay.port)
  const topic = `test-left-${process.pid}`
  const subscribers = async () => (await client.pubSubNumSub(topic))[topic]
  const pubsub = createPubSub({ transport: redisTransport(client), onGap: 'ignore' })
  t.teardown(() => pubsub.close())
  const channels = [pubsub.subscribe(topic), pubsub.subscribe(topic)]
  await channels[1]?.opened
  t.equal(await subscribers(), 1)
  for (const channel of channels) await channel.return()
  // Another topic is confirmed after what came before it.
  await pubsub.subscribe(`${topic}-b`).opened
  t.equal(await subscribers(), 0)
})

void t.test('a topic that was left before Redis answered can be subscribed to again', async (t) => {
  const relay = await relayTo(t, 'Redis', service.port, 5)
  if (relay === undefined) return
  const client = await connectOne(t, relay.port)
  const pubsub = createPubSub({ transport: redisTransport(client) })
  t.teardown(() => pubsub.close())
  const topic = `test-again-${process.pid}`
  // One of them comes back between the answers to SUBSCRIBE and to UNSUBSCRIBE.
  for (let stay = 0; stay < 10; stay += 2) {
    for (let away = 0; away < 10; away += 2) {
      const first = pubsub.subscribe(topic)
      await pause(stay)
      await first.return()
      await pause(away)
      const again = pubsub.subscribe(topic)
      await again.opened
      await pubsub.publish(topic, stay)
      t.equal((await again.next()).value, stay)
      await again.return()
    }
  }
})

testOwnership(t, service.port, connectOne, redisTransport)
