import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Channel } from '@graphwire/pubsub'
import { ChangeFeed, topics } from '../../feed/change-feed.js'
import type { Json } from '../schema/serve-schema.js'
import { FakeChanges } from './fake-changes.js'

async function openWorld(t: Test, { before = 0, pollEvery = 1_000_000 } = {}) {
  // The timers of the feed alone do not keep the process.
  const alive = setInterval(() => {}, 1_000)
  const changes = new FakeChanges()
  for (let count = 0; count < before; count += 1) changes.commit('1')
  const skipped: number[] = []
  const faults: unknown[] = []
  const options = {
    changes,
    pollEvery,
    onDelivered: () => {},
    onSkipped: (count: number) => skipped.push(count),
    onFault: (fault: unknown) => faults.push(fault),
  }
  const feed = new ChangeFeed(options, await changes.last())
  t.teardown(() => {
    feed.close()
    clearInterval(alive)
  })
  const follow = (topic: string, after?: string, onEnd = () => {}) =>
    feed.follow(topic, after, onEnd) as Promise<Reader>
  return {
    changes,
    feed,
    skipped,
    faults,
    people: (id: string | undefined, after?: string, onEnd?: () => void) =>
      follow(id === undefined ? topics.people : topics.person(id), after, onEnd),
    messages: (to: string) => follow(topics.messagesTo(to)),
  }
}

type Reader = Channel<{ readonly event: unknown; readonly id: string }>

/** Changes of the first person at these positions, as `nextOf` tells them. */
function changed(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `${first + at} CHANGED 1`)
}

/** What arrives next, in short. */
async function nextOf(reader: Reader, count = 1): Promise<string[]> {
  const events: string[] = []
  while (events.length < count) {
    const { value } = await reader.next()
    if (value?.event === undefined) continue // tells the position only
    const { personChanged, messageReceived } = value.event as Json
    const what = personChanged?.extensions?.code ?? personChanged?.kind ?? messageReceived.text
    events.push(`${value.id} ${what} ${personChanged?.id ?? ''}`.trim())
  }
  return events
}

t.test('a subscriber gets its topic from now on, in order', async (t) => {
  const { changes, people, messages } = await openWorld(t, { before: 3 })
  const all = await people(undefined)
  const two = await people('2')
  const inbox = await messages('1')
  changes.commit('1')
  changes.commit('2', 'ADDED')
  changes.commit('1', 'MESSAGE')
  changes.commit('2', 'REMOVED')
  t.same(await nextOf(all, 3), ['4 CHANGED 1', '5 ADDED 2', '7 REMOVED 2'])
  t.same(await nextOf(two, 2), ['5 ADDED 2', '7 REMOVED 2'])
  t.same(await nextOf(inbox), ['6 T'])
})

for (const id of ['1\u0000', '9'.repeat(1000), '0', 'x']) {
  t.test(`nothing follows of the id ${JSON.stringify(id.slice(0, 9))}`, async (t) => {
    const { feed, faults, people, messages } = await openWorld(t)
    for (const reader of [await people(id), await messages(id)]) {
      feed.round()
      t.match(await reader.next(), { value: { id: '0', event: undefined } })
      await reader.return?.()
    }
    t.strictSame(faults, [])
  })
}

t.test('all subscribers get the same object', async (t) => {
  const { changes, people } = await openWorld(t)
  const readers = [await people(undefined), await people('1')]
  changes.commit('1')
  for (const reader of readers) await reader.next()
  const [one, other] = await Promise.all(readers.map((reader) => reader.next()))
  t.equal(one?.value?.event, other?.value?.event)
})

t.test('a subscriber that is far behind reads the table by pages, and goes on', async (t) => {
  const { changes, people } = await openWorld(t, { before: 2_500 })
  const reader = await people(undefined, '10')
  t.same(await nextOf(reader, 2_490), changed(11, 2_500))
  changes.commit('2')
  t.same(await nextOf(reader), ['2501 CHANGED 2'])
})

t.test('a slow subscriber misses nothing', async (t) => {
  const { changes, people } = await openWorld(t)
  const reader = await people(undefined)
  for (let count = 0; count < 1_000; count += 1) changes.commit('1')
  await people(undefined, '1000')
  t.same(await nextOf(reader, 1_000), changed(1, 1_000))
})

t.test('a subscriber that resumes holds few changes, and none of other topics', async (t) => {
  const { changes, people } = await openWorld(t, { before: 60 })
  for (let count = 0; count < 60; count += 1) changes.commit('2')
  await people(undefined, '120')
  const reader = await people('2', '0')
  t.same(await nextOf(reader), ['61 CHANGED 2'])
  t.equal(changes.reads.changes, 10)
})

t.test('nothing is read for a subscriber that has left', async (t) => {
  const { changes, people } = await openWorld(t, { before: 5_000 })
  const reader = await people('1', '0')
  const next = reader.next()
  await reader.return?.()
  await next
  await nextOf(await people('1', '4999'))
  t.ok(changes.reads.pages < 5, `${changes.reads.pages} of 500 pages`)
})

t.test('subscribers that resume leave the event loop to others between pages', async (t) => {
  const { changes, people } = await openWorld(t, { before: 1_000 })
  const readers = await Promise.all([1, 2, 3].map(() => people('2', '0')))
  const nexts = readers.map((reader) => reader.next())
  let turns = 0
  let counting = setImmediate(function count() {
    turns += 1
    counting = setImmediate(count)
  })
  await nextOf(await people('1', '999'))
  clearImmediate(counting)
  t.ok(turns >= changes.reads.pages, `${turns} turns, ${changes.reads.pages} pages`)
  for (const reader of readers) void reader.return?.()
  await Promise.all(nexts)
})

t.test('what is pruned while a subscriber reads is an event', async (t) => {
  const { changes, people } = await openWorld(t, { before: 30 })
  const reader = await people('1', '0')
  t.same(await nextOf(reader, 10), changed(1, 10))
  changes.forget(15)
  t.same(await nextOf(reader), ['30 POSITION_TOO_OLD'])
})

for (const id of ['3', 'x', '12345', '-1', '1.5', '9'.repeat(30)]) {
  t.test(`a position that is not kept is an event: ${id}`, async (t) => {
    const { changes, skipped, people } = await openWorld(t, { before: 3_000 })
    changes.forget(10)
    const reader = await people('1', id)
    const first = await reader.next()
    t.ok(first.value?.event, 'nothing before tells a position')
    t.equal(first.value?.id, '3000')
    const again = await people('1', id)
    t.same(await nextOf(again), ['3000 POSITION_TOO_OLD'])
    changes.commit('2')
    changes.commit('1')
    t.same(await nextOf(reader), ['3002 CHANGED 1'], 'new changes follow')
    t.same(skipped, id === '3' ? [2_997, 2_997] : [])
  })
}

t.test('a quiet topic is not too old because others are busy', async (t) => {
  const { changes, people } = await openWorld(t)
  const reader = await people('77')
  await reader.next()
  const first = reader.next()
  for (let count = 0; count < 5_000; count += 1) changes.commit('78')
  await people(undefined, '5000')
  changes.forget(4_900)
  changes.commit('77')
  t.equal((await first).value?.id, '5001')
})

t.test('a client that has not seen an event yet can resume, too', async (t) => {
  const { changes, feed, people } = await openWorld(t, { before: 3 })
  const quiet = await people('77')
  t.match(await quiet.next(), { value: { event: undefined, id: '3' } })
  const next = quiet.next()
  changes.commit('1')
  await people(undefined, '4')
  feed.round()
  t.match(await next, { value: { event: undefined, id: '4' } }, 'the position is sent now and then')
  changes.commit('77')
  t.same(await nextOf(quiet), ['5 CHANGED 77'])
  const resumed = await people('77', '4')
  t.same(await nextOf(resumed), ['5 CHANGED 77'])
})

t.test('the position of another instance that has read further is known', async (t) => {
  const { changes, people } = await openWorld(t)
  changes.commitSilently('1')
  changes.commitSilently('1')
  const reader = await people(undefined, '1')
  t.same(await nextOf(reader), ['2 CHANGED 1'])
})

t.test('changes without an announcement are found by polling', async (t) => {
  const { changes, people } = await openWorld(t, { pollEvery: 10 })
  const reader = await people(undefined)
  const next = nextOf(reader)
  changes.commitSilently('1')
  t.same(await next, ['1 CHANGED 1'])
})

t.test('while the database is away streams wait, and then miss nothing', async (t) => {
  const { changes, faults, people } = await openWorld(t, { before: 2_000, pollEvery: 10 })
  const reader = await people(undefined)
  const old = await people(undefined, '100')
  changes.isAway = true
  changes.commit('2')
  changes.commit('3')
  const news = nextOf(reader, 2)
  const missed = nextOf(old)
  await t.rejects(people(undefined, '7777'), { name: 'StoreUnavailable' })
  changes.isAway = false
  t.same(await news, ['2001 CHANGED 2', '2002 CHANGED 3'])
  t.same(await missed, ['101 CHANGED 1'])
  t.same(faults, [])
})

t.test('while the database is away, only the polls read', async (t) => {
  const { changes, feed } = await openWorld(t)
  changes.isAway = true
  const timers = t.capture(globalThis, 'setTimeout')
  feed.wake()
  await nextTurn()
  t.same(timers(), [])
})

t.test('subscribers of a feed that was away for too long get an event', async (t) => {
  const { changes, people } = await openWorld(t, { before: 5 })
  const reader = await people(undefined)
  const first = nextOf(reader, 3)
  for (let count = 0; count < 10; count += 1) changes.commitSilently('1')
  changes.forget(12)
  changes.commit('1')
  await people(undefined, '16')
  changes.commit('2')
  t.same(await first, ['12 POSITION_TOO_OLD', '13 CHANGED 1', '14 CHANGED 1'])
})

t.test('a subscriber that leaves is forgotten at once', async (t) => {
  const { changes, people } = await openWorld(t)
  let ends = 0
  const reader = await people('1', undefined, () => void (ends += 1))
  await reader.next()
  const waiting = reader.next()
  await reader.return()
  await reader.return()
  t.same(await waiting, { done: true, value: undefined })
  t.equal(ends, 1)
  changes.commit('1')
  t.same(reader.poll(), { done: true, value: undefined })
})
