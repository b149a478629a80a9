import t, { type Test } from 'tap'
import { ChangeFeed, type FollowOptions } from '../../feed/change-feed.js'
import type { ChangeReader } from '../../feed/change-reader.js'
import { fakeChanges } from './fake-changes.js'

async function openWorld(
  t: Test,
  { before = 0, pollEvery = undefined as number | undefined, tellEvery = 60_000 } = {},
) {
  // The timers of the feed alone do not keep the process.
  const alive = setInterval(() => {}, 1_000)
  const changes = fakeChanges()
  for (let count = 0; count < before; count += 1) changes.commit('1')
  const skipped: number[] = []
  const faults: unknown[] = []
  const feed = await ChangeFeed.open({
    changes,
    pollEvery,
    tellEvery,
    onDelivered: () => {},
    onSkipped: (count) => skipped.push(count),
    onFault: (fault) => faults.push(fault),
  })
  t.teardown(() => {
    feed.close()
    clearInterval(alive)
  })
  return { changes, feed, skipped, faults }
}

/** Changes of the first person at these positions, as `nextOf` tells them. */
function changed(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `${first + at} CHANGED 1`)
}

function from(after?: string, more: Partial<FollowOptions> = {}): FollowOptions {
  return { after, onEvent: () => {}, onEnd: () => {}, ...more }
}

/** What arrives next, in short. */
async function nextOf(reader: ChangeReader, count = 1): Promise<string[]> {
  const events: string[] = []
  while (events.length < count) {
    const { value } = await reader.next()
    if (value?.event === undefined) continue // tells the position only
    const { personChanged, messageReceived } = value.event as {
      readonly [field: string]: { readonly [name: string]: string } | undefined
    }
    const error = personChanged?.['extensions'] as unknown as { code: string } | undefined
    const what = error?.code ?? personChanged?.['kind'] ?? messageReceived?.['text']
    events.push(`${value.id} ${String(what)} ${personChanged?.['id'] ?? ''}`.trim())
  }
  return events
}

t.test('a subscriber gets its topic from now on, in order', async (t) => {
  const { changes, feed } = await openWorld(t, { before: 3 })
  const all = await feed.people(undefined, from())
  const two = await feed.people('2', from())
  const messages = await feed.messages('1', from())
  changes.commit('1')
  changes.commit('2', 'ADDED')
  changes.commit('1', 'MESSAGE')
  changes.commit('2', 'REMOVED')
  t.same(await nextOf(all, 3), ['4 CHANGED 1', '5 ADDED 2', '7 REMOVED 2'])
  t.same(await nextOf(two, 2), ['5 ADDED 2', '7 REMOVED 2'])
  t.same(await nextOf(messages), ['6 T'])
})

t.test('all subscribers get the same object', async (t) => {
  const { changes, feed } = await openWorld(t)
  const readers = [await feed.people(undefined, from()), await feed.people('1', from())]
  changes.commit('1')
  for (const reader of readers) await reader.next()
  const [one, other] = await Promise.all(readers.map((reader) => reader.next()))
  t.equal(one?.value?.event, other?.value?.event)
})

t.test('the table is read once for all, and not for those who resume in memory', async (t) => {
  const { changes, feed } = await openWorld(t, { before: 900 })
  const readers: ChangeReader[] = []
  for (let at = 0; at < 100; at += 1) readers.push(await feed.people(undefined, from(String(at))))
  const { reads } = changes
  for (const [at, reader] of readers.entries()) {
    t.same(await nextOf(reader, 2), changed(at + 1, at + 2))
  }
  t.equal(changes.reads, reads)
})

t.test('who is far behind reads the table, page by page, and then goes on', async (t) => {
  const { changes, feed } = await openWorld(t, { before: 2_500 })
  const reader = await feed.people(undefined, from('10'))
  t.same(await nextOf(reader, 2_490), changed(11, 2_500))
  changes.commit('2')
  t.same(await nextOf(reader), ['2501 CHANGED 2'])
})

t.test('a slow subscriber misses nothing, and takes no memory meanwhile', async (t) => {
  const { changes, feed } = await openWorld(t)
  const reader = await feed.people(undefined, from())
  for (let count = 0; count < 5_000; count += 1) changes.commit('1')
  await feed.people(undefined, from('5000'))
  t.same(await nextOf(reader, 5_000), changed(1, 5_000))
})

for (const id of ['3', 'x', '12345', '-1', '1.5', '9'.repeat(30)]) {
  t.test(`a position that is not kept is an event: ${id}`, async (t) => {
    const { changes, feed, skipped } = await openWorld(t, { before: 3_000 })
    changes.forget(10)
    const reader = await feed.people('1', from(id))
    const first = await reader.next()
    t.ok(first.value?.event, 'nothing before tells a position')
    t.equal(first.value?.id, '3000')
    const again = await feed.people('1', from(id))
    t.same(await nextOf(again), ['3000 POSITION_TOO_OLD'])
    changes.commit('2')
    changes.commit('1')
    t.same(await nextOf(reader), ['3002 CHANGED 1'], 'new changes follow')
    t.same(skipped, id === '3' ? [2_997, 2_997] : [])
  })
}

t.test('a quiet topic is not too old because others are busy', async (t) => {
  const { changes, feed } = await openWorld(t)
  const reader = await feed.people('quiet', from())
  await reader.next()
  const first = reader.next()
  for (let count = 0; count < 5_000; count += 1) changes.commit('busy')
  await feed.people(undefined, from('5000'))
  changes.forget(4_900)
  changes.commit('quiet')
  t.equal((await first).value?.id, '5001')
})

t.test('who has not seen an event yet can resume, too', async (t) => {
  const { changes, feed } = await openWorld(t, { before: 3, tellEvery: 10 })
  const quiet = await feed.people('quiet', from())
  t.match(await quiet.next(), { value: { event: undefined, id: '3' } })
  const next = quiet.next()
  changes.commit('1')
  t.match(await next, { value: { event: undefined, id: '4' } }, 'told now and then')
  changes.commit('quiet')
  t.same(await nextOf(quiet), ['5 CHANGED quiet'])
  const resumed = await feed.people('quiet', from('4'))
  t.same(await nextOf(resumed), ['5 CHANGED quiet'])
})

t.test('the position of another instance that has read further is known', async (t) => {
  const { changes, feed } = await openWorld(t)
  changes.commitSilently('1')
  changes.commitSilently('1')
  const reader = await feed.people(undefined, from('1'))
  t.same(await nextOf(reader), ['2 CHANGED 1'])
})

t.test('changes that nobody announced are found by polling', async (t) => {
  const { changes, feed } = await openWorld(t, { pollEvery: 10 })
  const reader = await feed.people(undefined, from())
  const next = nextOf(reader)
  changes.commitSilently('1')
  t.same(await next, ['1 CHANGED 1'])
})

t.test('while the database is away streams wait, and then miss nothing', async (t) => {
  const { changes, feed, faults } = await openWorld(t, { before: 2_000, pollEvery: 10 })
  const reader = await feed.people(undefined, from())
  const old = await feed.people(undefined, from('100'))
  changes.isAway = true
  changes.commit('2')
  changes.commit('3')
  const news = nextOf(reader, 2)
  const missed = nextOf(old)
  await t.rejects(feed.people(undefined, from('7777')), { name: 'StoreUnavailable' })
  changes.isAway = false
  t.same(await news, ['2001 CHANGED 2', '2002 CHANGED 3'])
  t.same(await missed, ['101 CHANGED 1'])
  t.same(faults, [])
})

t.test('a feed that was away for too long tells its subscribers', async (t) => {
  const { changes, feed } = await openWorld(t, { before: 5 })
  const reader = await feed.people(undefined, from())
  const first = nextOf(reader, 2)
  for (let count = 0; count < 10; count += 1) changes.commitSilently('1')
  changes.forget(12)
  changes.commit('1')
  await feed.people(undefined, from('16'))
  changes.commit('2')
  t.same(await first, ['16 POSITION_TOO_OLD', '17 CHANGED 2'])
})

t.test('nothing of a removed person is replayed', async (t) => {
  const { changes, feed } = await openWorld(t)
  changes.commit('1', 'ADDED')
  changes.commit('1', 'MESSAGE')
  changes.commit('1', 'REMOVED')
  const events = await feed.people(undefined, from('0'))
  const { value } = await events.next()
  t.match(value?.event, { personChanged: { kind: 'ADDED', id: '1', person: null } })
  const messages = await feed.messages('1', from('0'))
  changes.commit('1', 'MESSAGE')
  t.same(await nextOf(messages), ['4 T'], 'the fake sends to the dead')
})

t.test('a subscriber that leaves is forgotten at once', async (t) => {
  const { changes, feed } = await openWorld(t)
  let ends = 0
  const reader = await feed.people('1', from(undefined, { onEnd: () => (ends += 1) }))
  await reader.next()
  const waiting = reader.next()
  await reader.return()
  await reader.return()
  t.same(await waiting, { done: true, value: undefined })
  t.equal(ends, 1)
  changes.commit('1')
  t.same(reader.poll(), { done: true, value: undefined })
})
