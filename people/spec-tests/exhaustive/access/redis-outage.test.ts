import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import t, { type Test } from 'tap'
import { connectRedis } from '../../../access/limits.js'
import { listen, ownRedis, relayTo } from './services.js'

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
    await road.mend()
    while (link.client.status !== 'ready') await later()
    t.equal(await take(), 4 - outage, 'Redis has what it had, and one more')
    t.equal(faults.length, outage, 'each outage is reported once')
  }
  t.match(faults[0], { message: 'Redis is unavailable: each instance counts for itself.' })
})

t.test('a Redis that does not respond delays no request for long', async (t) => {
  const redis = await ownRedis(t)
  if (redis === undefined) return
  // As with a stopped server: the connection stays open, but nothing comes back.
  let isStopped = false
  const road = createServer((socket) => {
    const server = connect(6379, '127.0.0.1')
    socket.on('data', (bytes) => isStopped || server.write(bytes))
    server.on('data', (bytes) => isStopped || socket.write(bytes))
    socket.on('close', () => server.destroy()).on('error', () => {})
  })
  const url = `redis://127.0.0.1:${await listen(road)}?keyPrefix=${redis.prefix}`
  const { faults, link, take } = await countBy(t, url)
  t.teardown(() => road.close())
  t.equal(await take(), 4)
  isStopped = true
  t.equal(await take(), 4)
  const begun = performance.now()
  for (const left of [3, 2, 1, 0]) t.equal(await take(), left, 'the next requests do not wait')
  t.ok(performance.now() - begun < 400)
  t.equal(faults.length, 1)
  isStopped = false
  await once(link.client, 'close')
  while (link.client.status !== 'ready') await later()
  t.equal(await take(), 3, 'in Redis again')
})

t.test('the service starts without Redis', async (t) => {
  const { faults, link, take } = await countBy(t, 'redis://127.0.0.1:1')
  t.not(link.client.status, 'ready')
  t.match(faults, [{ cause: { code: 'ECONNREFUSED' } }])
  t.equal(await take(), 4)
})
