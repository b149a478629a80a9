import { success } from 'graphwire'
import t from 'tap'
import type { Store } from '../../store/open-store.js'
import { onEachDatabase } from './databases.js'

const nobody = '0 -1 01 +1 1.0 1e2 ٣ x 500 9007199254740991 9007199254740993 99999999999999999999'
  .split(' ')
  .concat('', ' 1', "1'; drop table persons; --")
const absent = { ok: false, reason: 'absent' }
const friendAbsent = { ok: false, reason: 'friend-absent' }

async function create(store: Store, ...names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push((await store.people.create({ name })).id)
  return ids
}

await onEachDatabase(t, 'a person is stored as given', async (t, open) => {
  const { people } = await open()
  const nothing = { age: null, email: null, version: 1, address: null }
  t.same(await people.create({ name: 'Ada' }), { id: '1', name: 'Ada', ...nothing })
  const whole = { name: '😀 Ünï', age: 0, email: 'a@example.com' }
  const address = { street: 'S', city: 'C', country: 'L' }
  const stored = { id: '2', ...whole, version: 1, address }
  t.same(await people.create({ ...whole, address }), stored)
  t.same(new Set((await people.byIds(['2', '1', '2'])).keys()), new Set(['1', '2']))
  t.same((await people.byIds(['2'])).get('2'), stored)
})

await onEachDatabase(t, 'impossible ids belong to no person', async (t, open) => {
  const { people, messages } = await open()
  await people.create({ name: 'Ada', address: { city: 'C' } })
  t.equal((await people.byIds(nobody)).size, 0)
  t.same([...(await people.friendsOf(nobody, 10)).values()].flat(), [])
  t.equal((await people.byIds([])).size, 0)
  t.equal((await people.friendsOf([], 10)).size, 0)
  for (const id of nobody) {
    t.same(await people.update(id, { name: 'B' }), absent, id)
    t.same(await people.replace(id, { name: 'B' }, 1), absent)
    t.same(await people.remove(id), absent)
    t.same(await people.befriend(id, '1'), absent)
    t.same(await people.befriend('1', id), friendAbsent)
    t.same(await people.unfriend(id, '1'), absent)
    t.same(await people.unfriend('1', id), friendAbsent)
    t.same(await people.page(10, id), { ok: false, reason: 'unknown-after' })
    t.same(await messages.send(id, 'hello'), absent)
    t.equal(await messages.byId(id), undefined)
  }
})

await onEachDatabase(t, 'pages follow the order of creation', async (t, open) => {
  const store = await open()
  const page = async (limit: number, after?: string) => {
    const outcome = await store.people.page(limit, after)
    return outcome.ok ? [outcome.value.people.map(({ id }) => id), outcome.value.hasMore] : outcome
  }
  t.same(await page(10), [[], false])
  t.same(await page(0), [[], false])
  await create(store, 'C', 'B', 'A')
  t.same(await page(0), [[], true])
  t.same(await page(2), [['1', '2'], true])
  t.same(await page(3), [['1', '2', '3'], false])
  t.same(await page(2, '1'), [['2', '3'], false])
  t.same(await page(1, '1'), [['2'], true])
  t.same(await page(10, '3'), [[], false])
  t.same(await page(0, '3'), [[], false])
  await store.people.remove('2')
  t.same(await page(1, '1'), [['3'], false])
  t.same(await page(1, '2'), { ok: false, reason: 'unknown-after' })
})

await onEachDatabase(t, 'an update merges', async (t, open) => {
  const { people } = await open()
  const address = { street: 'S', city: 'C', country: 'L' }
  await people.create({ name: 'Ada', age: 30, email: 'a@example.com', address })
  // oxfmt-ignore
  const steps: readonly [patch: object, person: object, address: object | null][] = [
    [{},                                            { name: 'Ada', age: 30, email: 'a@example.com' }, address],
    [{ name: 'B' },                                 { name: 'B', age: 30, email: 'a@example.com' },   address],
    [{ age: null, email: undefined },               { age: null, email: 'a@example.com' },            address],
    [{ email: null },                               { name: 'B', age: null, email: null },            address],
    [{ address: { city: null } },                   { name: 'B' },                                    { ...address, city: null }],
    [{ address: { city: 'D', street: undefined } }, {},                                               { ...address, city: 'D' }],
    [{ address: {} },                               {},                                               { ...address, city: 'D' }],
    [{ address: undefined },                        {},                                               { ...address, city: 'D' }],
    [{ address: { street: null, city: null } },     {},                                               { street: null, city: null, country: 'L' }],
    [{ address: { country: null } },                {},                                               null],
    [{ address: {} },                               {},                                               null],
    [{ address: { city: 'E' } },                    {},                                               { street: null, city: 'E', country: null }],
    [{ address: null },                             {},                                               null],
  ]
  for (const [index, [patch, person, addressAfter]] of steps.entries()) {
    const written = await people.update('1', patch)
    const expected = { id: '1', ...person, version: index + 2, address: addressAfter }
    t.match(written, success(expected), JSON.stringify(patch))
    t.same((await people.byIds(['1'])).get('1'), written.ok && written.value)
  }
})

await onEachDatabase(t, 'a replacement clears what it does not name', async (t, open) => {
  const { people } = await open()
  await people.create({ name: 'Ada', age: 30, email: 'a@example.com', address: { city: 'C' } })
  const address = { street: 'S', city: null, country: null }
  t.same(
    await people.replace('1', { name: 'B', address: { street: 'S' } }),
    success({ id: '1', name: 'B', age: null, email: null, version: 2, address }),
  )
  const cleared = success({ age: 5, version: 3, address: null })
  t.match(await people.replace('1', { name: 'C', age: 5 }), cleared)
})

await onEachDatabase(t, 'a write that expects another version changes nothing', async (t, open) => {
  const { people } = await open()
  await people.create({ name: 'Ada', address: { city: 'C' } })
  for (const version of [0, 2, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 53, 1e300]) {
    const conflict = { ok: false, reason: 'conflict' }
    t.same(await people.update('1', { name: 'B', address: null }, version), conflict, `${version}`)
    t.same(await people.replace('1', { name: 'B' }, version), conflict)
    t.same(await people.remove('1', version), conflict)
    t.same(await people.update('2', {}, version), { ok: false, reason: 'absent' })
    t.same(await people.remove('2', version), { ok: false, reason: 'absent' })
  }
  const unchanged = { name: 'Ada', version: 1, address: { city: 'C' } }
  t.match((await people.byIds(['1'])).get('1'), unchanged)
  t.match(await people.update('1', { name: 'B' }, 1), { ok: true, value: { version: 2 } })
  t.match(await people.replace('1', { name: 'C' }, 2), { ok: true, value: { version: 3 } })
  t.match(await people.remove('1', 3), { ok: true })
})

await onEachDatabase(t, 'an address of nulls is none', async (t, open) => {
  const { people } = await open()
  for (const address of [{}, { city: null }, { street: null, city: null, country: null }, null]) {
    const { id } = await people.create({ name: 'A', address })
    for (const write of [
      () => people.replace(id, { name: 'A', address }),
      () => people.update(id, { address }),
    ]) {
      t.equal((await people.byIds([id])).get(id)?.address, null)
      t.match(await write(), success({ address: null }))
    }
  }
})

await onEachDatabase(t, 'a removed person is returned as last known', async (t, open) => {
  const store = await open()
  const { people } = store
  const address = { street: 'S', city: 'C', country: null }
  await create(store, 'A', 'B')
  await people.create({ name: 'C', age: 7, address })
  await people.befriend('1', '3')
  await people.befriend('2', '3')
  const person = { id: '3', name: 'C', age: 7, email: null, version: 1, address }
  t.same(await people.remove('3', 1), success(person))
  t.same(await people.remove('3'), absent)
  t.same([...(await people.friendsOf(['1', '2', '3'], 10)).values()].flat(), [])
  t.same(await people.befriend('1', '3'), friendAbsent)
  t.same(await people.befriend('3', '1'), absent)
  t.same(await create(store, 'D'), ['4'], 'its id is never used again')
  t.match(await people.remove('4'), success({ address: null }))
  t.same(await create(store, 'E'), ['5'])
})

await onEachDatabase(t, 'text is kept to the letter', async (t, open) => {
  const { people, messages } = await open()
  const texts = ["';--", '%_\\', '"', '\u{1F600}\u0301', '\u2028\ufeff', '$1 ?', 'x'.repeat(10_000)]
  for (const text of texts) {
    const { id } = await people.create({ name: text, address: { city: text } })
    t.match((await people.byIds([id])).get(id), { name: text, address: { city: text } })
    const sent = await messages.send(id, text)
    t.equal(sent.ok && (await messages.byId(sent.value.id))?.text, text)
  }
})

await onEachDatabase(t, 'long lists of ids are one statement', async (t, open) => {
  const statements: string[] = []
  const { people } = await open({ onStatement: (sql) => statements.push(sql) })
  const { id } = await people.create({ name: 'A', address: { city: 'C' } })
  const ids = Array.from({ length: 70_000 }, (_, index) => String(index + 1))
  const friendsOf = (all: string[]) => people.friendsOf(all, 1)
  for (const ask of [people.byIds, friendsOf]) {
    statements.length = 0
    t.ok((await ask(ids)).has(id))
    t.equal(statements.length, 1)
  }
})
