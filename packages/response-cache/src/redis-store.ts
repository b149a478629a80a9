import {
  aFunction,
  aString,
  checkOptions,
  createSparing,
  inTime,
  maxInt32,
  objectOf,
  required,
  wholeNumberFrom,
} from 'graphwire/base'
import { digestOf } from './request-keys.js'
import type { Entry, Lookup, ResponseStore } from './store.js'

/** Sends a command: `(...words) => client.sendCommand(words)` of node-redis, `(...words) => client.call(...words)` of ioredis. */
export type RedisCommand = (command: string, ...values: string[]) => Promise<unknown>

export interface RedisStoreOptions {
  readonly command: RedisCommand
  /** Prefix of all keys. In a cluster, the braces keep them on one node. Default: '{graphwire}:'. */
  readonly prefix?: string | undefined
  /** After how many milliseconds without an answer a query is executed instead. Default: 500. */
  readonly timeout?: number | undefined
}

/** For how many milliseconds invalidations are remembered: queries should not run longer. */
const rememberedFor = 3_600_000

/**
 * Each tag has the epoch of its last invalidation, and a response is valid if those of all its tags are there and not later than
 * its own. A tag that Redis does not know may have been invalidated until now. So whatever Redis evicts costs only hits.
 * KEYS: the response, the epoch, the tags. ARGV: the text, the lifetime, the epoch before the query.
 */
const saveScript = `
local last = redis.call('GET', KEYS[2])
if not last then return end
for at = 3, #KEYS do
  if tonumber(redis.call('GET', KEYS[at]) or last) > tonumber(ARGV[3]) then return end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
for at = 3, #KEYS do
  redis.call('SET', KEYS[at], last, 'NX')
  if redis.call('PTTL', KEYS[at]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[at], ARGV[2]) end
end
`

/** KEYS: the epoch, the tags. ARGV: for how long they are remembered. An epoch that was evicted becomes greater than any before. */
const invalidateScript = `
-- Takes no memory, and after such a write a script may do the others even if Redis is full.
redis.call('PERSIST', KEYS[1])
local time = redis.call('TIME')
redis.call('SET', KEYS[1], time[1] .. string.format('%06d', time[2]), 'NX')
redis.call('INCR', KEYS[1])
local epoch = redis.call('GET', KEYS[1])
for at = 2, #KEYS do redis.call('SET', KEYS[at], epoch, 'PX', ARGV[1]) end
return epoch
`

const shape = objectOf<RedisStoreOptions>('{ command }', {
  command: required(aFunction),
  prefix: aString,
  timeout: wholeNumberFrom(1, maxInt32),
})

/** Stores responses in Redis, for all instances. After an error, `onFault` is called and the query executed. */
export function redisStore(options: RedisStoreOptions): ResponseStore {
  checkOptions('redisStore', options, shape)
  const { command, prefix = '{graphwire}:', timeout = 500 } = options
  const ask = createSparing(() => command('PING'), timeout, 'Redis')
  const epochKey = `${prefix}epoch`
  const keyOf = (key: string): string => `${prefix}r:${digestOf(key)}`
  const tagKeys = (tags: readonly string[]) => tags.map((tag) => `${prefix}t:${tag}`)
  const read = (...keys: readonly string[]) =>
    command('MGET', ...keys) as Promise<(string | null)[]>
  const run = (script: string, keys: readonly string[], ...values: readonly string[]) =>
    command('EVAL', script, String(keys.length), ...keys, ...values)
  const invalidate = (tags: readonly string[]) =>
    run(invalidateScript, [epochKey, ...tagKeys(tags)], String(rememberedFor))
  const lookUp = async (key: string): Promise<Lookup> => {
    const [before, text] = await read(epochKey, keyOf(key))
    if (before == null) return { response: undefined, epoch: Number(await invalidate([])) }
    if (text == null) return { response: undefined, epoch: Number(before) }
    const kept = JSON.parse(text) as Pick<Entry, 'response' | 'tags' | 'epoch'>
    const [last, ...epochs] = await read(epochKey, ...tagKeys(kept.tags))
    const isValid = epochs.every((one) => one !== null && Number(one) <= kept.epoch)
    return { response: isValid ? kept.response : undefined, epoch: Number(last ?? before) }
  }
  return {
    find: (key) => ask(() => lookUp(key)),
    async save({ key, response, tags, epoch, lifetime }: Entry) {
      const text = JSON.stringify({ response, tags, epoch })
      const keys = [keyOf(key), epochKey, ...tagKeys(tags)]
      await ask(() => run(saveScript, keys, text, String(lifetime), String(epoch)))
    },
    // Always: once Redis is back, what a client has kept of these is as good as on time.
    async invalidate(tags) {
      await inTime(invalidate(tags), timeout, 'Redis')
    },
  }
}
