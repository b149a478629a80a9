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
  await sweep(store, 2, (table, rows) => (swept[table] = rows))
  t.strictSame(swept, { idempotency_keys: 1_200, audit: 5_000 })
  const age = Date.now() - (cutoffs[0]?.getTime() ?? 0)
  t.ok(Math.abs(age - 2 * 86_400_000) < 10_000)
})

void t.test('a fault of a round is only reported, and further rounds follow', async (t) => {
  const faults: unknown[] = []
  const work = (): Promise<void> => Promise.reject(new Error('away'))
  const housekeeping = repeat(work, 1, (fault) => faults.push(fault))
  while (faults.length < 2) await wait(1)
  await housekeeping.close()
  t.match(faults, [{ message: 'away' }, { message: 'away' }])
})
