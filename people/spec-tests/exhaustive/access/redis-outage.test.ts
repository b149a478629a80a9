import { once } from 'node:events'
import t, { type Test } from 'tap'
import { connectRedis } from '../../../access/limits.js'
import { ownRedis, relayTo } from './services.js'

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

/** Counts in Redis, by this road. */
async function countBy(t: Test, url: string) {
  const faults: unknown[] = []
  const link = await connectRedis(url, (fault) => faults.push(fault))
  const quota = { policy: 'key', identity: 'a', limit: 5, window: 60 }
  const counter = link.createCounter()
  const take = async (): Promise<number> => (await counter.take(quota, 1)).remaining
  t.teardown(() => link.close())
  return { faults, link, take }
}

t.test('while Redis is unavailable each instance counts alone, then together again', async (t) => {
  const redis = await ownRedis(t)
  if (redis === undefined) return
  const road = (await relayTo(t, 'Redis', 6379))!
  const url = `redis://127.0.0.1:${road.port}?keyPrefix=${redis.prefix}`
  const { faults, link, take } = await countBy(t, url)

  t.equal(await take(), 4)
  t.equal(await redis.client.get(`${redis.prefix}people:key:a`), '1')
  for (const outage of [1, 2]) {
    await road.cut()
    t.equal(await take(), 5 - outage, 'counted in memory')
    while (faults.length < outage) await later()
    while (link.client.status !== 'reconnecting') await later()
    await road.mend()
    await once(link.client, 'ready')
    t.equal(await take(), 4 - outage, 'Redis has what it had, and one more')
    t.equal(faults.length, outage, 'each outage is reported once')
  }
  t.match(faults[0], { message: 'Redis is unavailable: each instance counts for itself.' })
})

t.test('a Redis that does not respond delays no request for long', async (t) => {
  const redis = await ownRedis(t)
  if (redis === undefined) return
  const { faults, link, take } = await countBy(t, redis.url)
  // As with a stopped server: the connection stays open, but nothing comes back.
  let sent = 0
  t.intercept(link.client, 'sendCommand', { value: () => ((sent += 1), new Promise(() => {})) })
  t.equal(await take(), 4)
  t.equal(await take(), 3)
  t.equal(sent, 2, 'the next request is not sent there, only a PING')
  t.match(faults, [{ cause: { message: 'Redis did not answer within 500 ms.' } }])
})

t.test('the service starts without Redis', async (t) => {
  const { faults, take } = await countBy(t, 'redis://127.0.0.1:1')
  t.match(faults, [{ cause: { code: 'ECONNREFUSED' } }])
  t.equal(await take(), 4)
})
