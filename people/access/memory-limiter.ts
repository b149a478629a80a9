import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** The library's counters in memory, with a bound on how many there are. */
export interface MemoryLimiter {
  /** Rejects with a RateLimiterRes where the points do not fit; then they are not counted. */
  consume(identity: string, points: number): Promise<RateLimiterRes>
  /** Forgets all and lets go of the timers. */
  clear(): void
}

/**
 * The library keeps a record and a timer for each identity until its window ends, however many come.
 * Where there are too many, the one goes whose window would have ended first.
 */
export function createMemoryLimiter(
  points: number,
  duration: number,
  maxIdentities = 100_000,
): MemoryLimiter {
  const limiter = new RateLimiterMemory({ points, duration })
  const ends = new Map<string, number>() // windows are all of one length, so the oldest ends first

  const forget = (identity: string): void => {
    ends.delete(identity)
    void limiter.delete(identity)
  }
  const track = (identity: string): void => {
    const now = Date.now()
    for (const [one, end] of ends) {
      if (end > now && (ends.size < maxIdentities || ends.has(identity))) break
      forget(one)
    }
    if (!ends.has(identity)) ends.set(identity, now + duration * 1_000)
  }
  const consume = async (identity: string, wanted: number): Promise<RateLimiterRes> => {
    track(identity)
    try {
      return await limiter.consume(identity, wanted)
    } catch (refused) {
      await limiter.reward(identity, wanted)
      throw refused
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    consume(identity, wanted) {
      // One by one: what is refused is counted for a moment, in which it must be in nobody's way.
      const count = last.then(() => consume(identity, wanted))
      last = count.catch(() => {})
      return count
    },
    clear() {
      for (const identity of ends.keys()) forget(identity)
    },
  }
}
