import type { IncomingMessage } from 'node:http'
import type { Denial, OperationRequest } from 'graphwire'
import { window, type Count, type Limiter } from './limiter.js'
import { ownerOf, type Limits, type Principal } from './principal.js'

/** Counts root fields, aliases included, against the limit of the caller; returns why they are too many. */
export function createCount(limiter: Limiter, limits: Limits | 'off') {
  return async (
    request: OperationRequest<IncomingMessage, Principal>,
  ): Promise<Denial | undefined> => {
    if (limits === 'off') return undefined
    const { principal, rootFields, responseHeaders } = request
    const { kind, identity, limit: usual } = ownerOf(principal, limits)
    const limit = principal.keyLimit ?? usual
    const points = rootFields.length
    const count = await limiter.take(identity, limit, points)
    responseHeaders.assign(formatRateLimit(kind, limit, count))
    if (count.isAllowed) return undefined
    const allowed = `${limit} root fields per minute for each ${kind}`
    const message =
      points > limit
        ? `The operation has ${points} root fields, but the limit is ${allowed}. Split the operation.`
        : `Rate limit exceeded: ${allowed}; retry in ${secondsInWords(count.reset)}.`
    return { kind: 'rate-limited', retryAfter: count.reset, message }
  }
}

/** Seconds in words, for messages. */
export function secondsInWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10: the policy and the remaining quota. */
export function formatRateLimit(policy: string, limit: number, { remaining, reset }: Count) {
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
  }
}
