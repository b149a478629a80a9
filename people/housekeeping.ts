import type { Metrics } from './front/metrics.js'
import type { Store } from './store/open-store.js'

/** The stores whose old rows are deleted. */
export interface HousekeepingParts {
  readonly store: Pick<Store, 'audit' | 'keyed'>
  /** For how many days entries of the audit are kept; 0 deletes all. */
  readonly auditDays: number
  readonly metrics: { readonly sweptRows: Pick<Metrics['sweptRows'], 'inc'> }
  readonly onFault: (fault: unknown) => void
}

/** How often old rows are deleted, in milliseconds. */
const interval = 60_000

/** Rows that one statement deletes, for which other writers wait. */
const most = 5_000

const day = 86_400_000

/** Deletes old rows every minute. Every instance does so; each row is deleted once. */
export function startHousekeeping(parts: HousekeepingParts) {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running = sweep(parts)
  }, interval).unref()
  return {
    async close(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}

/** Never rejects. */
export async function sweep(parts: HousekeepingParts): Promise<void> {
  const { store, auditDays, metrics, onFault } = parts
  const cutoff = new Date(Date.now() - auditDays * day)
  const count = (table: string, rows: number): void => metrics.sweptRows.inc({ table }, rows)
  try {
    count('idempotency_keys', await store.keyed.sweep(most))
    count('audit', await store.audit.prune(cutoff, most))
  } catch (fault) {
    onFault(fault)
  }
}
