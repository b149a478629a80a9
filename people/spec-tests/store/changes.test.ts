import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Change } from '../../store/changes.js'
import type { Store } from '../../store/open-store.js'
import type { Person } from '../../store/store.js'
import { onEachDatabase, onSharedDatabases } from './databases.js'

const address = { street: null, city: 'Rome', country: null }

await onEachDatabase(t, 'every committed write is a change', async (t, open) => {
  const { people, messages, changes } = await open()
  let heard = 0
  changes.listen(() => (heard += 1))
  t.equal(await changes.last(), 0)
  t.same(await changes.after(0, 10), [])
  const ada = await people.create({ name: 'Ada', address })
  await people.update(ada.id, { age: 36 })
  await people.replace(ada.id, { name: 'Grace' })
  const sent = await messages.send(ada.id, 'hello')
  t.equal((await people.update(ada.id, { age: 1 }, 77)).ok, false)
  t.equal((await people.update('77', { age: 1 })).ok, false)
  t.equal((await messages.send('77', 'nobody')).ok, false)
  const ben = await people.create({ name: 'Ben' })
  await people.befriend(ada.id, ben.id)
  t.equal(await changes.last(), 5)
  t.equal(heard, 5, 'listeners hear of committed changes only')
  const known = { id: ada.id, age: null, email: null, address: null }
  const first = { ...known, name: 'Ada', version: 1, address }
  const all: Change[] = [
    { ...person(1, 'ADDED', ada.id), body: first },
    { ...person(2, 'CHANGED', ada.id), body: { ...first, version: 2, age: 36 } },
    { ...person(3, 'CHANGED', ada.id), body: { ...known, name: 'Grace', version: 3 } },
    { ...person(4, 'MESSAGE', ada.id), body: sent.ok ? sent.value : null },
    { ...person(5, 'ADDED', ben.id), body: ben },
  ]
  t.strictSame(await changes.after(0, 10), all)
  t.strictSame(await changes.after(1, 2), all.slice(1, 3))
  const ofTopic = async (topic: string) =>
    (await changes.after(1, 10, topic)).map(({ position }) => position)
  t.same(await ofTopic('people'), [2, 3, 5])
  t.same(await ofTopic(`person:${ben.id}`), [2, 5], 'and the next, whatever its topic')
  t.same(await ofTopic(`messages:${ada.id}`), [2, 4])

  await people.remove(ada.id)
  const left = all.map((one) => (one.personId === ada.id ? { ...one, body: null } : one))
  const expected = [...left, person(6, 'REMOVED', ada.id)]
  t.strictSame(await changes.after(0, 10), expected, 'nothing is known of a removed person')
})

function person(position: number, kind: Change['kind'], personId: string): Change {
  return { position, kind, personId, body: null }
}

await onEachDatabase(t, 'old changes are pruned by age and number', async (t, open) => {
  let time = Date.parse('2026-08-01T12:00:00Z')
  const { people, changes } = await open({ now: () => new Date(time), keptChanges: 3 })
  const positions = async () => (await changes.after(0, 100)).map(({ position }) => position)
  for (let count = 0; count < 5; count += 1) await people.create({ name: 'A' })
  await changes.prune()
  t.same(await positions(), [1, 2, 3, 4, 5], 'none is older than ten minutes')
  time += 600_001
  await people.create({ name: 'B' })
  t.equal(await changes.last(), 6)
  await changes.prune()
  t.same(await positions(), [4, 5, 6], 'at least three are kept')
  time += 600_001
  await changes.prune()
  t.same(await positions(), [4, 5, 6])
  t.equal(await changes.last(), 6)
})

await onSharedDatabases(t, 'changes have one order for all writers', async (t, open) => {
  const stores = [await open(), await open(), await open()] as const
  const [{ changes, people }] = stores
  const { id } = await people.create({ name: 'Raced' })
  const each = 40
  const write = async ({ people: own }: Store): Promise<void> => {
    for (let count = 0; count < each; count += 1) {
      if (count % 2 === 0) await own.create({ name: 'A' })
      else await own.update(id, { age: count })
    }
  }
  const seen: Change[] = []
  let isOver = false
  const follow = async (): Promise<void> => {
    for (let last = false; !last;) {
      last = isOver
      seen.push(...(await changes.after(seen.length, 7)))
      await setImmediate()
    }
  }
  const following = follow()
  await Promise.all(stores.map(write))
  isOver = true
  await following
  seen.push(...(await changes.after(seen.length, 1_000)))
  const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)
  const positions = seen.map(({ position }) => position)
  t.same(positions, upTo(1 + stores.length * each))
  const versions = seen.flatMap((one) =>
    one.personId === id ? [(one.body as Person).version] : [],
  )
  t.same(versions, upTo(1 + (stores.length * each) / 2), 'of one person, in order')
})
