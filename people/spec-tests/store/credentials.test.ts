import { success } from 'graphwire'
import t from 'tap'
import { onEachDatabase } from './databases.js'

const createdAt = '2026-08-01T12:00:00.000Z'
const now = () => new Date(createdAt)

await onEachDatabase(t, 'a key is found by its hash', async (t, open) => {
  const { keys } = await open({ now })
  const first = { name: 'first', scopes: ['read', 'write'], limit: 60 } as const
  const record = { ...first, createdAt, revokedAt: null }
  t.same(await keys.create({ ...first, hash: 'h1' }), success(record))
  t.same(await keys.find('h1'), record)
  t.equal(await keys.find('h2'), undefined)
  t.same(await keys.create({ ...first, hash: 'h2' }), { ok: false, reason: 'taken' })
  t.same(await keys.create({ ...first, name: 'x', hash: 'h1' }), { ok: false, reason: 'taken' })
  t.match(
    await keys.create({ name: 'none', scopes: [], limit: null, hash: 'h3' }),
    success({ scopes: [], limit: null }),
  )
})

await onEachDatabase(
  t,
  'a revoked key is found, as revoked, and keeps its name',
  async (t, open) => {
    const { keys } = await open({ now })
    await keys.create({ name: 'k', hash: 'h', scopes: ['read'], limit: null })
    t.equal(await keys.revoke('other'), false)
    t.equal(await keys.revoke('k'), true)
    t.equal(await keys.revoke('k'), false)
    t.match(await keys.find('h'), { name: 'k', revokedAt: createdAt })
    t.same(await keys.create({ name: 'k', hash: 'h2', scopes: ['read'], limit: null }), {
      ok: false,
      reason: 'taken',
    })
  },
)

await onEachDatabase(t, 'use is counted by key and day', async (t, open) => {
  const { keys } = await open({ now })
  for (const name of ['b', 'a', 'Z', 'é'])
    await keys.create({ name, hash: name, scopes: ['read'], limit: null })
  const used = async (day: string) => (await keys.list(day)).map((key) => [key.name, key.used])
  await keys.addUsage('2026-08-01', new Map())
  t.same(await used('2026-08-01'), [
    ['Z', 0],
    ['a', 0],
    ['b', 0],
    ['é', 0],
  ])
  await keys.addUsage(
    '2026-08-01',
    new Map([
      ['b', 2],
      ['a', 1],
    ]),
  )
  await keys.addUsage(
    '2026-08-01',
    new Map([
      ['a', 4],
      ['é', 3_000_000_000],
    ]),
  )
  await keys.addUsage('2026-08-02', new Map([['a', 9]]))
  t.same(await used('2026-08-01'), [
    ['Z', 0],
    ['a', 5],
    ['b', 2],
    ['é', 3_000_000_000],
  ])
  t.same(await used('2026-08-02'), [
    ['Z', 0],
    ['a', 9],
    ['b', 0],
    ['é', 0],
  ])
  const many = Array.from({ length: 2_500 }, (_, n) => [`k${n}`, 1] as const)
  await keys.addUsage('2026-08-02', new Map([...many, ['a', 1]]))
  t.same((await used('2026-08-02'))[1], ['a', 10])
})

await onEachDatabase(t, 'counts added at once are all there', async (t, open) => {
  const { keys } = await open({ now })
  const names = ['a', 'b', 'c', 'd']
  for (const name of names) await keys.create({ name, hash: name, scopes: ['read'], limit: null })
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const order = n % 2 === 0 ? names : names.toReversed()
      return keys.addUsage('2026-08-01', new Map(order.map((name) => [name, 1])))
    }),
  )
  t.same(
    (await keys.list('2026-08-01')).map((key) => key.used),
    [20, 20, 20, 20],
  )
})

await onEachDatabase(t, 'a login is found by its name, to the letter', async (t, open) => {
  const { logins } = await open({ now })
  const ada = { login: 'ada', passwordHash: 'scrypt$1', scopes: ['write'] } as const
  t.same(await logins.create(ada), success({ ...ada, createdAt }))
  t.same(await logins.create({ ...ada, passwordHash: 'other' }), { ok: false, reason: 'taken' })
  await logins.create({ ...ada, login: 'Bob' })
  t.same(await logins.find('ada'), { ...ada, createdAt })
  t.equal(await logins.find('Ada'), undefined)
  t.same(
    (await logins.list()).map(({ login }) => login),
    ['Bob', 'ada'],
  )
  t.equal(await logins.remove('ada'), true)
  t.equal(await logins.remove('ada'), false)
  t.equal(await logins.find('ada'), undefined)
})
