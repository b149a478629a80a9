import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { formatRateLimit, inWords, type PointCounter } from '@graphwire/rate-limit'
import { networkOf, type Denial, type OperationRequest } from 'graphwire'
import { ownerOf, type Limits, type Principal } from './principal.js'

/** The seconds in which limits hold. */
const window = 60

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

/** Counts an attempt to log in; returns how long to wait, in seconds, if it is refused. */
export type Throttle = ReturnType<typeof createThrottle>

/**
 * Attempts a minute, successful ones too, whether or not the login exists.
 *
 * The tight limit is for one account from one network, so that guessing from one place does not lock
 * the owner of the account out everywhere else. That takes many networks, and against those the limit of
 * the account itself keeps guessing slow. The limit of the network is for guesses at many accounts.
 *
 * The tightest limit comes first: an attempt that it refuses does not count for the others.
 */
export function createThrottle(counter: PointCounter) {
  return async (login: string, address: string) => {
    // What people type for their login may be their password, so it is not kept as it is.
    const account = createHash('sha256').update(login).digest('base64url')
    const network = networkOf(address)
    const limits = [
      ['login-account-address', `${account}:${network}`, 5],
      ['login-address', network, 20],
      ['login-account', account, 50],
    ] as const
    for (const [policy, identity, limit] of limits) {
      const quota = { policy, identity, limit, window }
      const count = await counter.take(quota, 1)
      if (!count.isAllowed)
        return { retryAfter: count.reset, headers: formatRateLimit(quota, count) }
    }
    return undefined
  }
}
