import { randomBytes } from 'node:crypto'
import type { OperationRequest, RequestHead } from 'graphwire'
import { memoryCounter } from '@graphwire/rate-limit'
import type { KeyStore, LoginStore } from '../store/credential-stores.js'
import type { Store } from '../store/open-store.js'
import { oneAfterAnother } from '../store/turns.js'
import { createAuthenticate } from './authenticate.js'
import { createKeyFinder } from './api-keys.js'
import { createPasswords } from './passwords.js'
import type { AuthMode, Limits, Principal } from './principal.js'
import { connectRedis, createCount, createOpenStreams, createThrottle } from './limits.js'
import { createTokens, readJwtKey } from './tokens.js'

/** A setting of the operator is invalid; the message says which and why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** Authentication, scopes and rate limits, for all surfaces. */
export type Access = Awaited<ReturnType<typeof createAccess>>

export interface AccessOptions {
  readonly store: Store
  readonly auth: AuthMode
  /** Root fields per minute and identity; 'off' counts only logins. */
  readonly rateLimit: Limits | 'off'
  readonly streamsPerKey: number
  readonly streamsPerAddress: number
  readonly redisUrl: string | undefined
  /** At least 32 bytes in base64url, or a private JWK for EdDSA; undefined makes a key for this run. */
  readonly jwtKey: string | undefined
  readonly trustedProxies: number
  readonly now?: () => Date
  /** Receives errors that are not in a response: Redis is unavailable, usage was not stored. */
  readonly onFault: (fault: unknown) => void
}

/** Throws a ConfigurationError for options that cannot be used. */
export async function createAccess(options: AccessOptions) {
  const { store, auth: mode, rateLimit, redisUrl, trustedProxies, onFault } = options
  const now = options.now ?? (() => new Date())
  const keys = store.keys
  const logins: Pick<LoginStore, 'find'> = store.logins
  const jwtKey = readJwtKey(options.jwtKey ?? randomBytes(32).toString('base64url'))
  if (!jwtKey.ok) throw new ConfigurationError(jwtKey.reason)
  const tokens = createTokens(jwtKey.value, now)
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, onFault)
  const usage = createUsage(keys, now, onFault)
  const findKey = createKeyFinder(keys, now)
  const authenticate = createAuthenticate(mode, findKey, tokens, trustedProxies)
  const { streamsPerKey: perKey, streamsPerAddress: perAddress } = options
  const openStreams = createOpenStreams({ perKey, perAddress })
  const createCounter = redis?.createCounter ?? (() => memoryCounter())
  const count = createCount(createCounter(), rateLimit)
  const throttle = createThrottle(createCounter)
  const passwords = createPasswords()
  return {
    /** Reads the credentials of a request; an invalid one is a denial, and a missing one may be. */
    authenticate,
    /** Whether the credentials of an open stream are still valid. */
    recheck: async ({ key }: Principal, head: RequestHead): Promise<boolean> => {
      if (key === undefined) return true
      const who = await authenticate(head)
      // While the database is unavailable, the key counts as valid.
      return who.ok || who.reason.kind !== 'unauthenticated'
    },
    openStreams,
    redis: redis?.client,
    /**
     * Counts the root fields and the use of the key, and sets the RateLimit headers of the response. A subscription is denied
     * to a client with too many open streams.
     */
    async admit(request: OperationRequest<unknown, Principal>) {
      const { principal, operation, rootFields } = request
      const isStream = operation.operation === 'subscription'
      const denial = (isStream ? openStreams.deny(principal) : undefined) ?? (await count(request))
      if (denial === undefined && principal.key !== undefined) {
        usage.count(principal.key, rootFields.length)
      }
      return denial
    },
    login: { logins, passwords, tokens, throttle },
    /** Stores the counts, and releases timers and connections. */
    async close(): Promise<void> {
      await usage.close()
      redis?.close()
    },
  }
}

/** Counts the usage of each key by day. Counts wait in memory for at most a second, or until the database is back. */
export function createUsage(
  keys: Pick<KeyStore, 'addUsage'>,
  now: () => Date,
  onFault: AccessOptions['onFault'],
) {
  const pending = new Map<string, Map<string, number>>()

  const add = (day: string, name: string, points: number): void => {
    const counts = pending.get(day) ?? new Map<string, number>()
    pending.set(day, counts.set(name, (counts.get(name) ?? 0) + points))
  }
  const flush = oneAfterAnother(async () => {
    for (const [day, counts] of Array.from(pending)) {
      pending.delete(day)
      await keys.addUsage(day, counts).catch(() => {
        // They are kept for the next attempt.
        for (const [name, points] of counts) add(day, name, points)
      })
    }
  })
  const timer = setInterval(() => void flush(), 1_000).unref()
  return {
    count: (name: string, points: number): void =>
      add(now().toISOString().slice(0, 10), name, points),
    flush,
    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
      if (pending.size > 0) onFault(new Error('The usage of API keys could not be stored.'))
    },
  }
}
