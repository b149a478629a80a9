import { PassThrough } from 'node:stream'
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

/** A connection without a server. `forbidden` is refused before the first confirmation, others by `refuse`. */
function fakeConnection() {
  type Callback = (error: Error | null, message: { string(): string }) => void
  const callbacks = new Map<string, Callback>()
  const statuses = new PassThrough({ objectMode: true })
  const refuse = (subject: string): void =>
    callbacks.get(subject)?.(new Error('Permissions Violation'), { string: () => '' })
  const connection = {
    publish: () => {},
    subscribe(subject: string, { callback }: { callback: Callback }) {
      callbacks.set(subject, callback)
      if (subject === 'refused') refuse(subject)
      return { unsubscribe: () => {} }
    },
    flush: async () => refuse('forbidden'),
    status: () => statuses,
    isClosed: () => false,
  }
  return { connection, statuses, refuse }
}

void t.test('a subscription that the server refuses, at once or later', async (t) => {
  const { connection, refuse } = fakeConnection()
  const pubsub = createPubSub({ transport: natsTransport(connection) })
  await t.rejects(pubsub.subscribe('refused').next(), {
    cause: { message: 'Permissions Violation' },
  })
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

void t.test(
  'a subscription whose first confirmation was lost is watched like others',
  async (t) => {
    const { connection, statuses, refuse } = fakeConnection()
    const { flush } = connection
    const cuts: (() => void)[] = []
    connection.flush = () => new Promise((_, reject) => cuts.push(() => reject(new Error('cut'))))
    const causes: unknown[] = []
    const transport = natsTransport(connection)
    const pubsub = createPubSub({
      transport,
      onGap: 'ignore',
      onLost: (cause) => causes.push(cause),
    })
    const channel = pubsub.subscribe('x')
    const refused = pubsub.subscribe('forbidden')
    statuses.write({ type: 'disconnect' })
    await t.rejects(pubsub.publish('y', 1), { code: 'TRANSPORT_AWAY' })
    for (const cut of cuts) cut()
    connection.flush = flush
    statuses.write({ type: 'reconnect' })
    await Promise.all([channel.opened, refused.opened])
    await t.rejects(refused.next(), { code: 'SUBSCRIPTION_REFUSED' })
    refuse('x')
    t.match(causes, [{ message: 'The connection was lost.' }, { message: 'Permissions Violation' }])
  },
)
