import { AsyncLocalStorage } from 'node:async_hooks'
import t from 'tap'
import { resumable } from 'graphwire'
import { createPubSub, type PubSubOptions } from '@graphwire/pubsub'
import { drain } from './drain.js'

const ended = { done: true, value: undefined }

function open(options: PubSubOptions = {}) {
  const pubsub = createPubSub(options)
  return { pubsub, channel: pubsub.subscribe('a') }
}

void t.test('for await reads the events in order', async (t) => {
  const { pubsub, channel } = open()
  for (const event of [1, 2, 3]) await pubsub.publish('a', event)
  const read: unknown[] = []
  for await (const event of channel) {
    read.push(event)
    if (read.length === 3) void pubsub.publish('a', 4)
    if (read.length === 4) break
  }
  t.strictSame(read, [1, 2, 3, 4])
  t.strictSame(drain(channel), ['end'], 'the loop has ended the channel')
})

void t.test('reads that wait get the events in their order', async (t) => {
  const { pubsub, channel } = open()
  const reads = [channel.next(), channel.next(), channel.next()]
  for (const event of [1, 2]) await pubsub.publish('a', event)
  await channel.return()
  t.strictSame(await Promise.all(reads), [
    { done: false, value: 1 },
    { done: false, value: 2 },
    ended,
  ])
})

void t.test('no more reads wait than events are queued', async (t) => {
  const { channel } = open({ maxQueued: 2 })
  const reads = [channel.next(), channel.next()]
  await t.rejects(channel.next(), { message: '2 reads of this channel are already waiting.' })
  await channel.return()
  t.strictSame(await Promise.all(reads), [ended, ended])
})

void t.test('return() is immediate', async (t) => {
  const { pubsub, channel } = open()
  const other = pubsub.subscribe('a')
  const read = channel.next()
  await pubsub.publish('a', 1)
  await pubsub.publish('a', 2)
  const returned = channel.return()
  t.equal(channel.queued, 0, 'the queue is dropped in the same tick')
  t.strictSame(channel.poll(), ended)
  await pubsub.publish('a', 3)
  t.strictSame(channel.poll(), ended, 'nothing follows')
  t.strictSame(await returned, ended)
  t.strictSame(await read, { done: false, value: 1 })
  t.strictSame(await channel.return(), ended, 'it may be called again')
  t.strictSame(drain(other), [1, 2, 3], 'others go on')
})

void t.test('a filter may end its own channel', async (t) => {
  const pubsub = createPubSub()
  const filter = (): boolean => {
    void channel.return()
    return true
  }
  const channel = pubsub.subscribe('a', { filter })
  await pubsub.publish('a', 1)
  t.strictSame(channel.poll(), ended)
})

void t.test('a reader polls without promises and is woken', async (t) => {
  const { pubsub, channel } = open()
  let woken = 0
  channel.onReady(() => (woken += 1))
  t.equal(channel.poll(), undefined)
  void pubsub.publish('a', 1)
  t.equal(woken, 1, 'within publish')
  void pubsub.publish('a', 2)
  t.equal(woken, 1, 'once until it has polled all')
  t.strictSame(channel.poll(), { done: false, value: 1 })
  void pubsub.publish('a', 3)
  t.equal(woken, 1)
  t.strictSame(drain(channel), [2, 3])
  void pubsub.publish('a', 4)
  t.equal(woken, 2)
  t.strictSame(drain(channel), [4])
  pubsub.close()
  t.equal(woken, 3, 'also for the end')
  t.strictSame(drain(channel), ['end'])
  await t.rejects(pubsub.publish('a', 1), { code: 'CLOSED' })
  t.throws(() => pubsub.subscribe('a'), { code: 'CLOSED' })
})

void t.test('a listener that comes late polls what is there', async (t) => {
  const { pubsub, channel } = open()
  await pubsub.publish('a', 1)
  let woken = 0
  channel.onReady(() => (woken += 1))
  t.strictSame(drain(channel), [1])
  await pubsub.publish('a', 2)
  t.equal(woken, 1)
})

void t.test('a reader that publishes leaves the order the same for all', async (t) => {
  const pubsub = createPubSub()
  const [first, second] = [pubsub.subscribe('a'), pubsub.subscribe('a')]
  const read: unknown[][] = [[], []]
  for (const [at, channel] of [first, second].entries()) {
    const listen = (): void => {
      for (const event of drain(channel)) {
        read[at]?.push(event)
        if (at === 0 && event === 'question') void pubsub.publish('a', 'answer')
      }
    }
    channel.onReady(listen)
    listen()
  }
  await pubsub.publish('a', 'question')
  t.strictSame(read, [
    ['question', 'answer'],
    ['question', 'answer'],
  ])
})

void t.test('a reader that publishes while it polls is not called within itself', async (t) => {
  const { pubsub, channel } = open()
  await pubsub.publish('a', 1)
  let depth = 0
  const read: unknown[] = []
  const listen = (): void => {
    depth += 1
    t.equal(depth, 1)
    for (let result = channel.poll(); result?.done === false; result = channel.poll()) {
      read.push(result.value)
      if (read.length < 3) void pubsub.publish('a', read.length + 1)
    }
    depth -= 1
  }
  channel.onReady(listen)
  listen()
  t.strictSame(read, [1, 2, 3])
})

void t.test('subscribers share a frozen copy of the event', async (t) => {
  const pubsub = createPubSub()
  const channels = [pubsub.subscribe('a'), pubsub.subscribe('a')]
  const published = { note: { text: 'old' }, tags: ['a'] }
  await pubsub.publish('a', published)
  published.note.text = 'new'
  const [one, other] = channels.map((channel) => channel.poll()?.value as typeof published)
  t.equal(one, other)
  t.strictSame(one, { note: { text: 'old' }, tags: ['a'] })
  t.throws(() => (one!.note.text = 'for an admin'), TypeError)
  t.throws(() => one!.tags.push('b'), TypeError)
})

void t.test('of a proxy, such as one of reactive state, subscribers get a copy', async (t) => {
  const { pubsub, channel } = open()
  await pubsub.publish('a', new Proxy({ list: [new Proxy({ b: 1 }, {})] }, {}))
  t.strictSame(channel.poll()?.value, { list: [{ b: 1 }] })
})

void t.test('an event that is not plain data is delivered as it is', async (t) => {
  const pubsub = createPubSub()
  const cyclic: { self?: object } = {}
  cyclic.self = cyclic
  for (const event of [{ at: new Date() }, { read: () => 1 }, cyclic]) {
    const channel = pubsub.subscribe('a')
    await pubsub.publish('a', event)
    t.equal(channel.poll()?.value, event)
    t.notOk(Object.isFrozen(event))
  }
})

void t.test('topics are apart, and one without subscribers keeps nothing', async (t) => {
  const pubsub = createPubSub()
  await pubsub.publish('a', 0)
  const [a, b] = [pubsub.subscribe('a'), pubsub.subscribe('b')]
  await pubsub.publish('a', 1)
  await pubsub.publish('b', 2)
  t.strictSame([drain(a), drain(b)], [[1], [2]])
})

void t.test('a filter gets the event of one with an id, and not what is only an id', async (t) => {
  const pubsub = createPubSub<{ a: unknown }>()
  const reader = pubsub.subscribe('a', { filter: (event) => event === 2 })
  for (const [event, id] of [
    [1, '1'],
    [2, '2'],
    [undefined, '3'],
  ] as const) {
    await pubsub.publish('a', resumable(event, id))
  }
  const seen = [await reader.next(), await reader.next()].map(({ value }) => value)
  t.match(seen, [
    { event: 2, id: '2' },
    { event: undefined, id: '3' },
  ])
})

void t.test('a filter decides for its own subscriber', async (t) => {
  const pubsub = createPubSub<{ a: number }>({ maxQueued: 3 })
  const even = pubsub.subscribe('a', { filter: (event) => event % 2 === 0 })
  const all = pubsub.subscribe('a', { maxQueued: 9 })
  for (const event of [1, 2, 3, 4, 5, 6]) await pubsub.publish('a', event)
  t.strictSame(drain(even), [2, 4, 6], 'what it rejects takes no room')
  t.strictSame(drain(all), [1, 2, 3, 4, 5, 6])
})

// oxfmt-ignore
void t.test('a filter and onEnd run in the asynchronous context of their subscriber', async (t) => {
  const users = new AsyncLocalStorage<string>()
  const pubsub = createPubSub<{ a: string }>()
  const filter = (to: string): boolean => to === users.getStore()
  let user: string | undefined
  const onEnd = (): void => void (user = users.getStore())
  const reader = users.run('ada', () => pubsub.subscribe('a', { filter, onEnd }))
  for (const to of ['bob', 'ada']) await users.run('bob', () => pubsub.publish('a', to))
  t.same(await reader.next(), { done: false, value: 'ada' })
  await reader.return()
  t.equal(user, 'ada')
})

const filters: readonly [title: string, filter: (event: unknown) => unknown, failure: string][] = [
  [
    'throws',
    () => {
      throw new Error('mine')
    },
    'Error: mine',
  ],
  [
    'returns a promise',
    async () => false,
    'TypeError: subscribe: `filter` must return true or false, got: Promise.',
  ],
  [
    'returns nothing',
    () => {},
    'TypeError: subscribe: `filter` must return true or false, got: Undefined.',
  ],
]

for (const [title, filter, failure] of filters) {
  void t.test(`a filter that ${title} ends its own subscription`, async (t) => {
    const pubsub = createPubSub()
    const channel = pubsub.subscribe('a', { filter: filter as (event: unknown) => boolean })
    const other = pubsub.subscribe('a')
    const polled = pubsub.subscribe('a', { filter: filter as (event: unknown) => boolean })
    const read = t.rejects(channel.next())
    await pubsub.publish('a', 1)
    await read
    t.strictSame(drain(polled), [failure])
    t.strictSame(drain(other), [1])
  })
}

void t.test('aborting the signal ends the channel, and its listener is removed', async (t) => {
  const pubsub = createPubSub()
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<unknown>()
  signal.addEventListener = (...[, listener]: unknown[]) => void listeners.add(listener)
  signal.removeEventListener = (...[, listener]: unknown[]) => void listeners.delete(listener)
  const returned = pubsub.subscribe('a', { signal })
  const aborted = pubsub.subscribe('a', { signal })
  t.equal(listeners.size, 2)
  await returned.return()
  t.equal(listeners.size, 1)
  await pubsub.publish('a', 1)
  for (const listener of listeners) (listener as () => void)()
  t.strictSame(drain(aborted), ['end'], 'what was queued is dropped')
  t.equal(listeners.size, 0)
})

void t.test('an aborted signal ends the channel at once', async (t) => {
  const pubsub = createPubSub()
  const channel = pubsub.subscribe('a', { signal: AbortSignal.abort() })
  await pubsub.publish('a', 1)
  t.strictSame(drain(channel), ['end'])
})

void t.test('a listener that throws harms no other', async (t) => {
  const pubsub = createPubSub()
  const [broken, other] = [pubsub.subscribe('a'), pubsub.subscribe('a')]
  broken.onReady(() => {
    throw new Error('mine')
  })
  const thrown = new Promise((resolve) => process.once('uncaughtException', resolve))
  await pubsub.publish('a', 1)
  t.match(await thrown, { message: 'mine' })
  t.strictSame(drain(other), [1])
})

void t.test('onEnd is called once, however the channel ends', async (t) => {
  const pubsub = createPubSub({ maxQueued: 1 })
  const ends: string[] = []
  const follow = (name: string, signal?: AbortSignal) =>
    pubsub.subscribe('a', { signal, onEnd: () => void ends.push(name) })
  const [slow, returned] = [follow('slow'), follow('returned')]
  follow('aborted', AbortSignal.abort())
  await returned.return()
  await returned.return()
  for (const event of [1, 2]) await pubsub.publish('a', event)
  await slow.return()
  follow('closed')
  pubsub.close()
  await Promise.resolve()
  t.strictSame(ends, ['aborted', 'returned', 'slow', 'closed'])
})

void t.test('an onEnd that throws harms neither the publisher nor other subscribers', async (t) => {
  const pubsub = createPubSub()
  const onEnd = (): never => {
    throw new Error('mine')
  }
  pubsub.subscribe('a', { maxQueued: 1, onEnd })
  const other = pubsub.subscribe('a')
  await pubsub.publish('a', 1)
  const thrown = new Promise((resolve) => process.once('uncaughtException', resolve))
  await pubsub.publish('a', 2)
  t.match(await thrown, { message: 'mine' })
  t.strictSame(drain(other), [1, 2])
})
