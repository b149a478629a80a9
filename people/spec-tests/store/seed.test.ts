import t from 'tap'
import { namesIn, onEachDatabase, onSharedDatabases } from './databases.js'

const ids = Array.from({ length: 100 }, (_, index) => String(index + 1))

const seeds = new Set<string>()

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
  const friendsOf = [...(await store.people.friendsOf(ids, 100))]
  for (const [id, friends] of friendsOf) {
    t.equal(friends.length, 6, `friends of ${id}`)
    t.notOk(friends.some((friend) => friend.id === id))
  }
  seeds.add(JSON.stringify([people, friendsOf]))
  t.equal(seeds.size, 1, 'on every database')
  for (const id of ids) await store.people.remove(id)
  t.equal(await store.seed(), false, 'nor again when it is empty')
  t.equal((await store.people.create({ name: 'A' })).id, '101')
})

await onEachDatabase(t, 'a database that has or had people is not seeded', async (t, open) => {
  const store = await open()
  const { id } = await store.people.create({ name: 'A' })
  t.equal(await store.seed(), false)
  await store.people.remove(id)
  t.equal(await store.seed(), false)
  t.same(await namesIn(store), [])
})

await onSharedDatabases(t, 'of stores that seed at once, one does', async (t, open) => {
  const stores = await Promise.all(Array.from({ length: 4 }, () => open()))
  const seeded = await Promise.all(stores.map((store) => store.seed()))
  t.equal(seeded.filter(Boolean).length, 1)
  t.equal((await namesIn(stores[0]!)).length, 100)
  t.equal((await stores[1]!.people.create({ name: 'A' })).id, '101')
})
