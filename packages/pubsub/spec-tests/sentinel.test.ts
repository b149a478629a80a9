import { EventEmitter } from 'node:events'
import t from 'tap'
import { createPubSub, redisTransport } from '@graphwire/pubsub'

class FakeClient extends EventEmitter {
  isReady = true
  subscriber: FakeClient | undefined
  async connect(): Promise<void> {}
  async subscribe(): Promise<void> {}
  async unsubscribe(): Promise<void> {}
  async publish(): Promise<void> {}
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
