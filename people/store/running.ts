import { StoreUnavailable } from './store.js'

/** What runs now, so that closing waits for it; pg leaves those hanging who wait for a connection. */
export interface Running {
  during<Value>(work: () => Promise<Value>): Promise<Value>
  /** Lets nothing begin any more; done when all that began has ended. */
  end(): Promise<void>
}

export function countRunning(): Running {
  const running = new Set<Promise<unknown>>()
  let hasEnded = false
  return {
    async during(work) {
      if (hasEnded) throw new StoreUnavailable('The store is closed')
      const outcome = work()
      running.add(outcome)
      try {
        return await outcome
      } finally {
        running.delete(outcome)
      }
    },
    async end() {
      hasEnded = true
      await Promise.allSettled(running)
    },
  }
}
