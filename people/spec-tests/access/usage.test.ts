import t from 'tap'
import { createUsage } from '../../access/access.js'
import { onEachDatabase } from '../store/databases.js'
import { addKey, serveAccess } from './served.js'

/** A counter over a list of what was written, which can be told to fail. */
function counter() {
  const written: [day: string, counts: Record<string, number>][] = []
  const faults: unknown[] = []
  const world = { time: new Date('2026-08-01T23:59:59.900Z'), isAway: false }
  const addUsage = async (day: string, counts: ReadonlyMap<string, number>): Promise<void> => {
    if (world.isAway) throw new Error('away')
    written.push([day, Object.fromEntries(counts)])
  }
  const onFault = (fault: unknown) => faults.push(fault)
  const usage = createUsage({ addUsage }, () => world.time, onFault)
  return { usage, written, faults, world }
}

t.test('counts are added up by key and day, in UTC', async (t) => {
  const { usage, written, world } = counter()
  usage.count('a', 1)
  usage.count('b', 2)
  usage.count('a', 3)
  world.time = new Date('2026-08-02T00:00:00Z')
  usage.count('a', 5)
  await usage.close()
  const second = ['2026-08-02', { a: 5 }]
  t.same(written, [['2026-08-01', { a: 4, b: 2 }], second])
})

t.test('each count is written once', async (t) => {
  const { usage, written } = counter()
  usage.count('a', 1)
  await Promise.all([usage.flush(), usage.flush()])
  await usage.flush()
  await usage.close()
  t.same(written, [['2026-08-01', { a: 1 }]])
})

t.test('an unavailable database loses no counts, until the service ends', async (t) => {
  const { usage, written, faults, world } = counter()
  world.isAway = true
  usage.count('a', 1)
  await usage.flush()
  usage.count('a', 2)
  world.isAway = false
  await usage.flush()
  t.same(written, [['2026-08-01', { a: 3 }]])
  t.same(faults, [])
  world.isAway = true
  usage.count('a', 1)
  await usage.close()
  t.match(faults, [{ message: 'The usage of API keys could not be stored.' }])
})

await onEachDatabase(t, 'usage', async (t, open) => {
  const store = await open()
  await t.test('root fields are counted for the key, with aliases, without limits', async (t) => {
    const now = (): Date => new Date('2026-08-01T12:00:00Z')
    const key = await addKey(store, 'counted', ['read'])
    const first = await serveAccess(t, { store, now, rateLimit: 'off' })
    const other = await serveAccess(t, { store, now })
    await first.run('{ a: who b: who address }', { 'X-API-Key': key })
    await other.run('{ who }', { 'X-API-Key': key })
    await first.run('{ who }')
    await first.access.close()
    await other.access.close()
    t.match(await store.keys.list('2026-08-01'), [{ name: 'counted', used: 4 }])
    t.match(await store.keys.list('2026-08-02'), [{ name: 'counted', used: 0 }])
  })
  await t.test('counts are written while the service runs', async (t) => {
    const key = await addKey(store, 'running', ['read'])
    const served = await serveAccess(t, { store })
    await served.run('{ who }', { 'X-API-Key': key })
    const today = new Date().toISOString().slice(0, 10)
    const used = async () =>
      (await store.keys.list(today)).find(({ name }) => name === 'running')?.used
    while ((await used()) === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    t.equal(await used(), 1)
  })
})
