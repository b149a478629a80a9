import type { OperationRequest } from 'graphwire'
import {
  aFunction,
  either,
  maxInt32,
  objectOf,
  oneOf,
  required,
  type Shape,
  wholeNumberFrom,
} from 'graphwire/base'
import type { PointCounter } from './counter.js'

export interface RateLimitOptions<Raw = unknown, Principal = unknown> {
  /** How many points a client has in each window, or a function that says so for a request. */
  readonly limit: number | ((request: OperationRequest<Raw, Principal>) => number)
  /** The window in seconds. Default: 60. */
  readonly window?: number | undefined
  /** The identity that is limited; undefined if the request is not counted. Default: `request.client`, its network address. */
  by?(request: OperationRequest<Raw, Principal>): string | undefined
  /** The identity for fields with `@rateLimit`, by the context value. Default: that of `by`, if the option `context` is not set. */
  byContext?(context: unknown): string | undefined
  /** How many trusted proxies report the address of the client in X-Forwarded-For. Default: as the handler's option. */
  readonly trustedProxies?: number | undefined
  /** What an operation costs: 1, one for each root field, or the cost that the handler computes. Default: 'operations'. */
  readonly points?:
    | 'operations'
    | 'rootFields'
    | 'cost'
    | ((request: OperationRequest<Raw, Principal>) => number)
    | undefined
  /** The name of the limit, in headers and keys. Default: 'default'. */
  readonly policy?: string | undefined
  /** Where points are counted: `redisCounter()` for several processes. Default: `memoryCounter()`. */
  readonly counter?: PointCounter | undefined
}

/** A number of points. */
export const aCount: Shape = required(wholeNumberFrom(0))

const aPolicy: Shape = {
  expected: 'a name such as "key"',
  fits: (value) => typeof value === 'string' && /^[\w.-]+$/.test(value),
}

/** The valid values of each option. */
export const rateLimitShape: Shape = objectOf<RateLimitOptions>('{ limit: 100 }', {
  limit: required(either(aFunction, aCount)),
  window: wholeNumberFrom(1, maxInt32),
  by: aFunction,
  byContext: aFunction,
  trustedProxies: wholeNumberFrom(0),
  points: either(aFunction, oneOf(['operations', 'rootFields', 'cost'])),
  policy: aPolicy,
  counter: objectOf<PointCounter>(
    'memoryCounter()',
    { take: required(aFunction) },
    { isOpen: true },
  ),
})
