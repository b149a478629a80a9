import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { Store } from '../store/open-store.js'
import { repeat, sweep } from '../service.js'

void t.test('old rows are deleted and counted, only so many in a round', async (t) => {
  const cutoffs: Date[] = []
  const swept: { [table: string]: number } = {}
  const store = {
    changes: { prune: async () => {} },
    keyed: { sweep: async (most: number) => Math.min(most, 1_200) },
    audit: {
      async prune(before: Date, most: number) {
        cutoffs.push(before)
        return Math.min(most, 25_000)
      },
    },
  } as unknown as Store
  t.equal(await sweep(store, 2, (table, rows) => (swept[table] = rows)), true, 'there are more')
  t.equal(
    await sweep({ ...store, audit: { ...store.audit, prune: async () => 4_999 } }, 2, () => {}),
    false,
  )
  t.strictSame(swept, { idempotency_keys: 1_200, audit: 5_000 })
  const age = Date.now() - (cutoffs[0]?.getTime() ?? 0)
  t.ok(Math.abs(age - 2 * 86_400_000) < 10_000)
})

void t.test('a fault of a round is only reported, and further rounds follow', async (t) => {
  const faults: unknown[] = []
  const work = (): Promise<boolean> => Promise.reject(new Error('away'))
  const housekeeping = repeat(work, { pause: 1, soon: 1 }, (fault) => faults.push(fault))
  while (faults.length < 2) await wait(1)
  await housekeeping.close()
  t.match(faults, [{ message: 'away' }, { message: 'away' }])
})

void t.test('while there is more to do, the next round comes soon', async (t) => {
  let rounds = 0
  const { setTimeout: plan } = globalThis
  const pauses = t.capture(globalThis, 'setTimeout', (run: () => void) => plan(run, 0))
  const times = { pause: 60_000, soon: 1_000 }
  const housekeeping = repeat(async () => ++rounds < 3, times, t.error)
  while (rounds < 4) await wait(1)
  await housekeeping.close()
  t.strictSame(
    pauses()
      .slice(0, 4)
      .map(({ args }: { readonly args: readonly unknown[] }) => args[1]),
    [60_000, 1_000, 1_000, 60_000],
  )
})
