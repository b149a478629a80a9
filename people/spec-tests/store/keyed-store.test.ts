import { failure, success } from 'graphwire'
import t from 'tap'
import { keptFor, type KeptResponse, type RequestStores } from '../../store/keyed-store.js'
import type { Store } from '../../store/open-store.js'
import { namesIn, onEachDatabase, onPostgres, onSharedDatabases } from './databases.js'

const request = { principal: 'key:a', key: 'k', fingerprint: 'f' }
const actor = { principal: 'key:a', requestId: 'r1' }
const response: KeptResponse = { status: 201, headers: ['ETag', '"1"'], body: '{"ü":1}' }

async function create(name: string, { people }: RequestStores) {
  await people.create({ name })
  return success(response)
}

const once = (store: Store, name: string, changes: Partial<typeof request> = {}) =>
  store.keyed.once({ ...request, ...changes }, actor, (stores) => create(name, stores))

await onEachDatabase(t, 'a key is done once', async (t, open) => {
  const store = await open()
  t.strictSame(await once(store, 'first'), { kind: 'done', response })
  t.strictSame(await once(store, 'again'), { kind: 'kept', response })
  t.strictSame(await once(store, 'else', { fingerprint: 'g' }), { kind: 'other' })
  t.strictSame(await once(store, 'of b', { principal: 'key:b' }), { kind: 'done', response })
  t.strictSame(await once(store, 'l', { key: 'l' }), { kind: 'done', response })
  t.strictSame(await namesIn(store), ['first', 'of b', 'l'])
  const audit = await store.audit.list({ limit: 10 })
  const entry = { operation: 'create', ...actor }
  t.match(audit, [entry, entry, entry])
  t.equal(audit.length, 3)
})

await onEachDatabase(t, 'a key that is running is not waited for', async (t, open) => {
  const store = await open()
  const outcome = await store.keyed.once(request, actor, async (stores) => {
    t.strictSame(await once(store, 'second'), { kind: 'running' })
    return create('first', stores)
  })
  t.match(outcome, { kind: 'done' })
  t.match(await once(store, 'third'), { kind: 'kept' })
  t.strictSame(await namesIn(store), ['first'])
})

await onPostgres(t, 'nor is one that runs at another instance', async (t, open) => {
  const [one, other] = [await open(), await open()]
  const outcome = await one.keyed.once(request, actor, async (stores) => {
    t.strictSame(await once(other, 'second'), { kind: 'running' })
    t.match(await once(other, 'else', { key: 'l' }), { kind: 'done' })
    return create('first', stores)
  })
  t.match(outcome, { kind: 'done' })
  t.match(await once(other, 'third'), { kind: 'kept' })
})

await onEachDatabase(t, 'what fails leaves neither a write nor a key', async (t, open) => {
  const store = await open()
  let news = 0
  store.changes.listen(() => (news += 1))
  const undone = await store.keyed.once(request, actor, async (stores) => {
    await create('undone', stores)
    return failure('why')
  })
  t.strictSame(undone, { kind: 'undone', reason: 'why' })
  const thrown = store.keyed.once(request, actor, async (stores) => {
    await create('thrown', stores)
    throw new RangeError('bug')
  })
  await t.rejects(thrown, new RangeError('bug'))
  t.equal(news, 0)
  t.strictSame(await namesIn(store), [])
  t.strictSame(await store.audit.list({ limit: 10 }), [])
  t.match(await once(store, 'done'), { kind: 'done' })
  t.equal(news, 1)
  const [change, ...others] = await store.changes.after(0, 10)
  t.match(change, { kind: 'ADDED', body: { name: 'done' } })
  t.strictSame(others, [])
})

await onEachDatabase(t, 'one transaction sees itself', async (t, open) => {
  const store = await open()
  const one = await store.people.create({ name: 'one' })
  let late: RequestStores | undefined
  const outcome = await store.keyed.once(request, actor, async (stores) => {
    const { people, messages } = stores
    late = stores
    const made = await people.create({ name: 'two', address: { city: 'Rome' } })
    t.match(await people.update(one.id, { age: 3 }, 7), { ok: false, reason: 'conflict' })
    await people.befriend(made.id, one.id)
    const [found, friends, sent] = await Promise.all([
      people.byIds([made.id]),
      people.friendsOf([made.id, one.id], 5),
      messages.send(made.id, 'hello'),
    ])
    t.match(found.get(made.id), { name: 'two', address: { city: 'Rome' } })
    t.match(friends.get(made.id), [{ name: 'one' }])
    t.match(sent, { ok: true })
    t.match(await people.remove(one.id), { ok: true })
    return success(response)
  })
  t.match(outcome, { kind: 'done' })
  t.strictSame(await namesIn(store), ['two'])
  await t.rejects(async () => late?.people.create({ name: 'late' }), { name: 'StoreUnavailable' })
  t.strictSame(await namesIn(store), ['two'])
})

await onEachDatabase(t, 'keys expire after a day, and are deleted', async (t, open) => {
  let now = Date.UTC(2026, 0, 1)
  const store = await open({ now: () => new Date(now) })
  await once(store, 'first')
  await once(store, 'other', { key: 'l' })
  now += keptFor - 1
  t.match(await once(store, 'again'), { kind: 'kept' })
  t.equal(await store.keyed.sweep(10), 0)
  now += 1
  t.match(await once(store, 'new', { fingerprint: 'g' }), { kind: 'done' })
  t.match(await once(store, 'new'), { kind: 'other' })
  t.equal(await store.keyed.sweep(10), 1)
  now += keptFor
  await once(store, 'm', { key: 'm' })
  t.equal(await store.keyed.sweep(10), 1)
  t.strictSame(await namesIn(store), ['first', 'other', 'new', 'm'])
})

await onSharedDatabases(t, 'of several stores, one does the work', async (t, open) => {
  const stores = await Promise.all([open(), open(), open()])
  for (let round = 0; round < 10; round += 1) {
    const key = `round ${round}`
    const all = Array.from({ length: 12 }, (_, at) => once(stores[at % 3]!, key, { key }))
    const outcomes = await Promise.all(all)
    t.equal(outcomes.filter(({ kind }) => kind === 'done').length, 1)
    t.ok(outcomes.every(({ kind }) => ['done', 'kept', 'running'].includes(kind)))
  }
  t.equal((await namesIn(stores[0])).length, 10)
})

await onEachDatabase(t, 'the keys of a principal are limited', async (t, open) => {
  let time = Date.parse('2026-08-01T00:00:00Z')
  const store = await open({ now: () => new Date(time), keptKeys: 3 })
  const at = (key: string, principal = 'key:a') => once(store, key, { key, principal })
  await store.keyed.once({ ...request, key: 'undone' }, actor, async () => failure('why'))
  time += 5_000
  t.match(await at('1'), { kind: 'done' }, 'what failed left no key')
  time += 5_000
  for (const key of ['2', '3']) t.match(await at(key), { kind: 'done' })
  t.match(await at('4'), { kind: 'full' })
  t.match(await at('1'), { kind: 'kept' })
  t.match(await at('1', 'key:b'), { kind: 'done' }, 'of another principal')
  time += 90_000
  const retryAfter = keptFor / 1_000 - 95
  t.strictSame(await at('6'), { kind: 'full', retryAfter }, 'until the oldest is deleted')
  time += keptFor - 95_000
  t.match(await at('6'), { kind: 'done' })
  t.match(await at('7'), { kind: 'full' })
})

await onPostgres(t, 'other instances see them', async (t, open) => {
  const options = { keptKeys: 1 }
  const [one, other] = [await open(options), await open(options)]
  t.match(await once(other, 'b', { principal: 'key:b' }), { kind: 'done' })
  t.match(await once(one, 'a'), { kind: 'done' })
  t.match(await once(other, 'a2', { key: 'l' }), { kind: 'full' })
  t.match(await once(one, 'b2', { key: 'l', principal: 'key:b' }), { kind: 'full' })
})
