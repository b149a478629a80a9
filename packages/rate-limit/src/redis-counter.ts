import {
  aFunction,
  aString,
  callApart,
  checkOptions,
  createSparing,
  maxInt32,
  objectOf,
  required,
  wholeNumberFrom,
} from 'graphwire/base'
import { checkTake, shortIdentity, toCount, type PointCounter } from './counter.js'
import { memoryCounter } from './memory-counter.js'

/** Sends a command: `(...words) => client.sendCommand(words)` of node-redis, `(...words) => client.call(...words)` of ioredis. */
export type RedisSender = (command: string, ...values: string[]) => Promise<unknown>

export interface RedisCounterOptions {
  readonly command: RedisSender
  /** Prefix of all keys. Default: 'graphwire:rate:'. */
  readonly prefix?: string | undefined
  /** After how many milliseconds without an answer this process counts by itself. Default: 500. */
  readonly timeout?: number | undefined
  /** Called with errors of Redis; until it answers again, each process counts by itself. Default: console.warn. */
  onFault?(fault: unknown): void
}

/** Takes the points if they fit. Returns what is used, whether they fit, and for how many milliseconds the window lasts. */
const script = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left < 0 then left = 1000 * ARGV[3] end
if used + ARGV[1] > tonumber(ARGV[2]) then return {used, 0, left} end
redis.call('SET', KEYS[1], used + ARGV[1], 'PX', math.max(left, 1))
return {used + ARGV[1], 1, left}
`

const shape = objectOf<RedisCounterOptions>('{ command }', {
  command: required(aFunction),
  prefix: aString,
  timeout: wholeNumberFrom(1, maxInt32),
  onFault: aFunction,
})

/** Counts in Redis, so that instances share the counts; in this process while Redis does not answer. */
export function redisCounter(options: RedisCounterOptions): PointCounter {
  checkOptions('redisCounter', options, shape)
  const { command, prefix = 'graphwire:rate:', timeout = 500 } = options
  const alone = memoryCounter()
  const ask = createSparing(() => command('PING'), timeout, 'Redis')
  return {
    async take(quota, points) {
      checkTake(quota, points)
      const key = `${prefix}${quota.policy}:${shortIdentity(quota)}`
      const values = [script, '1', key, ...[points, quota.limit, quota.window].map(String)]
      try {
        const answer = await ask(() => command('EVAL', ...values))
        const [used, fits, left] = answer as [used: number, fits: 0 | 1, left: number]
        return toCount(quota, used, fits === 1, left)
      } catch (fault) {
        callApart(
          () => (options.onFault === undefined ? warn(fault) : options.onFault(fault)),
          warn,
        )
        return alone.take(quota, points)
      }
    },
  }
}

function warn(fault: unknown): void {
  console.warn('Redis does not count for the rate limits; this process counts by itself.', fault)
}
