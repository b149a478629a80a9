import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import { createPubSub } from '@graphwire/pubsub'
import type { Channel, PubSub, PubSubOptions, Transport } from '@graphwire/pubsub'
import { relayTo, type Relay } from './relay.js'

export interface Service {
  readonly name: string
  readonly port: number
  /** Makes a transport over clients of its own at a port. Their end is a teardown of the test. */
  connect(t: Test, port: number): Promise<Transport>
  /** Whether a client can be made while the service is away. */
  readonly connectsLater: boolean
  /** Whether all subscribers see the events of different publishers in one order. */
  readonly hasOneOrder: boolean
}

interface Setting {
  readonly relay: Relay
  /** Starts an instance; all of a test are apart from those of other tests. */
  instance(options?: PubSubOptions): Promise<PubSub>
}

/** What every transport does, on the real service. */
export function testTransport(t: Test, service: Service): void {
  const run = (title: string, body: (t: Test, setting: Setting) => Promise<void>): void => {
    void t.test(`${service.name}: ${title}`, async (t) => {
      const relay = await relayTo(t, service.name, service.port)
      if (relay === undefined) return
      const prefix = `test-${randomBytes(6).toString('hex')}:`
      await body(t, {
        relay,
        async instance(options = {}) {
          const transport = await service.connect(t, relay.port)
          const pubsub = createPubSub({ transport, prefix, ...options })
          t.teardown(() => pubsub.close())
          return pubsub
        },
      })
    })
  }
  testEvents(run, service)
  testOutages(run, service)
}

type Run = (title: string, body: (t: Test, setting: Setting) => Promise<void>) => void

function testEvents(run: Run, { hasOneOrder }: Service): void {
  run('two instances see the events of both in order', async (t, { instance }) => {
    const [one, two] = [await instance(), await instance()]
    const channels = await openedAll([one.subscribe('x'), one.subscribe('x'), two.subscribe('x')])
    const send = async (pubsub: PubSub, from: string): Promise<void> => {
      const sent = [...Array(50).keys()].map((at) => pubsub.publish('x', { from, at }))
      await Promise.all(sent)
    }
    await Promise.all([send(one, 'one'), send(two, 'two')])
    const [first = [], second = [], third = []] = await Promise.all(
      channels.map((channel) => take(channel, 100)),
    )
    t.ok(
      first.every((event, at) => event === second[at]),
      'the subscribers of an instance share the events',
    )
    for (const events of [first, third] as { from: string; at: number }[][]) {
      for (const from of ['one', 'two']) {
        t.strictSame(
          events.filter((event) => event.from === from).map(({ at }) => at),
          [...Array(50).keys()],
        )
      }
    }
    if (hasOneOrder) t.strictSame(first, third)
  })

  run('topics may have any name', async (t, { instance }) => {
    const [one, two] = [await instance(), await instance()]
    // oxfmt-ignore
    const topics = ['m.*', 'm.>', 'm.1', 'm', '*', '>', 'a b', ' ', 'a%20b', '"q"', "it's", '.', '..', 'a..b', 'é', '😀', '$1', 'x'.repeat(400), `${'x'.repeat(399)}y`]
    const channels = await openedAll(topics.map((topic) => two.subscribe(topic)))
    for (const topic of topics) await one.publish(topic, `to ${topic}`)
    for (const topic of topics) await one.publish(topic, 'last')
    for (const [at, topic] of topics.entries()) {
      t.strictSame(await take(channels[at], 2), [`to ${topic}`, 'last'], topic.slice(0, 20))
    }
  })

  run('a topic can be left and joined again', async (t, { instance }) => {
    const pubsub = await instance()
    const kept = pubsub.subscribe('kept')
    for (let round = 0; round < 3; round += 1) {
      const channel = pubsub.subscribe('x')
      await openedAll([channel, kept])
      await pubsub.publish('x', round)
      t.strictSame(await take(channel, 1), [round])
      void channel.return()
      void pubsub.subscribe('x').return()
    }
    await pubsub.publish('kept', 1)
    t.strictSame(await take(kept, 1), [1])
  })
}

function testOutages(run: Run, { connectsLater }: Service): void {
  run('a lost connection ends subscriptions; later all works again', async (t, setting) => {
    const pubsub = await setting.instance()
    const channels = await openedAll([pubsub.subscribe('x'), pubsub.subscribe('y')])
    await pubsub.publish('x', 1)
    t.strictSame(await take(channels[0], 1), [1])
    await setting.relay.cut()
    for (const channel of channels) {
      await t.rejects(channel.next(), { code: 'EVENTS_LOST', cause: Error })
    }
    await t.rejects(publishUntilRefused(pubsub), { code: 'TRANSPORT_AWAY' })
    await t.rejects(pubsub.subscribe('x').next(), { code: 'EVENTS_LOST' })
    await setting.relay.mend()
    const again = await subscribeAgain(pubsub, 'x')
    await publishAgain(pubsub, 'x', 3)
    t.strictSame(await take(again, 1), [3])
  })

  run('with onGap: ignore, subscriptions outlive an outage', async (t, setting) => {
    const pubsub = await setting.instance({ onGap: 'ignore' })
    const [channel] = await openedAll([pubsub.subscribe('x')])
    await setting.relay.cut()
    await t.rejects(publishUntilRefused(pubsub), { code: 'TRANSPORT_AWAY' })
    const during = pubsub.subscribe('y')
    await setting.relay.mend()
    await during.opened
    for (const one of [channel, during]) {
      const topic = one === channel ? 'x' : 'y'
      await publishAgain(pubsub, topic, 1)
      for (const event of [2, 3, 4]) await pubsub.publish(topic, event)
      const events = [...(await take(one, 2)), ...(await takeUntil(one, 4))]
      // The first one may have been sent by more than one attempt.
      t.strictSame(
        events.filter((event) => event !== 1),
        [2, 3, 4],
      )
    }
  })

  run('close ends what the transport opened', async (t, setting) => {
    const pubsub = await setting.instance()
    const [channel] = await openedAll([pubsub.subscribe('x')])
    const before = setting.relay.connections()
    pubsub.close()
    t.strictSame(await channel?.next(), { done: true, value: undefined })
    t.ok(setting.relay.connections() <= before)
    await t.rejects(pubsub.publish('x', 1), { code: 'CLOSED' })
  })

  if (!connectsLater) return
  run('the service may come later than the first subscriber', async (t, setting) => {
    await setting.relay.cut()
    const pubsub = await setting.instance()
    const channel = pubsub.subscribe('x')
    await t.rejects(channel.next(), { code: 'EVENTS_LOST' })
    await t.rejects(publishUntilRefused(pubsub), { code: 'TRANSPORT_AWAY' })
    await setting.relay.mend()
    const again = await subscribeAgain(pubsub, 'x')
    await publishAgain(pubsub, 'x', 1)
    t.strictSame(await take(again, 1), [1])
  })
}

/** A client that the embedder has made, which outlives the transport. */
interface OwnClient {
  ping(): Promise<string>
  listenerCount(event: 'error'): number
}

export function testOwnership<Client extends OwnClient>(
  t: Test,
  port: number,
  connect: (t: Test, port: number) => Promise<Client>,
  toTransport: (client: Client) => Transport,
): void {
  void t.test('the client of the embedder stays open, its duplicate does not', async (t) => {
    const relay = await relayTo(t, 'Redis', port)
    if (relay === undefined) return
    const client = await connect(t, relay.port)
    const listeners = client.listenerCount('error')
    const pubsub = createPubSub({ transport: toTransport(client) })
    await pubsub.subscribe('x').opened
    t.equal(relay.connections(), 2)
    pubsub.close()
    t.equal(await client.ping(), 'PONG')
    while (relay.connections() > 1) await setImmediate()
    t.equal(client.listenerCount('error'), listeners)
  })
}

async function openedAll(channels: readonly Channel<unknown>[]): Promise<typeof channels> {
  for (const channel of channels) await channel.opened
  return channels
}

async function take(channel: Channel<unknown> | undefined, count: number): Promise<unknown[]> {
  const events: unknown[] = []
  while (events.length < count) {
    const result = await channel?.next()
    if (result === undefined || result.done === true) return [...events, 'end']
    events.push(result.value)
  }
  return events
}

async function takeUntil(channel: Channel<unknown> | undefined, last: unknown): Promise<unknown[]> {
  const events: unknown[] = []
  while (events.at(-1) !== last) events.push(...(await take(channel, 1)))
  return events
}

/** Subscribes until it is not refused any more. */
async function subscribeAgain(pubsub: PubSub, topic: string): Promise<Channel<unknown>> {
  for (;;) {
    const channel = pubsub.subscribe(topic)
    await channel.opened
    try {
      if (channel.poll() === undefined) return channel
    } catch {
      await setImmediate()
    }
  }
}

async function publishAgain(pubsub: PubSub, topic: string, event: unknown): Promise<void> {
  for (;;) {
    try {
      return await pubsub.publish(topic, event)
    } catch {
      await setImmediate()
    }
  }
}

/** A cut is noticed when the event loop comes to it. */
async function publishUntilRefused(pubsub: PubSub): Promise<never> {
  for (;;) {
    await pubsub.publish('unheard', 0)
    await setImmediate()
  }
}
