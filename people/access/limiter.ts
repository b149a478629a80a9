import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RedisLink } from './redis-link.js'

/** The remaining quota of an identity in its window. */
export interface Count {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly reset: number
}

/** Counts by identity, each with its own limit; refused requests are not counted. */
export interface Limiter {
  take(identity: string, limit: number, points: number): Promise<Count>
  close(): void
}

/** Seconds of the window in which a limit holds. */
export const window = 60

/** Few different limits are in use: those of the service and of its keys. */
interface Counters {
  readonly memory: MemoryLimiter
  readonly redis: RateLimiterRedis | undefined
}

/** Counts in Redis, if there is one, so that instances share the counts; in memory while it is unavailable. */
export function createLimiter(name: string, link: RedisLink | undefined): Limiter {
  const counters = new Map<number, Counters>()
  const countersOf = (points: number): Counters => {
    const made = counters.get(points) ?? {
      memory: createMemoryLimiter(points, window),
      redis: link && createRedisLimiter(link, name, points),
    }
    counters.set(points, made)
    return made
  }
  return {
    async take(identity, limit, points) {
      const { memory, redis } = countersOf(limit)
      if (link?.isUp() && redis !== undefined) {
        try {
          const count = await settle(redis.consume(identity, points), limit, points)
          link.succeeded()
          return count
        } catch (fault) {
          link.failed(fault)
        }
      }
      return settle(memory.consume(identity, points), limit, points)
    },
    close() {
      for (const { memory } of counters.values()) memory.clear()
    },
  }
}

/** The library rejects with the same kind of value that it resolves with. */
async function settle(
  consumed: Promise<RateLimiterRes>,
  limit: number,
  points: number,
): Promise<Count> {
  try {
    const { remainingPoints, msBeforeNext } = await consumed
    return { isAllowed: true, remaining: remainingPoints, reset: toSeconds(msBeforeNext) }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const remaining = Math.max(0, limit - (refused.consumedPoints - points))
    return { isAllowed: false, remaining, reset: toSeconds(refused.msBeforeNext) }
  }
}

/** The library reads the clock, which may have been set back by a day; its timers are not affected. */
function toSeconds(milliseconds: number): number {
  return Math.min(window, Math.max(1, Math.ceil(milliseconds / 1_000)))
}

/**
 * The library's own script, except for a request beyond the limit: it gets the same result as if it had been
 * counted, but is not, so that a client that keeps trying is not locked out for longer.
 */
const script = `
local limit = tonumber(ARGV[3])
local points = tonumber(ARGV[1])
local consumed = tonumber(redis.call('get', KEYS[1]) or '0')
local ttl = redis.call('pttl', KEYS[1])
if consumed + points <= limit then
  if ttl < 0 then
    redis.call('set', KEYS[1], points, 'EX', ARGV[2])
  else
    redis.call('incrby', KEYS[1], points)
  end
end
if ttl < 0 then ttl = 1000 * ARGV[2] end
return {consumed + points, ttl}
`

function createRedisLimiter(link: RedisLink, name: string, points: number): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: link.client,
    keyPrefix: `people:${name}`,
    points,
    duration: window,
    customIncrTtlLuaScript: script,
  })
}

/** The library's counters in memory, with a bound on how many there are. */
export interface MemoryLimiter {
  /** Rejects with a RateLimiterRes if the points exceed the limit; then they are not counted. */
  consume(identity: string, points: number): Promise<RateLimiterRes>
  /** Forgets everything and stops the timers. */
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
  const consume = async (identity: string, count: number): Promise<RateLimiterRes> => {
    track(identity)
    try {
      return await limiter.consume(identity, count)
    } catch (refused) {
      await limiter.reward(identity, count)
      throw refused
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    consume(identity, count) {
      // One at a time: a refused request is counted for a moment, which must not affect others.
      const result = last.then(() => consume(identity, count))
      last = result.catch(() => {})
      return result
    },
    clear() {
      for (const identity of ends.keys()) forget(identity)
    },
  }
}
