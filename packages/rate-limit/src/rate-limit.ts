import {
  createAddressReader,
  networkOf,
  type Denial,
  type MaybePromise,
  type OperationRequest,
} from 'graphwire'
import { andThen } from 'graphwire/base'
import type { Count, Quota } from './counter.js'
import { memoryCounter } from './memory-counter.js'
import { checkRateLimitOptions, type RateLimitOptions } from './options.js'

export interface RateLimitExtension<Raw, Principal> {
  readonly name: string
  admit(request: OperationRequest<Raw, Principal>): MaybePromise<Denial | undefined>
}

/**
 * Counts operations against a limit, on every surface and for each operation of a socket or a batch. Responses have the headers of
 * draft-ietf-httpapi-ratelimit-headers; beyond the limit they are 429 with `Retry-After`.
 */
export function rateLimit<Raw = unknown, Principal = unknown>(
  options: RateLimitOptions<Raw, Principal>,
): RateLimitExtension<Raw, Principal> {
  checkRateLimitOptions(options)
  const { policy = 'default', limit, window = 60, counter = memoryCounter() } = options
  const identify = options.by?.bind(options) ?? byNetwork(options.trustedProxies ?? 0)
  const pointsOf = pointsBy(options.points ?? 'operations')
  return {
    name: 'rate-limit',
    admit(request) {
      const identity = identify(request)
      if (identity === undefined) return undefined
      const own = typeof limit === 'function' ? limit(request) : limit
      const quota = { policy, identity, limit: own, window }
      const points = pointsOf(request)
      return andThen(counter.take(quota, points), (count) => {
        for (const [name, value] of formatRateLimit(quota, count)) {
          request.responseHeaders.append(name, value)
        }
        return count.isAllowed ? undefined : deny(quota, points, count)
      })
    },
  }
}
/** All addresses of an IPv6 network are one client. Where a runtime gives no address, nothing is counted. */
function byNetwork(trustedProxies: number): (request: OperationRequest) => string | undefined {
  const read = createAddressReader(trustedProxies)
  return ({ head }) => {
    const address = read(head)
    return address === undefined ? undefined : networkOf(address)
  }
}

function pointsBy<Raw, Principal>(
  points: NonNullable<RateLimitOptions<Raw, Principal>['points']>,
): (request: OperationRequest<Raw, Principal>) => number {
  if (points === 'operations') return () => 1
  if (points === 'rootFields') return ({ rootFields }) => rootFields.length
  return points === 'cost' ? ({ cost }) => cost : points
}

function formatRateLimit({ policy, limit, window }: Quota, { remaining, reset }: Count) {
  return [
    ['RateLimit-Policy', `"${policy}";q=${limit};w=${window}`],
    ['RateLimit', `"${policy}";r=${remaining};t=${reset}`],
  ] as const
}

function deny({ limit, window }: Quota, points: number, { reset }: Count): Denial {
  const allowed = `${limit} in ${inWords(window)}`
  const message =
    points > limit
      ? `The operation counts ${points}, but the limit is ${allowed}. Split the operation.`
      : `Rate limit exceeded: ${allowed}; retry in ${inWords(reset)}.`
  return { kind: 'rate-limited', retryAfter: reset, message }
}

function inWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
