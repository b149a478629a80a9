import { createHash } from 'node:crypto'
import {
  aFunction,
  aString,
  checkOptions,
  inTime,
  maxInt32,
  objectOf,
  required,
  wholeNumberFrom,
} from 'graphwire/base'
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
 * its own. So whatever Redis evicts costs only hits. KEYS: the response, the tags. ARGV: the text, the lifetime, the epoch before.
 */
const saveScript = `
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
for at = 2, #KEYS do
  redis.call('SET', KEYS[at], ARGV[3], 'NX')
  if redis.call('PTTL', KEYS[at]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[at], ARGV[2]) end
end
`

/** KEYS: the epoch, the tags. ARGV: the first epoch, for how long it is remembered. */
const invalidateScript = `
-- Takes no memory, and after such a write a script may do the others even if Redis is full.
redis.call('PERSIST', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'NX')
local epoch = redis.call('INCR', KEYS[1])
for at = 2, #KEYS do redis.call('SET', KEYS[at], epoch, 'PX', ARGV[2]) end
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
  const epochKey = `${prefix}epoch`
  const ask = (name: string, ...values: string[]): Promise<unknown> =>
    inTime(command(name, ...values), timeout, 'Redis')
  const keyOf = (key: string): string =>
    `${prefix}r:${createHash('sha256').update(key).digest('base64url')}`
  const evaluate = (script: string, keys: readonly string[], ...values: string[]) =>
    ask('EVAL', script, String(keys.length), ...keys, ...values)
  const tagKeys = (tags: readonly string[]) => tags.map((tag) => `${prefix}t:${tag}`)
  // An epoch that Redis has evicted goes on above those before it.
  const advance = (tags: readonly string[]) => {
    const keys = [epochKey, ...tagKeys(tags)]
    return evaluate(invalidateScript, keys, String(Date.now()), String(rememberedFor))
  }
  return {
    async find(key): Promise<Lookup> {
      const [last, text] = (await ask('MGET', epochKey, keyOf(key))) as (string | null)[]
      const epoch = Number(last ?? (await advance([])))
      if (text == null) return { response: undefined, epoch }
      const kept = JSON.parse(text) as Pick<Entry, 'response' | 'tags' | 'epoch'>
      // `MGET` needs a key.
      const epochs = (await ask('MGET', epochKey, ...tagKeys(kept.tags))) as (string | null)[]
      const isValid = epochs.slice(1).every((one) => one !== null && Number(one) <= kept.epoch)
      return { response: isValid ? kept.response : undefined, epoch }
    },
    async save({ key, response, tags, epoch, lifetime }: Entry) {
      const text = JSON.stringify({ response, tags, epoch })
      const keys = [keyOf(key), ...tagKeys(tags)]
      await evaluate(saveScript, keys, text, String(lifetime), String(epoch))
    },
    async invalidate(tags) {
      await advance(tags)
    },
  }
}
