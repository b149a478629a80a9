import type { KeyStore } from '../store/credential-stores.js'

interface UsageOptions {
  readonly keys: Pick<KeyStore, 'addUsage'>
  readonly now: () => Date
  readonly onFault: (fault: unknown) => void
}

const flushEvery = 1_000

/** Counts the usage of each key by day. Counts wait in memory for at most a second, or until the database is back. */
export function createUsage({ keys, now, onFault }: UsageOptions) {
  const pending = new Map<string, Map<string, number>>()
  let flushing: Promise<void> | undefined

  const add = (day: string, name: string, points: number): void => {
    const counts = pending.get(day) ?? new Map<string, number>()
    pending.set(day, counts.set(name, (counts.get(name) ?? 0) + points))
  }
  const write = async (): Promise<void> => {
    // Later counts are for the next attempt.
    for (const [day, counts] of Array.from(pending)) {
      pending.delete(day)
      try {
        await keys.addUsage(day, counts)
      } catch {
        for (const [name, points] of counts) add(day, name, points)
      }
    }
  }
  /** After a failure, the counts are kept for the next attempt. */
  const flush = (): Promise<void> =>
    (flushing ??= write().finally(() => {
      flushing = undefined
    }))
  const timer = setInterval(() => void flush(), flushEvery).unref()
  return {
    count: (name: string, points: number): void =>
      add(now().toISOString().slice(0, 10), name, points),
    flush,
    async close(): Promise<void> {
      clearInterval(timer)
      await flushing // it may have begun before the last counts were added
      await flush()
      if (pending.size > 0) onFault(new Error('The usage of API keys could not be stored.'))
    },
  }
}
