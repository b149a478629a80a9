import t from 'tap'
import { createLimiter, createMemoryLimiter } from '../../access/limiter.js'

t.test('10,000 addresses are counted each by itself', async (t) => {
  const limiter = createMemoryLimiter(2, 60)
  t.teardown(() => limiter.clear())
  const addresses = Array.from({ length: 10_000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`)
  for (const address of addresses) await limiter.consume(address, 1)
  for (const address of addresses) await limiter.consume(address, 1)
  for (const address of addresses) await t.rejects(limiter.consume(address, 1))
})

t.test('where there are too many, the oldest is forgotten', async (t) => {
  const limiter = createMemoryLimiter(1, 60, 3)
  t.teardown(() => limiter.clear())
  for (const name of ['a', 'b', 'c']) await limiter.consume(name, 1)
  for (const name of ['a', 'b', 'c']) await t.rejects(limiter.consume(name, 1), name)
  await limiter.consume('d', 1)
  await t.rejects(limiter.consume('b', 1))
  await limiter.consume('a', 1)
  await t.rejects(limiter.consume('c', 1))
})

t.test('a window that has ended makes room', async (t) => {
  let time = Date.now()
  t.intercept(Date, 'now', { value: () => time })
  const limiter = createMemoryLimiter(1, 60, 2)
  t.teardown(() => limiter.clear())
  await limiter.consume('a', 1)
  time += 30_000
  await limiter.consume('b', 1)
  time += 30_000
  await limiter.consume('c', 1)
  await t.rejects(limiter.consume('b', 1), 'it was not the one to go')
  await t.resolves(limiter.consume('a', 1))
})

t.test('nothing that was counted is left behind', async (t) => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const limiter = createMemoryLimiter(1, 60)
  for (let at = 0; at < 100; at += 1) await limiter.consume(String(at), 1)
  limiter.clear()
  const after = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  t.equal(after, before)
  await t.resolves(limiter.consume('1', 1), 'it starts again')
  limiter.clear()
})

t.test("what does not fit is in nobody's way, not even at the same instant", async (t) => {
  const limiter = createMemoryLimiter(10, 60)
  t.teardown(() => limiter.clear())
  await limiter.consume('a', 7)
  const settled = await Promise.allSettled([
    limiter.consume('a', 4),
    limiter.consume('a', 11),
    limiter.consume('a', 3),
  ])
  t.same(
    settled.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
})

t.test('no client waits longer than a window when the clock is changed', async (t) => {
  for (const change of [-86_400_000, 86_400_000, -1_000]) {
    const start = performance.timeOrigin
    let passed = 0
    t.intercept(Date, 'now', { value: () => start + passed })
    const limiter = createLimiter('fields', undefined)
    await limiter.take('a', 5, 5)
    passed = change
    const { reset } = await limiter.take('a', 5, 1)
    t.ok(reset >= 1 && reset <= 60, `${reset} s`)
    limiter.close()
  }
})
