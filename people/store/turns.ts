import { StoreUnavailable } from './store.js'

/**
 * Turns in order of arrival, several at a time. Patience, in milliseconds, counts from the request for a turn: otherwise the last of a queue
 * would wait that long for each one before it.
 */
export function createTurns({ atOnce, patience }: { atOnce: number; patience: number }) {
  const waiting = new Set<() => void>()
  let running = 0

  const end = (): void => {
    const [next] = waiting
    if (next === undefined) running -= 1
    else next()
  }
  const queue = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const proceed = (): void => {
        clearTimeout(timer)
        waiting.delete(proceed)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(proceed)
        const message = 'Timed out waiting for other users of the database'
        reject(new StoreUnavailable(message, { reason: 'busy' }))
      }, patience)
      waiting.add(proceed)
    })

  /** Waits for a turn to do the work; throws a StoreUnavailable when patience ends first. */
  return async <Value>(work: (giveUpAt: number) => Promise<Value>): Promise<Value> => {
    /** When the owner of the turn stops waiting for others. */
    const giveUpAt = performance.now() + patience
    if (running < atOnce) running += 1
    else await queue() // the turn is passed on directly, so that a newcomer cannot jump the queue
    try {
      return await work(giveUpAt)
    } finally {
      end()
    }
  }
}

/** Does work again and again, one time after the other: calls while it runs share the next time, which begins after them. */
export function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= last.then(() => {
      next = undefined
      return work()
    })
    last = next.catch(() => {})
    return next
  }
}
