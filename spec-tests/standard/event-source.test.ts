import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openSource } from '../../src/standard/standard-schema.js'

const end = { value: undefined, done: true }

void t.test('a source is open until it ends', async (t) => {
  const open = new Set<object>()
  let left = 2
  const source = openSource(open, async () => (left > 0 ? left-- : undefined))
  t.equal(open.size, 1)
  t.strictSame(await source.next(), { value: 2, done: false })
  t.strictSame(await source.next(), { value: 1, done: false })
  t.equal(open.size, 1)
  t.strictSame(await source.next(), end)
  t.equal(open.size, 0)
  t.strictSame(await source.next(), end)
})

void t.test('a source that fails is closed', async (t) => {
  const open = new Set<object>()
  const source = openSource(open, () => Promise.reject(new Error('broken')))
  await t.rejects(source.next(), { message: 'broken' })
  t.equal(open.size, 0)
  t.strictSame(await source.next(), end)
})

void t.test('return() counts in the same tick and ends what waits', async (t) => {
  const open = new Set<object>()
  const waits = [
    (signal: AbortSignal) => sleep(60_000, undefined, { signal }),
    (closing: AbortSignal) => once(closing, 'abort'),
  ]
  for (const wait of waits) {
    const source = openSource(open, async (closing) => {
      await wait(closing)
      return 'too late'
    })
    const waiting = source.next()
    const returned = source.return?.()
    t.equal(open.size, 0)
    t.strictSame(await returned, end)
    t.strictSame(await waiting, end, 'no event comes behind the end')
  }
})
