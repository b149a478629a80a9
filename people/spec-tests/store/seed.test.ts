import t from 'tap'
import type { Store } from '../../store/open-store.js'
import { onEachDatabase, onSharedDatabases } from './databases.js'

const ids = Array.from({ length: 100 }, (_, index) => String(index + 1))

async function everything({ people }: Store): Promise<string> {
  const page = await people.page(1_000)
  const friends = [...(await people.friendsOf(ids, 1_000))]
  return JSON.stringify([page, friends.toSorted(([one], [other]) => Number(one) - Number(other))])
}

const seeds: string[] = []

await onEachDatabase(t, 'the first 100 persons are always the same', async (t, open) => {
  const store = await open()
  t.equal(await store.seed(), true)
  t.equal(await store.seed(), false)
  const page = await store.people.page(1_000)
  const people = page.ok ? page.value.people : []
  const found = people.map(({ id }) => id)
  t.same(found, ids)
  t.equal(new Set(people.map(({ name }) => name)).size, 100)
  t.equal(new Set(people.map(({ email }) => email)).size, 100)
  t.ok(people.every(({ email }) => /^[a-z]+\.[a-z]+@example\.com$/.test(email ?? '')))
  t.ok(people.some(({ age }) => age === null) && people.some(({ age }) => age !== null))
  t.ok(people.every(({ age }) => age === null || (age >= 18 && age <= 100)))
  t.ok(people.every(({ address }) => address !== null))
  for (const [id, friends] of await store.people.friendsOf(ids, 100)) {
    t.equal(friends.length, 6, `friends of ${id}`)
    t.notOk(friends.some((friend) => friend.id === id))
  }
  seeds.push(await everything(store))
  t.equal(seeds.at(-1), seeds[0], 'on every database')
  t.equal((await store.people.create({ name: 'A' })).id, '101')
})

await onEachDatabase(t, 'a database that has or had people is not seeded', async (t, open) => {
  const store = await open()
  const { id } = await store.people.create({ name: 'A' })
  t.equal(await store.seed(), false)
  await store.people.remove(id)
  t.equal(await store.seed(), false)
  t.match(await store.people.page(10), { value: { people: [] } })
})

await onEachDatabase(t, 'a database is not seeded again when it is empty', async (t, open) => {
  const store = await open()
  await store.seed()
  for (const id of ids) await store.people.remove(id)
  t.equal(await store.seed(), false)
  t.match(await store.people.page(10), { value: { people: [] } })
})

await onSharedDatabases(t, 'of stores that seed at once, one does', async (t, open) => {
  const stores = await Promise.all(Array.from({ length: 4 }, () => open()))
  const seeded = await Promise.all(stores.map((store) => store.seed()))
  t.equal(seeded.filter(Boolean).length, 1)
  const page = await stores[0]!.people.page(1_000)
  t.equal(page.ok && page.value.people.length, 100)
  t.equal((await stores[1]!.people.create({ name: 'A' })).id, '101')
})
