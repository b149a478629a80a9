import type { RedisLink } from './redis-link.js'

/** The remaining quota of an identity in its window. */
export interface Count {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly reset: number
}

export type Limiter = ReturnType<typeof createLimiter>

/** Seconds of the window in which a limit holds. */
export const window = 60

/** Takes the points if they fit; returns what is used, with them if they were taken, and when the window ends. */
const script = `
local used = tonumber(redis.call('get', KEYS[1]) or '0')
local ttl = redis.call('pttl', KEYS[1])
local fits = used + ARGV[1] <= tonumber(ARGV[2])
if ttl < 0 then ttl = 1000 * ARGV[3] end
if fits then redis.call('set', KEYS[1], used + ARGV[1], 'PX', ttl) end
return {used, fits and 1 or 0, ttl}
`

/**
 * Counts by identity, each with its own limit; refused requests are not counted. Counts are in Redis, if there is one, so
 * that instances share them, and in memory while it is unavailable.
 */
export function createLimiter(name: string, link?: RedisLink, options?: MemoryOptions) {
  const takeInMemory = createMemory(options)
  return {
    async take(identity: string, limit: number, points: number): Promise<Count> {
      if (!link?.isUp()) return takeInMemory(identity, limit, points)
      const key = `people:${name}:${identity}`
      try {
        const counted = await link.client.eval(script, 1, key, points, limit, window)
        const [used, fits, milliseconds] = counted as [number, 0 | 1, number]
        return toCount(limit - used, fits === 1, points, milliseconds)
      } catch (fault) {
        link.failed(fault)
        return takeInMemory(identity, limit, points)
      }
    },
  }
}

function toCount(free: number, isAllowed: boolean, points: number, milliseconds: number): Count {
  const remaining = Math.max(0, isAllowed ? free - points : free)
  // The end of a window less its beginning may be a little more than the window.
  const reset = Math.min(window, Math.max(1, Math.ceil(milliseconds / 1_000)))
  return { isAllowed, remaining, reset }
}

interface MemoryOptions {
  /** Where there are more, the one goes whose window would have ended first. */
  readonly maxIdentities?: number
  /** Milliseconds of the monotonic clock. */
  readonly now?: () => number
}

function createMemory({
  maxIdentities = 100_000,
  now = () => performance.now(),
}: MemoryOptions = {}) {
  // Windows are all of one length, so the oldest ends first.
  const windows = new Map<string, { readonly end: number; used: number }>()
  return (identity: string, limit: number, points: number): Count => {
    const time = now()
    for (const [one, { end }] of windows) {
      if (end > time && (windows.size < maxIdentities || windows.has(identity))) break
      windows.delete(one)
    }
    const counted = windows.get(identity) ?? { end: time + 1_000 * window, used: 0 }
    const { used, end } = counted
    const fits = used + points <= limit
    if (fits) windows.set(identity, Object.assign(counted, { used: used + points }))
    return toCount(limit - used, fits, points, end - time)
  }
}
