import t from 'tap'
import { sweep, type HousekeepingParts } from '../service.js'

/** One round over so many old rows; fewer than none cannot be deleted. */
async function tidy(keys: number, audit: number) {
  const cutoffs: Date[] = []
  const swept: unknown[] = []
  const faults: unknown[] = []
  const store = {
    keyed: { sweep: async (most: number) => Math.min(most, keys) },
    audit: {
      async prune(before: Date, most: number) {
        cutoffs.push(before)
        if (audit < 0) throw new Error('away')
        return Math.min(most, audit)
      },
    },
  } as unknown as HousekeepingParts['store']
  await sweep({
    store,
    auditDays: 2,
    metrics: {
      sweptRows: {
        inc: (...[labels, count]: unknown[]) =>
          void swept.push([(labels as { table: string }).table, count]),
      },
    },
    onFault: (fault) => faults.push(fault),
  })
  return { cutoffs, swept, faults }
}

void t.test('old rows are deleted and counted, only so many in a round', async (t) => {
  const { cutoffs, swept } = await tidy(1_200, 25_000)
  t.strictSame(swept, [
    ['idempotency_keys', 1_200],
    ['audit', 5_000],
  ])
  const age = Date.now() - (cutoffs[0]?.getTime() ?? 0)
  t.ok(Math.abs(age - 2 * 86_400_000) < 10_000)
})

void t.test('a fault is only reported', async (t) => {
  const { swept, faults } = await tidy(0, -1)
  t.strictSame(swept, [['idempotency_keys', 0]])
  t.match(faults, [{ message: 'away' }])
})
