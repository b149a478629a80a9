import { createHash } from 'node:crypto'
import type { HttpResponse } from 'graphwire'
import { networkOf } from 'graphwire'
import type { Limiter } from './limiter.js'
import { loginResponses } from './login-responses.js'
import { formatRateLimit, type Quota } from './rate-limits.js'

/** The response to an attempt to log in that is refused; undefined if it is allowed. */
export type Throttle = (login: string, address: string) => Promise<HttpResponse | undefined>

/**
 * Attempts a minute, successful ones too, whether or not the login exists.
 *
 * The tight limit is for one account from one network, so that guessing from one place does not lock
 * the owner of the account out everywhere else. That takes many networks, and against those the limit of
 * the account itself keeps guessing slow. The limit of the network is for guesses at many accounts.
 */
const limits = {
  'login-account-address': 5,
  'login-address': 20,
  'login-account': 50,
} as const

/** The tightest limit comes first: an attempt that it refuses does not count for the others. */
export function createThrottle(limiter: Limiter): Throttle {
  const take = async (
    policy: keyof typeof limits,
    name: string,
  ): Promise<HttpResponse | undefined> => {
    const quota: Quota = { policy, identity: `${policy}:${name}`, limit: limits[policy] }
    const count = await limiter.take(quota.identity, quota.limit, 1)
    if (count.isAllowed) return undefined
    return loginResponses.throttled(count.reset, formatRateLimit(quota, count))
  }
  return async (login, address) => {
    // What people type for their login may be their password, so it is not kept as it is.
    const account = createHash('sha256').update(login).digest('base64url')
    const network = networkOf(address)
    return (
      (await take('login-account-address', `${account}:${network}`)) ??
      (await take('login-address', network)) ??
      (await take('login-account', account))
    )
  }
}
