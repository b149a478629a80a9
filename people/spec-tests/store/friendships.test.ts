import { success } from 'graphwire'
import t from 'tap'
import type { Store } from '../../store/store.js'
import { onEachDatabase } from './databases.js'

async function createMany(store: Store, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) await store.people.create({ name: `P${n}` })
}

async function friendIds(store: Store, id: string, limit = 100): Promise<string[]> {
  const friends = await store.people.friendsOf([id], limit)
  return (friends.get(id) ?? []).map((friend) => friend.id)
}

await onEachDatabase(t, 'friendship is mutual, and no write to either', async (t, open) => {
  const store = await open()
  const { people } = store
  await createMany(store, 3)
  const first = { id: '2', name: 'P2', age: null, email: null, version: 1 }
  for (const change of ['befriend', 'befriend', 'unfriend', 'unfriend', 'befriend'] as const) {
    t.same(await people[change]('2', '1'), success(first))
    const isFriend = change === 'befriend'
    t.same(await friendIds(store, '1'), isFriend ? ['2'] : [])
    t.same(await friendIds(store, '2'), isFriend ? ['1'] : [])
  }
  t.match(await people.befriend('1', '2'), success({ id: '1', version: 1 }))
  t.same(await friendIds(store, '2'), ['1'])
  t.match(await people.unfriend('1', '3'), success({ id: '1' }))
})

await onEachDatabase(t, 'friends come in order of creation, so many of each', async (t, open) => {
  const store = await open()
  await createMany(store, 6)
  for (const friend of ['6', '3', '5', '2']) await store.people.befriend('1', friend)
  await store.people.befriend('2', '4')
  const names = async (limit: number) => {
    const friends = await store.people.friendsOf(['2', '1', '4'], limit)
    return ['1', '2', '4'].map((id) =>
      friends
        .get(id)
        ?.map((friend) => friend.name)
        .join(),
    )
  }
  t.same(await names(100), ['P2,P3,P5,P6', 'P1,P4', 'P2'])
  t.same(await names(2), ['P2,P3', 'P1,P4', 'P2'])
  t.same(await names(1), ['P2', 'P1', 'P2'])
  t.same(await names(0), ['', '', ''])
})

await onEachDatabase(t, 'friends who are removed are nobody’s', async (t, open) => {
  const store = await open()
  await createMany(store, 3)
  await store.people.befriend('1', '2')
  await store.people.befriend('3', '2')
  await store.people.remove('2')
  t.same(await friendIds(store, '1'), [])
  t.same(await friendIds(store, '3'), [])
  t.same(await store.people.befriend('1', '2'), { ok: false, reason: 'friend-absent' })
  t.same(await store.people.befriend('2', '1'), { ok: false, reason: 'absent' })
})
