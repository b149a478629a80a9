import { createHash } from 'node:crypto'
import { networkOf } from './client-address.js'
import type { Limiter } from './limiter.js'
import { formatRateLimit, type Quota } from './rate-limit-fields.js'

/** Why nobody may try to log in now, if so. */
export type Throttle = (login: string, address: string) => Promise<Throttled | undefined>

export interface Throttled {
  readonly retryAfter: number
  readonly headers: ReturnType<typeof formatRateLimit>
}

/** Attempts a minute, good ones too, whether or not the login exists. */
const attempts = 5

/** Makes the throttle: address and account have each their own count. */
export function createThrottle(limiter: Limiter): Throttle {
  const take = async (policy: string, name: string): Promise<Throttled | undefined> => {
    const quota: Quota = { policy, identity: `${policy}:${name}`, limit: attempts }
    const count = await limiter.take(quota.identity, quota.limit, 1)
    if (count.isAllowed) return undefined
    return { retryAfter: count.reset, headers: formatRateLimit(quota, count) }
  }
  return async (login, address) =>
    (await take('login-address', networkOf(address))) ??
    // What people type for their login may be their password, so it is not kept as it is.
    (await take('login-account', createHash('sha256').update(login).digest('base64url')))
}
