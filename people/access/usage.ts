import type { KeyStore } from '../store/store.js'

/** Counts the usage of each key by day. */
export interface Usage {
  count(name: string, points: number): void
  /** Stores the counts; after a failure they are kept for the next attempt. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface UsageOptions {
  readonly keys: Pick<KeyStore, 'addUsage'>
  readonly now: () => Date
  readonly onFault: (fault: unknown) => void
}

const flushEvery = 1_000
/** The most pairs of key and day that wait while the database is unavailable. */
const maxPending = 10_000

/** Counts wait in memory for at most a second, or until the database is back. */
export function createUsage({ keys, now, onFault }: UsageOptions): Usage {
  const pending = new Map<string, Map<string, number>>()
  let size = 0
  let lost = 0
  let failing = false
  let flushing: Promise<void> | undefined

  const add = (day: string, name: string, points: number): void => {
    const counts = pending.get(day) ?? new Map<string, number>()
    const before = counts.get(name)
    if (before === undefined) {
      if (size >= maxPending) return void (lost += points)
      size += 1
    }
    pending.set(day, counts.set(name, (before ?? 0) + points))
  }
  const write = async (): Promise<void> => {
    const batch = [...pending] // later counts are for the next attempt
    for (const [day, counts] of batch) {
      pending.delete(day)
      size -= counts.size
      try {
        await keys.addUsage(day, counts)
        failing = false
      } catch (fault) {
        for (const [name, points] of counts) add(day, name, points)
        if (!failing)
          onFault(new Error('The usage of API keys could not be stored.', { cause: fault }))
        failing = true
        return
      }
    }
  }
  const flush = (): Promise<void> =>
    (flushing ??= write().finally(() => {
      flushing = undefined
    }))
  const timer = setInterval(() => void flush(), flushEvery).unref()

  return {
    count: (name, points) => add(now().toISOString().slice(0, 10), name, points),
    flush,
    async close() {
      clearInterval(timer)
      await flushing // it may have begun before the last counts were added
      await flush()
      for (const counts of pending.values()) for (const points of counts.values()) lost += points
      if (lost > 0) onFault(new Error(`The usage of API keys was not stored: ${lost} root fields.`))
    },
  }
}
