import t from 'tap'
import { createPubSub, type Channel } from '@graphwire/pubsub'
import { drain } from './drain.js'

/** Reads until a number of events has come. */
async function read(channel: Channel<unknown>, count: number): Promise<unknown[]> {
  const events: unknown[] = []
  while (events.length < count) {
    const { done, value } = await channel.next()
    if (done === true) return [...events, 'end']
    events.push(value)
  }
  return events
}

// oxfmt-ignore
const sources: readonly [title: string, after: () => Iterable<unknown> | AsyncIterable<unknown> | Promise<Iterable<unknown>>][] = [
  ['a list',               () => [1, 2]],
  ['a promise of a list',  async () => [1, 2]],
  ['a generator',          function* () { yield* [1, 2] }],
  ['an async generator',   async function* () { yield* [1, 2] }],
]

for (const [title, after] of sources) {
  void t.test(`the events of ${title} come first`, async (t) => {
    const pubsub = createPubSub()
    const channel = pubsub.subscribe('a', { after })
    await pubsub.publish('a', 3)
    t.strictSame(await read(channel, 3), [1, 2, 3])
    await pubsub.publish('a', 4)
    t.strictSame(drain(channel), [4])
  })
}

void t.test('a reader that polls is woken for each of them', async (t) => {
  const pubsub = createPubSub()
  const channel = pubsub.subscribe('a', { after: () => [1, 2] })
  const events: unknown[] = []
  const all = new Promise<void>((resolve) => {
    channel.onReady(() => {
      events.push(...drain(channel))
      if (events.length === 3) resolve()
    })
  })
  void pubsub.publish('a', 3)
  t.strictSame(events, [], 'an event that must wait does not wake the reader')
  events.push(...drain(channel))
  await all
  t.strictSame(events, [1, 2, 3])
})

void t.test('they are read one at a time', async (t) => {
  let given = 0
  const pubsub = createPubSub()
  const channel = pubsub.subscribe('a', {
    *after() {
      for (;;) yield (given += 1)
    },
  })
  t.strictSame(await read(channel, 3), [1, 2, 3])
  t.ok(given <= 4, `${given} were read`)
  await channel.return()
  t.strictSame(drain(channel), ['end'])
})

void t.test('what is published meanwhile is bounded', async (t) => {
  const pubsub = createPubSub({ maxQueued: 2 })
  const channel = pubsub.subscribe('a', { after: () => [0] })
  for (const event of [1, 2, 3]) await pubsub.publish('a', event)
  t.strictSame(await read(channel, 3), [0, 1, 2])
  await t.rejects(channel.next(), { code: 'EVENTS_LOST' })
})

void t.test('if they cannot be read, the channel ends with the error', async (t) => {
  const pubsub = createPubSub()
  const channel = pubsub.subscribe('a', {
    async after() {
      await pubsub.publish('a', 1)
      throw new Error('no database')
    },
  })
  await t.rejects(channel.next(), { message: 'no database' })
  t.strictSame(drain(channel), ['end'])
})

void t.test('return() does not wait for them', async (t) => {
  const pubsub = createPubSub()
  let isOver = false
  let release = (): void => {}
  const blocked = new Promise<void>((resolve) => (release = resolve))
  const channel = pubsub.subscribe('a', {
    async *after() {
      try {
        yield 1
        await blocked
        yield 2
      } finally {
        isOver = true
      }
    },
  })
  t.strictSame(await read(channel, 1), [1])
  const waiting = channel.next()
  let calls = 0
  channel.onReady(() => (calls += 1))
  t.strictSame(await channel.return(), { done: true, value: undefined })
  t.strictSame(await waiting, { done: true, value: undefined })
  t.strictSame(drain(channel), ['end'])
  t.equal(isOver, false)
  calls = 0
  release()
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(isOver, true, 'the source ends when it can')
  t.equal(calls, 0, 'and no listener is called')
})

void t.test('a source that fails after return() is of no concern', async (t) => {
  const pubsub = createPubSub()
  let fail = (): void => {}
  const blocked = new Promise<never>((_, reject) => (fail = () => reject(new Error('late'))))
  const channel = pubsub.subscribe('a', { after: () => blocked })
  const waiting = channel.next()
  await new Promise((resolve) => setImmediate(resolve))
  await channel.return()
  fail()
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(await waiting, { done: true, value: undefined })
  t.strictSame(drain(channel), ['end'])
})

for (const signal of [undefined, AbortSignal.abort()]) {
  void t.test(`nothing is read for who ${signal ? 'never came' : 'left at once'}`, async (t) => {
    let calls = 0
    const after = () => [(calls += 1)]
    await createPubSub().subscribe('a', { signal, after }).return()
    await new Promise((resolve) => setImmediate(resolve))
    t.equal(calls, 0)
  })
}
