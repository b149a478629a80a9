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
import type { Entry, Lookup, ResponseStore, StoredResponse } from './store.js'

/** Sends a command: `(...words) => client.sendCommand(words)` of node-redis, `(...words) => client.call(...words)` of ioredis. */
export type RedisCommand = (command: string, ...values: string[]) => Promise<unknown>

export interface RedisStoreOptions {
  readonly command: RedisCommand
  /** Prefix of all keys. In a cluster, the braces keep them on one node. Default: '{graphwire}:'. */
  readonly prefix?: string | undefined
  /** After how many milliseconds without an answer a query is executed instead. Default: 500. */
  readonly timeout?: number | undefined
}

/** For how many seconds invalidations are remembered: queries should not run longer. */
const rememberedFor = 3600

/** KEYS: the epoch, the response. ARGV: the prefix, the epoch before, the text, the lifetime, the tags. */
const saveScript = `
for at = 5, #ARGV do
  local invalidated = redis.call('GET', ARGV[1] .. 'i:' .. ARGV[at])
  if invalidated and tonumber(invalidated) > tonumber(ARGV[2]) then return 0 end
end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
for at = 5, #ARGV do
  local tag = ARGV[1] .. 't:' .. ARGV[at]
  redis.call('SADD', tag, KEYS[2])
  -- Responses expire, but their keys stay here: two are looked at, so that about half of all have a response.
  for _, key in ipairs(redis.call('SRANDMEMBER', tag, 2)) do if redis.call('EXISTS', key) == 0 then redis.call('SREM', tag, key) end end
  if redis.call('PTTL', tag) < tonumber(ARGV[4]) then redis.call('PEXPIRE', tag, ARGV[4]) end
end
return 1
`

/** KEYS: the epoch. ARGV: the prefix, for how long it is remembered, the tags. */
const invalidateScript = `
local epoch = redis.call('INCR', KEYS[1])
for at = 3, #ARGV do
  redis.call('SET', ARGV[1] .. 'i:' .. ARGV[at], epoch, 'EX', ARGV[2])
  local tag = ARGV[1] .. 't:' .. ARGV[at]
  for _, key in ipairs(redis.call('SMEMBERS', tag)) do redis.call('UNLINK', key) end
  redis.call('UNLINK', tag)
end
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
  return {
    async find(key): Promise<Lookup> {
      const [epoch, text] = (await ask('MGET', epochKey, keyOf(key))) as (string | null)[]
      const response = text ? (JSON.parse(text) as StoredResponse) : undefined
      return { response, epoch: Number(epoch ?? 0) }
    },
    async save({ key, response, tags, epoch, lifetime }: Entry) {
      const texts = [prefix, String(epoch), JSON.stringify(response), String(lifetime), ...tags]
      await ask('EVAL', saveScript, '2', epochKey, keyOf(key), ...texts)
    },
    async invalidate(tags) {
      await ask('EVAL', invalidateScript, '1', epochKey, prefix, String(rememberedFor), ...tags)
    },
  }
}
