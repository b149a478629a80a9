import t from 'tap'
import { onEachDatabase } from './databases.js'

const createdAt = '2026-08-01T12:00:00.000Z'
const now = () => new Date(createdAt)

await onEachDatabase(t, 'a key is found by its hash', async (t, open) => {
  const { keys } = await open({ now })
  const first = { name: 'first', scopes: ['read', 'write'], limit: 60 } as const
  const record = { ...first, createdAt, revokedAt: null }
  t.equal(await keys.create({ ...first, hash: 'h1' }), true)
  t.same(await keys.find('h1'), record)
  t.equal(await keys.find('h2'), undefined)
  t.equal(await keys.create({ ...first, hash: 'h2' }), false)
  t.equal(await keys.create({ ...first, name: 'x', hash: 'h1' }), false)
  await keys.create({ name: 'none', scopes: [], limit: null, hash: 'h3' })
  t.match(await keys.find('h3'), { scopes: [], limit: null })
})

await onEachDatabase(t, 'a revoked key is found, and keeps its name', async (t, open) => {
  const { keys } = await open({ now })
  await keys.create({ name: 'k', hash: 'h', scopes: ['read'], limit: null })
  t.equal(await keys.revoke('other'), false)
  t.equal(await keys.revoke('k'), true)
  t.equal(await keys.revoke('k'), false)
  t.match(await keys.find('h'), { name: 'k', revokedAt: createdAt })
  const again = await keys.create({ name: 'k', hash: 'h2', scopes: ['read'], limit: null })
  t.equal(again, false)
})

const inC = ['Z', 'a', 'b', 'é']

await onEachDatabase(t, 'use is counted by key and day', async (t, open) => {
  const { keys } = await open({ now })
  for (const name of inC.toReversed()) {
    await keys.create({ name, hash: name, scopes: ['read'], limit: null })
  }
  const used = async (day: string) => {
    const all = await keys.list(day)
    const names = all.map(({ name }) => name)
    t.same(names, inC)
    return all.map((key) => key.used)
  }
  const add = (day: string, counts: { readonly [name: string]: number }) =>
    keys.addUsage(day, new Map(Object.entries(counts)))
  await add('2026-08-01', {})
  t.same(await used('2026-08-01'), [0, 0, 0, 0])
  await add('2026-08-01', { b: 2, a: 1 })
  await add('2026-08-01', { a: 4, é: 3_000_000_000 })
  await add('2026-08-02', { a: 9 })
  t.same(await used('2026-08-01'), [0, 5, 2, 3_000_000_000])
  t.same(await used('2026-08-02'), [0, 9, 0, 0])
  const many = Array.from({ length: 2_500 }, (_, n) => [`k${n}`, 1] as const)
  await add('2026-08-02', { ...Object.fromEntries(many), a: 1 })
  t.same(await used('2026-08-02'), [0, 10, 0, 0])
  const together = Array.from({ length: 20 }, (_, n) => {
    const order = n % 2 === 0 ? inC : inC.toReversed()
    return keys.addUsage('2026-08-03', new Map(order.map((name) => [name, 1])))
  })
  await Promise.all(together)
  t.same(await used('2026-08-03'), [20, 20, 20, 20], 'at once')
})

await onEachDatabase(t, 'a login is found by its name, to the letter', async (t, open) => {
  const { logins } = await open({ now })
  const ada = { login: 'ada', passwordHash: 'scrypt$1', scopes: ['write'] } as const
  t.equal(await logins.create(ada), true)
  t.equal(await logins.create({ ...ada, passwordHash: 'other' }), false)
  await logins.create({ ...ada, login: 'Bob' })
  t.same(await logins.find('ada'), { ...ada, createdAt })
  t.equal(await logins.find('Ada'), undefined)
  const names = (await logins.list()).map(({ login }) => login)
  t.same(names, ['Bob', 'ada'])
  t.equal(await logins.remove('ada'), true)
  t.equal(await logins.remove('ada'), false)
  t.equal(await logins.find('ada'), undefined)
})
