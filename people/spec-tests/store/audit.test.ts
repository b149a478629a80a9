import t from 'tap'
import { onEachDatabase } from './databases.js'

const actor = { principal: 'key:ci', requestId: 'r1' }

await onEachDatabase(t, 'each write to a person has an entry', async (t, open) => {
  const store = await open({ now: () => new Date('2026-08-01T12:00:00Z') })
  const { people, messages } = store.as(actor)
  await people.create({ name: 'A' })
  await people.create({ name: 'B', address: { city: 'SECRET' } })
  await people.update('1', { name: 'SECRET' })
  await people.replace('1', { name: 'SECRET' }, 2)
  await people.befriend('1', '2')
  await people.befriend('2', '1')
  await people.unfriend('1', '2')
  await people.unfriend('1', '2')
  await messages.send('2', 'SECRET')
  await people.remove('1')
  // None of these is a write.
  await people.update('2', { age: 1 }, 77)
  await people.update('9', { age: 1 })
  await people.remove('9')
  await people.befriend('2', '9')
  await messages.send('9', 'x')
  await people.page(10)
  const entries = await store.audit.list({ limit: 100 })
  const lines = entries.map(
    (one) => `${one.operation} ${one.personId}: ${one.versionBefore} to ${one.versionAfter}`,
  )
  t.strictSame(lines, [
    'create 1: null to 1',
    'create 2: null to 1',
    'update 1: 1 to 2',
    'replace 1: 2 to 3',
    'befriend 1: 3 to 3',
    'befriend 2: 1 to 1',
    'unfriend 1: 3 to 3',
    'unfriend 2: 1 to 1',
    'send 2: null to null',
    'remove 1: 3 to null',
  ])
  for (const entry of entries) t.match(entry, { at: '2026-08-01T12:00:00.000Z', ...actor })
  t.notMatch(JSON.stringify(entries), 'SECRET')
  await store.people.create({ name: 'C' })
  t.equal((await store.audit.list({ limit: 100 })).length, 10, 'this one has no author')
})

await onEachDatabase(t, 'entries are found by person, principal and time', async (t, open) => {
  let now = Date.UTC(2026, 0, 1)
  const store = await open({ now: () => new Date(now) })
  const day = 86_400_000
  for (const principal of ['key:a', 'login:b', 'key:a']) {
    await store.as({ principal, requestId: 'r' }).people.create({ name: 'A' })
    now += day
  }
  await store.as(actor).people.update('1', { age: 1 })
  const idsOf = async (filter: object) =>
    (await store.audit.list({ limit: 10, ...filter })).map(({ id }) => id)
  const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * day)
  // oxfmt-ignore
  const rows: readonly [filter: object, ids: readonly number[]][] = [
    [{},                                           [1, 2, 3, 4]],
    [{ limit: 2 },                                 [3, 4]],
    [{ personId: '1' },                            [1, 4]],
    [{ personId: 'x' },                            []],
    [{ principal: 'key:a' },                       [1, 3]],
    [{ principal: 'key' },                         []],
    [{ since: at(1) },                             [2, 3, 4]],
    [{ until: at(1) },                             [1]],
    [{ since: at(1), until: at(3), principal: 'login:b' }, [2]],
  ]
  for (const [filter, ids] of rows) t.strictSame(await idsOf(filter), ids, JSON.stringify(filter))
  t.equal(await store.audit.prune(at(2), 1), 1, 'the oldest first')
  t.equal(await store.audit.prune(at(2), 10), 1)
  t.strictSame(await idsOf({}), [3, 4])
})
