import { connect, type NatsConnection } from '@nats-io/transport-node'
import t from 'tap'
import { createPubSub, natsTransport } from '@graphwire/pubsub'
import { relayTo } from './relay.js'
import { testTransport } from './shared-suite.js'

const servicePort = 4222

function connectTo(port: number): Promise<NatsConnection> {
  return connect({ servers: `127.0.0.1:${port}`, reconnectTimeWait: 10, maxReconnectAttempts: -1 })
}

testTransport(t, {
  name: 'NATS',
  port: servicePort,
  connectsLater: false,
  hasOneOrder: false,
  async connect(t, port) {
    const connection = await connectTo(port)
    t.teardown(() => connection.close())
    return natsTransport(connection)
  },
})

void t.test('an event larger than the server accepts is a clear error', async (t) => {
  const relay = await relayTo(t, 'NATS', servicePort)
  if (relay === undefined) return
  const connection = await connectTo(relay.port)
  t.teardown(() => connection.close())
  const most = connection.info?.max_payload ?? 0
  const pubsub = createPubSub({ transport: natsTransport(connection) })
  const channel = pubsub.subscribe('test.large')
  await channel.opened
  const exact = 'x'.repeat(most - 2)
  await pubsub.publish('test.large', exact)
  t.equal((await channel.next()).value, exact)
  await t.rejects(pubsub.publish('test.large', `${exact}x`), {
    code: 'EVENT_TOO_LARGE',
    message: `The event for "test.large" has ${most + 1} bytes; the NATS server accepts ${most}. Publish an id, and read the rest in the resolver.`,
  })
  await pubsub.publish('test.large', 1)
  t.equal((await channel.next()).value, 1, 'the connection is unharmed')
})

void t.test('a connection that is closed for good ends subscriptions', async (t) => {
  const relay = await relayTo(t, 'NATS', servicePort)
  if (relay === undefined) return
  const connection = await connectTo(relay.port)
  const pubsub = createPubSub({ transport: natsTransport(connection) })
  const channel = pubsub.subscribe('x')
  await channel.opened
  await connection.close()
  await t.rejects(channel.next(), { code: 'EVENTS_LOST' })
  const late = createPubSub({ transport: natsTransport(connection) })
  await t.rejects(late.publish('x', 1), { code: 'TRANSPORT_AWAY' })
})

void t.test('a subscription that the server refuses, at once or later', async (t) => {
  type Callback = (error: Error | null, message: { string(): string }) => void
  const callbacks = new Map<string, Callback>()
  const connection = {
    publish: () => {},
    subscribe(subject: string, { callback }: { callback: Callback }) {
      callbacks.set(subject, callback)
      if (subject === 'forbidden') refuse(subject)
      return { unsubscribe: () => {} }
    },
    flush: async () => {},
    status: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
    }),
    isClosed: () => false,
  }
  const refuse = (subject: string): void =>
    callbacks.get(subject)?.(new Error('Permissions Violation'), { string: () => '' })
  const pubsub = createPubSub({ transport: natsTransport(connection) })
  await t.rejects(pubsub.subscribe('forbidden').next(), {
    code: 'SUBSCRIPTION_REFUSED',
    cause: { message: 'Permissions Violation' },
  })
  const channel = pubsub.subscribe('x')
  await channel.opened
  refuse('x')
  await t.rejects(channel.next(), { code: 'EVENTS_LOST' })
  await pubsub.publish('x', 1)
})
