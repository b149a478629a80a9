import type { IncomingMessage } from 'node:http'
import { formatRateLimit, inWords, type PointCounter } from '@graphwire/rate-limit'
import type { Denial, OperationRequest } from 'graphwire'
import { ownerOf, type Limits, type Principal } from './principal.js'

/** The seconds in which limits hold. */
export const window = 60

/** Counts root fields, aliases included, against the limit of the caller; returns why they are too many. */
export function createCount(counter: PointCounter, limits: Limits | 'off') {
  return async (
    request: OperationRequest<IncomingMessage, Principal>,
  ): Promise<Denial | undefined> => {
    if (limits === 'off') return undefined
    const { principal, rootFields, responseHeaders } = request
    const { kind, identity, limit: usual } = ownerOf(principal, limits)
    const limit = principal.keyLimit ?? usual
    const quota = { policy: kind, identity, limit, window }
    const points = rootFields.length
    const count = await counter.take(quota, points)
    responseHeaders.assign(formatRateLimit(quota, count))
    if (count.isAllowed) return undefined
    const allowed = `${limit} root fields per minute for each ${kind}`
    const message =
      points > limit
        ? `The operation has ${points} root fields, but the limit is ${allowed}. Split the operation.`
        : `Rate limit exceeded: ${allowed}; retry in ${inWords(count.reset)}.`
    return { kind: 'rate-limited', retryAfter: count.reset, message }
  }
}
