import type { Metrics } from './front/metrics.js'
import type { Store } from './store/store.js'

/** What is deleted once it is old. */
export interface HousekeepingParts {
  readonly store: Pick<Store, 'audit' | 'keyed'>
  /** For how many days entries of the audit are kept; 0 deletes all. */
  readonly auditDays: number
  readonly now?: () => Date
  readonly metrics: Pick<Metrics, 'count'>
  readonly onFault: (fault: unknown) => void
}

/** How often it is looked for, in milliseconds. */
const interval = 60_000

/** Rows that one statement deletes, and statements of one round: other writers wait for each. */
const batch = { rows: 500, statements: 20 }

const day = 86_400_000

/** Deletes old rows every minute. Every instance does so; each row is deleted once. */
export function startHousekeeping(parts: HousekeepingParts): {
  /** One round. Never rejects. */
  round(): Promise<void>
  close(): Promise<void>
} {
  let running: Promise<void> | undefined
  const round = (): Promise<void> =>
    (running ??= sweepAll(parts).finally(() => {
      running = undefined
    }))
  const timer = setInterval(() => void round(), interval).unref()
  return {
    round,
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

async function sweepAll(parts: HousekeepingParts): Promise<void> {
  const { store, auditDays, now = () => new Date(), metrics, onFault } = parts
  const cutoff = new Date(now().getTime() - auditDays * day)
  try {
    const count = (table: string, rows: number): void =>
      metrics.count('people_swept_rows_total', { table }, rows)
    count('idempotency_keys', await repeat((most) => store.keyed.sweep(most)))
    count('audit', await repeat((most) => store.audit.prune(cutoff, most)))
  } catch (fault) {
    onFault(fault)
  }
}

async function repeat(sweep: (most: number) => Promise<number>): Promise<number> {
  let total = 0
  for (let count = 0; count < batch.statements; count += 1) {
    const rows = await sweep(batch.rows)
    total += rows
    if (rows < batch.rows) break
  }
  return total
}
