import { EventEmitter } from 'node:events'
import t from 'tap'
import { createPubSub, redisTransport } from '@graphwire/pubsub'

class FakeClient extends EventEmitter {
  isReady = true
  subscriber: FakeClient | undefined
  async connect(): Promise<void> {}
  async subscribe(): Promise<void> {}
  async unsubscribe(): Promise<void> {}
  readonly answers: (() => void)[] = []
  publish(): Promise<void> {
    return new Promise((resolve) => this.answers.push(resolve))
  }
  destroy(): void {}
  duplicate(): FakeClient {
    return (this.subscriber = new FakeClient())
  }
}

void t.test(
  'a client of a sentinel, which only says that it reconnects, has lost events',
  async (t) => {
    const client = new FakeClient()
    const lost: unknown[] = []
    const pubsub = createPubSub({
      transport: redisTransport(client as never),
      onLost: (cause) => lost.push(cause),
    })
    t.teardown(() => pubsub.close())
    const channel = pubsub.subscribe('a')
    await channel.opened
    client.subscriber?.emit('reconnecting')
    await t.rejects(channel.next(), { code: 'EVENTS_LOST' })
    t.equal(lost.length, 1)
  },
)

void t.test(
  'many commands may take long together, but the service must not be silent',
  async (t) => {
    let timeUp = (): void => {}
    t.intercept(globalThis, 'setTimeout', {
      value: (callback: () => void) => ((timeUp = callback), { unref: () => {} }),
    })
    const client = new FakeClient()
    const pubsub = createPubSub({ transport: redisTransport(client as never) })
    t.teardown(() => pubsub.close())
    const [first, second, third] = [
      pubsub.publish('a', 1),
      pubsub.publish('a', 2),
      pubsub.publish('a', 3),
    ]
    client.answers[0]?.()
    await first
    timeUp()
    client.answers[1]?.()
    await second
    timeUp()
    const away = {
      code: 'TRANSPORT_AWAY',
      cause: { message: 'There was no answer within 5000 ms.' },
    }
    const rejected = t.rejects(third, away)
    timeUp()
    await rejected
    await t.rejects(pubsub.publish('a', 4), away)
    t.equal(client.answers.length, 3, 'what it would have to keep is not sent')
    client.answers[2]?.()
    await new Promise((resolve) => setImmediate(resolve))
    const last = pubsub.publish('a', 5)
    client.answers[3]?.()
    await last
  },
)
