import t from 'tap'
import { createLimiter, type Count } from '../../access/limiter.js'

/** Counts in memory, at a time that the test sets. */
function count(maxIdentities = 100_000) {
  const clock = { time: 0 }
  const limiter = createLimiter('test', undefined, { maxIdentities, now: () => clock.time })
  const take = (identity: string, limit = 1, points = 1): Promise<Count> =>
    limiter.take(identity, limit, points)
  return { clock, take, allows: async (identity: string) => (await take(identity)).isAllowed }
}

t.test('10,000 addresses are counted each by itself', async (t) => {
  const { allows } = count()
  const addresses = Array.from({ length: 10_000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`)
  for (const expected of [true, false]) {
    const allowed = await Promise.all(addresses.map(allows))
    t.ok(allowed.every((one) => one === expected))
  }
})

t.test('where there are too many, the oldest is forgotten', async (t) => {
  const { allows } = count(3)
  for (const name of ['a', 'b', 'c']) t.ok(await allows(name))
  for (const name of ['a', 'b', 'c']) t.notOk(await allows(name), name)
  t.ok(await allows('d'))
  t.notOk(await allows('b'))
  t.ok(await allows('a'))
  t.notOk(await allows('c'))
})

t.test('a window that has ended makes room', async (t) => {
  const { allows, clock } = count(2)
  t.ok(await allows('a'))
  clock.time += 30_000
  t.ok(await allows('b'))
  clock.time += 30_000
  t.ok(await allows('c'))
  t.notOk(await allows('b'), 'it was not the one to go')
  t.ok(await allows('a'))
})

t.test('what does not fit takes no room from what does, even at the same instant', async (t) => {
  const { take } = count()
  await take('a', 10, 7)
  const counts = await Promise.all([4, 11, 3].map((points) => take('a', 10, points)))
  t.same(
    counts.map(({ isAllowed, remaining }) => [isAllowed, remaining]),
    [
      [false, 3],
      [false, 3],
      [true, 0],
    ],
  )
})
