import type { IncomingMessage } from 'node:http'
import type { Denial, OperationRequest } from 'graphwire'
import type { RateLimits } from './access.js'
import { networkOf } from './client-address.js'
import type { Limiter } from './limiter.js'
import type { Principal } from './principal.js'
import { formatRateLimit, type Quota } from './rate-limit-fields.js'
import type { Usage } from './usage.js'

/** What admission counts with. */
export interface AdmissionParts {
  readonly limiter: Limiter
  readonly rateLimit: RateLimits | 'off'
  readonly usage: Usage
}

export type Admit = (
  request: OperationRequest<IncomingMessage, Principal>,
) => Promise<Denial | undefined>

/** Makes the check that counts root fields, aliases included, against the limit of who asks. */
export function createAdmit({ limiter, rateLimit, usage }: AdmissionParts): Admit {
  return async ({ principal, rootFields, responseHeaders }) => {
    const points = rootFields.length
    if (rateLimit !== 'off') {
      const quota = quotaOf(principal, rateLimit)
      const count = await limiter.take(quota.identity, quota.limit, points)
      responseHeaders.assign(formatRateLimit(quota, count))
      if (!count.isAllowed) {
        return {
          kind: 'rate-limited',
          retryAfter: count.reset,
          message: messageOf(quota, points, count.reset),
        }
      }
    }
    if (principal.key !== undefined) usage.count(principal.key, points)
    return undefined
  }
}

function quotaOf(
  { key, keyLimit, login, address }: Principal,
  { perKey, perAddress }: RateLimits,
): Quota {
  if (key !== undefined) {
    return { policy: 'key', identity: `key:${key}`, limit: keyLimit ?? perKey }
  }
  if (login !== undefined) return { policy: 'login', identity: `login:${login}`, limit: perKey }
  return { policy: 'address', identity: `address:${networkOf(address)}`, limit: perAddress }
}

function messageOf({ policy, limit }: Quota, points: number, reset: number): string {
  const allowed = `${limit} root fields a minute for each ${policy}`
  return points > limit
    ? `The operation has ${points} root fields, and ${allowed} are allowed: it cannot run in one piece.`
    : `Only ${allowed} are allowed: try again in ${reset} s.`
}
