import { redisStore, responseCache } from '@graphwire/response-cache'
import type { Entry, RedisCommand, ResponseStore } from '@graphwire/response-cache'
import { createHandler } from 'graphwire'
import { testClient } from 'graphwire/testing'
import t, { type Test } from 'tap'
import { redisClients } from '../../../pubsub/spec-tests/exhaustive/transports/redis-clients.js'
import { relayTo, type Relay } from '../../../pubsub/spec-tests/exhaustive/transports/relay.js'
import { createShop } from '../shop.js'

/** An instance of a service that shares its stored responses with the others. */
function startInstance(store: ResponseStore) {
  const shop = createShop()
  const faults: unknown[] = []
  const cache = responseCache({ store, version: () => '1', onFault: (fault) => faults.push(fault) })
  const send = testClient(createHandler({ schema: shop.schema, use: [cache.extension] }))
  return { shop, cache, faults, ask: (query: string) => send({ json: { query } }) }
}

/** Deletes all keys but those of responses. ARGV: the pattern of keys. */
const evictScript = `
local deleted = 0
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  if not key:find('}:r:', 1, true) then deleted = deleted + redis.call('DEL', key) end
end
return deleted
`

for (const [name, connect] of redisClients) {
  const test = (
    title: string,
    run: (t: Test, command: RedisCommand, relay: Relay) => Promise<void>,
  ): void => {
    void t.test(`${name}: ${title}`, async (t) => {
      const relay = await relayTo(t, 'Redis', 6379)
      if (relay === undefined) return
      const { command, close } = await connect(relay.port)
      t.teardown(close)
      await run(t, command, relay)
    })
  }
  const prefixOf = (title: string): string => `{test-${process.pid}-${name}-${title}}:`

  test('instances share responses, and what one invalidates is gone for all', async (t, command) => {
    const store = redisStore({ command, prefix: prefixOf('share') })
    const [one, other] = [startInstance(store), startInstance(store)]
    const query = '{ products { id name } }'
    const first = await one.ask(query)
    const stored = await waitFor(
      () => other.ask(query),
      ({ headers }) => headers.has('age'),
    )
    t.equal(stored.body, first.body)
    await one.ask('mutation { rename(id: 7, name: "x") { id } }')
    t.ok((await other.ask(query)).headers.has('age'), 'another object')
    await one.ask('mutation { rename(id: 1, name: "x") { id } }')
    t.notOk((await other.ask(query)).headers.has('age'))
    await waitFor(
      () => one.ask(query),
      ({ headers }) => headers.has('age'),
    )
    await other.cache.invalidate([{ typename: 'Product' }])
    t.notOk((await one.ask(query)).headers.has('age'))
    t.strictSame([...one.faults, ...other.faults], [])
  })

  test('a response with thousands of ids has 500 tags, and one for the whole type', async (t, command) => {
    const prefix = prefixOf('many')
    const { ask } = startInstance(redisStore({ command, prefix }))
    const query = '{ many(n: 5000) { id } }'
    const isStored = async (): Promise<boolean> => (await ask(query)).headers.has('age')
    await waitFor(isStored, (isSo) => isSo)
    const tags = (await command('KEYS', `*${prefix}t:*`)) as readonly string[]
    t.equal(tags.length, 502, 'with that of the type itself')
    await ask('mutation { rename(id: 4000, name: "x") { id } }')
    t.notOk(await isStored())
  })

  test('what is invalidated while it is executed is not stored', async (t, command) => {
    const store = redisStore({ command, prefix: prefixOf('race') })
    const { ask, cache, shop } = startInstance(store)
    const query = '{ slow products { id } }'
    const answer = ask(query)
    await shop.waiting(1)
    await cache.invalidate([{ typename: 'Product' }])
    shop.go()
    await answer
    const again = ask(query)
    await shop.waiting(1)
    shop.go()
    t.notOk((await again).headers.has('age'))
  })

  test('what is changed is gone, whatever Redis has evicted', async (t, command) => {
    const prefix = prefixOf('evicted')
    const { ask, cache } = startInstance(redisStore({ command, prefix }))
    const query = '{ products { id name } }'
    const isStored = async (): Promise<boolean> => (await ask(query)).headers.has('age')
    const rename = 'mutation { rename(id: 1, name: "x") { id } }'
    await ask(rename)
    for (const change of [() => ask(rename), () => cache.invalidate([{ typename: 'Product' }])]) {
      await waitFor(isStored, (isSo) => isSo)
      t.ok(Number(await command('EVAL', evictScript, '0', `*${prefix}*`)) > 3)
      await change()
      t.notOk(await isStored())
    }
  })

  const entryOf = (epoch: number, body: string, key = 'k'): Entry => ({
    key,
    response: { headers: [], body, madeAt: 0, freshUntil: 0 },
    tags: ['Product:1'],
    epoch,
    lifetime: 60_000,
  })

  test('what ran during an invalidation is not found, though its tag was evicted', async (t, command) => {
    const prefix = prefixOf('tag')
    const store = redisStore({ command, prefix })
    const { epoch } = await store.find('k')
    await store.save(entryOf(epoch, 'old'))
    await store.invalidate(['Product:1'])
    await command('DEL', `${prefix}t:Product:1`)
    await store.save(entryOf(epoch, 'late', 'other'))
    t.equal((await store.find('k')).response, undefined)
    t.equal((await store.find('other')).response, undefined)
  })

  test('an older response does not take the place of a newer one', async (t, command) => {
    const store = redisStore({ command, prefix: prefixOf('older') })
    const { epoch } = await store.find('k')
    await store.invalidate(['Product:1'])
    await store.save(entryOf((await store.find('k')).epoch, 'new'))
    await store.save(entryOf(epoch, 'old'))
    t.equal((await store.find('k')).response?.body, 'new')
  })

  test('an epoch that was evicted becomes greater than any before', async (t, command) => {
    const prefix = prefixOf('epoch')
    const store = redisStore({ command, prefix })
    await store.invalidate(['Product:1'])
    const { epoch } = await store.find('k')
    await command('DEL', `${prefix}epoch`)
    t.ok((await store.find('k')).epoch > epoch)
  })

  test('an interruption costs nothing but the cache, which comes back', async (t, command, relay) => {
    const store = redisStore({ command, prefix: prefixOf('cut'), timeout: 50 })
    const { ask, faults } = startInstance(store)
    const query = '{ products { id } }'
    await ask(query)
    await waitFor(
      () => ask(query),
      ({ headers }) => headers.has('age'),
    )
    await relay.cut()
    t.equal((await ask(query)).status, 200)
    t.equal((await ask('mutation { rename(id: 1, name: "x") { id } }')).status, 200)
    t.ok(faults.length > 0)
    await relay.mend()
    await waitFor(
      () => ask(query),
      ({ headers }) => headers.has('age'),
    )
  })
}

/** Asks until it is so: a response is stored after it has been sent. */
async function waitFor<Value>(
  ask: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await ask()
    if (isSo(value)) return value
    await new Promise((resolve) => setImmediate(resolve))
  }
}
