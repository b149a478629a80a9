import t from 'tap'
import { collectGarbage } from '../../../spec-tests/collect-garbage.js'
import { createPubSub, type Overflow } from '@graphwire/pubsub'
import { drain } from './drain.js'

// oxfmt-ignore
const rows: readonly [overflow: Overflow, maxQueued: number, published: number, read: readonly unknown[], dropped: number][] = [
  ['end',         3, 3, [1, 2, 3],                0],
  ['end',         3, 4, [1, 2, 3, 'EVENTS_LOST'], 0],
  ['end',         3, 9, [1, 2, 3, 'EVENTS_LOST'], 0],
  ['drop-oldest', 3, 3, [1, 2, 3],                0],
  ['drop-oldest', 3, 5, [3, 4, 5],                2],
  ['drop-oldest', 1, 5, [5],                      4],
  ['drop-newest', 3, 5, [1, 2, 3],                2],
  ['latest',      3, 1, [1],                      0],
  ['latest',      3, 5, [5],                      4],
]

for (const [overflow, maxQueued, published, read, dropped] of rows) {
  const title = `${overflow} with room for ${maxQueued}: of ${published} events, [${read.join()}] are read`
  void t.test(title, async (t) => {
    const pubsub = createPubSub({ maxQueued, overflow })
    const channel = pubsub.subscribe('a')
    for (let event = 1; event <= published; event += 1) await pubsub.publish('a', event)
    t.equal(channel.dropped, dropped)
    t.strictSame(drain(channel), read)
    t.equal(channel.dropped, dropped)
  })
}

void t.test('by default 256 events are queued', async (t) => {
  const pubsub = createPubSub()
  const channel = pubsub.subscribe('a')
  for (let event = 0; event < 257; event += 1) await pubsub.publish('a', event)
  t.equal(channel.queued, 256)
  t.equal(drain(channel).at(-1), 'EVENTS_LOST')
})

void t.test('an error says what to do, once', async (t) => {
  const pubsub = createPubSub({ maxQueued: 1 })
  const channel = pubsub.subscribe('a')
  for (const event of [1, 2]) await pubsub.publish('a', event)
  await channel.next()
  await t.rejects(channel.next(), {
    name: 'PubSubError',
    message:
      'The subscriber is too slow: its queue of 1 has no room for another event. Read faster, raise `maxQueued`, or choose another `overflow`.',
  })
  t.strictSame(drain(channel), ['end'])
  t.strictSame(await channel.next(), { done: true, value: undefined })
})

void t.test('a subscription may have a queue of its own', async (t) => {
  const pubsub = createPubSub({ maxQueued: 1 })
  const wide = pubsub.subscribe('a', { maxQueued: 2 })
  const latest = pubsub.subscribe('a', { overflow: 'latest' })
  const plain = pubsub.subscribe('a')
  for (const event of [1, 2]) await pubsub.publish('a', event)
  t.strictSame([wide, latest, plain].map(drain), [[1, 2], [2], [1, 'EVENTS_LOST']])
})

void t.test('events that are read make room for others, however often', async (t) => {
  const pubsub = createPubSub({ maxQueued: 50 })
  const channel = pubsub.subscribe('a')
  const read: unknown[] = []
  for (let event = 0; event < 5_000; event += 1) {
    await pubsub.publish('a', event)
    if (event % 7 > 2)
      read.push(...[channel.poll(), channel.poll()].flatMap((one) => one?.value ?? []))
  }
  t.strictSame([...read, ...drain(channel)], [...Array(5_000).keys()])
})

void t.test('a subscriber that never reads holds no more than its queue', async (t) => {
  for (const overflow of ['drop-oldest', 'drop-newest', 'latest', 'end'] as const) {
    const pubsub = createPubSub({ overflow })
    const channel = pubsub.subscribe('a')
    const collected: WeakRef<object>[] = []
    for (let at = 0; at < 5_000; at += 1) {
      const event = { at }
      collected.push(new WeakRef(event))
      await pubsub.publish('a', event)
    }
    await collectGarbage()
    const alive = collected.filter((event) => event.deref() !== undefined).length
    t.ok(alive <= 257, `${overflow}: ${alive} of 5000 events are alive, ${channel.queued} queued`)
  }
})
