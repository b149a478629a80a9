import t from 'tap'
import type { Store } from '../../store/open-store.js'
import { onEachDatabase } from './databases.js'

type Ask = (store: Store) => Promise<unknown>

const ids = Array.from({ length: 100 }, (_, index) => String(index + 1))
const address = { city: 'C' }
const key = { name: 'k', hash: 'h', scopes: ['read'], limit: null } as const

// With `begin` and `commit`, where more than one has to stand together.
// oxfmt-ignore
const counts: readonly [name: string, statements: number, ask: Ask][] = [
  ['a page',                          1, ({ people }) => people.page(10)],
  ['a page after a person',           1, ({ people }) => people.page(10, '50')],
  ['100 persons',                     1, ({ people }) => people.byIds(ids)],
  ['10 friends of each of 100',       1, ({ people }) => people.friendsOf(ids, 10)],
  ['no friends of each of 100',       0, ({ people }) => people.friendsOf(ids, 0)],
  ['unknown ids',                   0, ({ people }) => people.byIds(['x', '0'])],
  ['a new person',                    4, ({ people }) => people.create({ name: 'A' })],
  ['a new person with an address',    4, ({ people }) => people.create({ name: 'A', address })],
  ['an update',                       4, ({ people }) => people.update('1', { age: 1 })],
  ['an update of an address',         4, ({ people }) => people.update('1', { address })],
  ['a conflict',                      4, ({ people }) => people.update('1', { age: 1 }, 77)],
  ['a replacement',                   4, ({ people }) => people.replace('1', { name: 'A' })],
  ['the end of a person',             6, ({ people }) => people.remove('2')],
  ['a friendship',                    4, ({ people }) => people.befriend('1', '50')],
  ['its end',                         4, ({ people }) => people.unfriend('1', '50')],
  ['a message',                       4, ({ messages }) => messages.send('1', 'hello')],
  ['a message read',                  1, ({ messages }) => messages.byId('1')],
  ['the last change',                 2, ({ changes }) => changes.last()],
  ['changes that were placed',        2, ({ changes }) => changes.after(0, 100)],
  ['old changes deleted',             1, ({ changes }) => changes.prune()],
  ['a new key',                       1, ({ keys }) => keys.create(key)],
  ['a key found',                     1, ({ keys }) => keys.find('h')],
  ['keys listed',                     1, ({ keys }) => keys.list('2026-08-01')],
  ['counts',                          4, ({ keys }) => keys.addUsage('2026-08-01', new Map([['k', 1], ['l', 2]]))],
  ['a second seeding',                1, (store) => store.seed()],
  ['the check whether it answers', 1, (store) => store.check()],
]

await onEachDatabase(t, 'each method asks as often as it must', async (t, open) => {
  const seen: [sql: string, milliseconds: number][] = []
  const store = await open({ onStatement: (sql, milliseconds) => seen.push([sql, milliseconds]) })
  t.ok(seen.length > 0, 'opening is seen too')
  await store.seed()
  for (const [name, statements, ask] of counts) {
    await store.changes.last() // places what was written before
    seen.length = 0
    await ask(store)
    t.equal(seen.length, statements, `${name}: ${seen.map(([sql]) => sql).join('; ')}`)
    t.ok(seen.every(([, milliseconds]) => milliseconds >= 0 && milliseconds < 60_000))
  }
})

await onEachDatabase(t, 'those who check whether it answers share a statement', async (t, open) => {
  let asked = 0
  const store = await open({ onStatement: () => (asked += 1) })
  asked = 0
  t.same(await Promise.all([store.check(), store.check(), store.check()]), [true, true, true])
  t.equal(asked, 1)
  await store.check()
  t.equal(asked, 2)
})

await onEachDatabase(t, 'values are never part of a statement', async (t, open) => {
  const seen: string[] = []
  const store = await open({ onStatement: (sql) => seen.push(sql) })
  await store.people.create({ name: 'SECRET', email: 'SECRET', address: { city: 'SECRET' } })
  await store.people.update('1', { name: 'SECRET', address: { city: 'SECRET' } })
  await store.messages.send('1', 'SECRET')
  await store.keys.create({ name: 'SECRET', hash: 'SECRET', scopes: [], limit: null })
  await store.keys.find('SECRET')
  await store.logins.create({ login: 'SECRET', passwordHash: 'SECRET', scopes: [] })
  await store.logins.find('SECRET')
  t.notOk(seen.some((sql) => sql.includes('SECRET')))
})
