import t from 'tap'
import { startHousekeeping } from '../housekeeping.js'

/** Housekeeping of tables with so many old rows. */
function tidy(t: Tap, rows: { keys: number; audit: number }) {
  const cutoffs: Date[] = []
  const swept: unknown[] = []
  const faults: unknown[] = []
  const take = (table: 'keys' | 'audit', most: number): number => {
    const taken = Math.min(most, rows[table])
    rows[table] -= taken
    return taken
  }
  const { round, close } = startHousekeeping({
    store: {
      keyed: {
        once: () => Promise.reject(new Error('unused')),
        sweep: async (most) => take('keys', most),
      },
      audit: {
        list: async () => [],
        async prune(before, most) {
          cutoffs.push(before)
          if (rows.audit < 0) throw new Error('away')
          return take('audit', most)
        },
      },
    },
    auditDays: 2,
    now: () => new Date('2026-08-03T00:00:00Z'),
    metrics: { count: (_, labels, count) => void swept.push([labels?.['table'], count]) },
    onFault: (fault) => faults.push(fault),
  })
  t.teardown(close)
  return { round, cutoffs, swept, faults }
}

type Tap = Pick<typeof t, 'teardown'>

void t.test('old rows are deleted in batches, and only so many in a round', async (t) => {
  const rows = { keys: 1_200, audit: 25_000 }
  const { round, cutoffs, swept } = tidy(t, rows)
  await round()
  t.strictSame(swept, [
    ['idempotency_keys', 1_200],
    ['audit', 10_000],
  ])
  t.strictSame(cutoffs[0], new Date('2026-08-01T00:00:00Z'))
  await round()
  await round()
  t.strictSame(rows, { keys: 0, audit: 0 })
})

void t.test('rounds do not overlap, and a fault is only reported', async (t) => {
  const { round, swept, faults } = tidy(t, { keys: 0, audit: -1 })
  await Promise.all([round(), round()])
  t.strictSame(swept, [['idempotency_keys', 0]])
  t.match(faults, [{ message: 'away' }])
})
