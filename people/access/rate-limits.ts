import type { IncomingMessage } from 'node:http'
import type { Denial, OperationRequest } from 'graphwire'
import { window, type Count, type Limiter } from './limiter.js'
import type { OpenStreams } from './open-streams.js'
import { ownerOf, type Principal } from './principal.js'
import type { Usage } from './usage.js'

/** The limits of clients without a limit of their own. */
export interface RateLimits {
  readonly perKey: number
  readonly perAddress: number
}

/** The dependencies of admission. */
interface AdmissionParts {
  readonly limiter: Limiter
  readonly rateLimit: RateLimits | 'off'
  readonly usage: Usage
  readonly openStreams: Pick<OpenStreams, 'deny'>
}

type Admit = (request: OperationRequest<IncomingMessage, Principal>) => Promise<Denial | undefined>

/** Counts root fields, aliases included, against the limit of the caller. */
export function createAdmit(parts: AdmissionParts): Admit {
  const { limiter, rateLimit, usage, openStreams } = parts
  return async ({ principal, rootFields, responseHeaders, operation }) => {
    const denial = operation.operation === 'subscription' ? openStreams.deny(principal) : undefined
    if (denial !== undefined) return denial
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

function quotaOf(principal: Principal, limits: RateLimits): Quota {
  const { kind: policy, identity, limit } = ownerOf(principal, limits)
  return { policy, identity, limit: principal.keyLimit ?? limit }
}

function messageOf({ policy, limit }: Quota, points: number, reset: number): string {
  const allowed = `${limit} root fields per minute for each ${policy}`
  return points > limit
    ? `The operation has ${points} root fields, but the limit is ${allowed}. Split the operation.`
    : `Rate limit exceeded: ${allowed}; retry in ${secondsInWords(reset)}.`
}

/** Seconds in words, for messages. */
export function secondsInWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

/** The name of the rule, and the identity that it applies to. */
export interface Quota {
  /** The identity as clients see it. */
  readonly policy: string
  readonly identity: string
  readonly limit: number
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10: the policy and the remaining quota. */
export function formatRateLimit(
  { policy, limit }: Quota,
  { remaining, reset }: Count,
): { readonly 'RateLimit-Policy': string; readonly RateLimit: string } {
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
  }
}
