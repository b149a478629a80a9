import t from 'tap'
import type { Store } from '../../store/open-store.js'
import { onEachDatabase, onSharedDatabases } from './databases.js'

const fifty = Array.from({ length: 50 }, (_, index) => index)

/** The remaining friendships, which must be the same from both sides. */
async function friendships(store: Store, ids: readonly string[]): Promise<string[]> {
  const friends = await store.people.friendsOf(ids, 100)
  return [...friends].flatMap(([id, list]) => list.map((friend) => `${id}-${friend.id}`)).toSorted()
}

await onEachDatabase(t, 'of 50 writes that expect one version, one wins', async (t, open) => {
  const { people } = await open()
  const { id } = await people.create({ name: 'A' })
  for (let version = 1; version <= 5; version += 1) {
    const write = (age: number) => {
      const values = { name: 'A', age, address: { city: `${age}` } }
      return people[age % 2 === 0 ? 'update' : 'replace'](id, values, version)
    }
    const outcomes = await Promise.all(fifty.map(write))
    const won = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []))
    t.equal(won.length, 1)
    t.equal(outcomes.filter((outcome) => !outcome.ok && outcome.reason === 'conflict').length, 49)
    t.same((await people.byIds([id])).get(id), won[0])
    t.equal(won[0]?.address?.city, `${won[0]?.age}`)
  }
})

await onEachDatabase(t, '50 writes at once are all counted, and none is lost', async (t, open) => {
  const { people } = await open()
  const { id } = await people.create({ name: 'A' })
  const parts = ['street', 'city', 'country'] as const
  const write = (n: number) => people.update(id, { address: { [parts[n % 3]!]: `${n % 3}` } })
  await Promise.all(fifty.map(write))
  const address = { street: '0', city: '1', country: '2' }
  t.match((await people.byIds([id])).get(id), { version: 51, address })
})

await onSharedDatabases(t, 'two stores of one database write as one', async (t, open) => {
  const stores = [await open(), await open()] as const
  const { id } = await stores[0].people.create({ name: 'A' })
  const write = (version?: number) =>
    Promise.all(fifty.map((n) => stores[n % 2]!.people.update(id, { age: n }, version)))
  t.equal((await write(1)).filter((outcome) => outcome.ok).length, 1)
  await write()
  t.equal((await stores[1].people.byIds([id])).get(id)?.version, 52)
})

await onSharedDatabases(t, 'two befriend each other at once', async (t, open) => {
  const [one, other] = [await open(), await open()]
  await one.people.create({ name: 'A' })
  await one.people.create({ name: 'B' })
  for (let round = 0; round < 10; round += 1) {
    const write = (n: number) =>
      n % 2 === 0 ? one.people.befriend('1', '2') : other.people.befriend('2', '1')
    const outcomes = await Promise.all(fifty.map(write))
    t.ok(outcomes.every((outcome) => outcome.ok))
    t.same(await friendships(one, ['1', '2']), ['1-2', '2-1'])
    await Promise.all([one.people.unfriend('1', '2'), other.people.unfriend('2', '1')])
    t.same(await friendships(one, ['1', '2']), [])
  }
})

await onSharedDatabases(t, 'a person removed meanwhile leaves nothing', async (t, open) => {
  const [one, other] = [await open(), await open()]
  const { id: friend } = await one.people.create({ name: 'A' })
  for (let round = 0; round < 25; round += 1) {
    const { id } = await one.people.create({ name: 'B', address: { city: 'C' } })
    const [removed, ...rest] = await Promise.all([
      one.people.remove(id),
      other.people.befriend(friend, id),
      other.people.befriend(id, friend),
      other.people.update(id, { address: { city: 'D' } }),
      other.messages.send(id, 'hello'),
    ])
    t.ok(removed.ok)
    const reasons = rest.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]))
    t.ok(reasons.every((reason) => reason === 'absent' || reason === 'friend-absent'))
    t.same(await friendships(one, [friend, id]), [])
    t.equal((await one.people.byIds([id])).size, 0)
    const sent = rest.at(-1)!
    if (sent.ok) t.equal(await one.messages.byId(sent.value.id), undefined)
  }
})

await onSharedDatabases(t, 'friends who are removed at once are all removed', async (t, open) => {
  const [one, other] = [await open(), await open()]
  const ids: string[] = []
  for (let n = 0; n < 12; n += 1) {
    const { id } = await one.people.create({ name: 'A' })
    for (const friend of ids) await one.people.befriend(id, friend)
    ids.push(id)
  }
  const removed = await Promise.all(ids.map((id, n) => [one, other][n % 2]!.people.remove(id)))
  t.ok(removed.every((outcome) => outcome.ok))
  t.same(await friendships(one, ids), [])
})

await onEachDatabase(t, 'reads between writes see whole transactions', async (t, open) => {
  const { people } = await open()
  const { id } = await people.create({ name: '0', age: 0 })
  const writes = fifty.map((n) => people.update(id, { name: `${n % 100}`, age: n }))
  const reads = fifty.map(async () => {
    const person = (await people.byIds([id])).get(id)!
    t.equal(person.name, `${person.age}`)
  })
  await Promise.all([...writes, ...reads])
})
