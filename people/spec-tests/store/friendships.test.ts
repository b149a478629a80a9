import { success } from 'graphwire'
import Database from 'libsql'
import t, { type Test } from 'tap'
import type { Store } from '../../store/open-store.js'
import type { Json } from '../schema/serve-schema.js'
import { connect, onEachDatabase, onSharedDatabases } from './databases.js'

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
  const first = { id: '2', name: 'P2', age: null, email: null, version: 1, address: null }
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
    return ['1', '2', '4'].map((id) => String(friends.get(id)?.map(({ name }) => name)))
  }
  t.same(await names(100), ['P2,P3,P5,P6', 'P1,P4', 'P2'])
  t.same(await names(2), ['P2,P3', 'P1,P4', 'P2'])
  t.same(await names(1), ['P2', 'P1', 'P2'])
  t.same(await names(0), ['', '', ''])
})

await onSharedDatabases(t, 'a few friends of many', async (t, open, database) => {
  const statements: string[] = []
  const store = await open({ onStatement: (statement) => statements.push(statement) })
  const { people } = store
  await createMany(store, 60)
  for (let friend = 2; friend <= 60; friend += 1) await people.befriend('1', String(friend))
  statements.length = 0
  t.same(await friendIds(store, '1', 3), ['2', '3', '4'])
  const [statement = ''] = statements
  await t.test('are found without reading the others', (t) =>
    database.startsWith('postgres')
      ? checkRowsRead(t, database, statement)
      : checkRange(t, database, statement),
  )
})

/** PostgreSQL counts the rows. The only large list is read through its index, as it would be in a large table. */
async function checkRowsRead(t: Test, database: string, statement: string): Promise<void> {
  const client = await connect(t, database)
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
  const text = `explain (analyze, format json) ${statement}`
  const { rows } = await client.query(text, [[1], 3])
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  const scans = nodes.filter((node) => node['Relation Name'] === 'friendships')
  t.match(scans, [{ 'Actual Rows': 3 }])
  t.equal(scans.length, 1)
}

function nodesOf(node: Json): readonly Json[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** SQLite says which range it reads: up to the last friend that is selected. */
async function checkRange(t: Test, file: string, statement: string): Promise<void> {
  const database = new Database(file)
  t.teardown(() => void database.close())
  const plan = database.prepare(`explain query plan ${statement}`).all('[1]', 3)
  t.match(JSON.stringify(plan), '(person_id=? AND friend_id<?)')
}
