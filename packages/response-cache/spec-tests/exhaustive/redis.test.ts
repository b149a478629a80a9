import { redisStore, responseCache } from '@graphwire/response-cache'
import type { RedisCommand, ResponseStore } from '@graphwire/response-cache'
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

  test('a tag does not keep the keys of all responses that have expired', async (t, command) => {
    const prefix = prefixOf('expired')
    const store = redisStore({ command, prefix })
    const response = { headers: [], body: '{}', madeAt: 0, freshUntil: 0 }
    const save = (at: number, lifetime: number) =>
      store.save({ key: String(at), response, tags: ['Product'], epoch: 0, lifetime })
    await save(0, 60_000)
    for (let at = 1; at <= 300; at++) await save(at, 1)
    const count = await command(
      'EVAL',
      "return redis.call('SCARD', ARGV[1])",
      '0',
      `${prefix}t:Product`,
    )
    t.ok(Number(count) < 100, `${String(count)} keys`)
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
