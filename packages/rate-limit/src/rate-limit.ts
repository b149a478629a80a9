import {
  createAddressReader,
  defineExtension,
  networkOf,
  OperationRequest,
  type Denial,
  type Extension,
} from 'graphwire'
import { andThen, aString, checkOptions, checkReturned, type Shape } from 'graphwire/base'
import { inWords, type Count, type Quota } from './counter.js'
import { limitFields } from './limit-fields.js'
import { memoryCounter } from './memory-counter.js'
import { aCount, rateLimitShape, type RateLimitOptions } from './options.js'

/**
 * Counts operations against a limit, on every surface and for each operation of a socket or a batch. Responses have the headers of
 * draft-ietf-httpapi-ratelimit-headers; beyond the limit they are 429 with `Retry-After`. Fields with `@rateLimit` have limits of
 * their own.
 */
export function rateLimit<Raw = unknown, Principal = unknown>(
  options: RateLimitOptions<Raw, Principal>,
): Extension<object, Principal> {
  checkOptions('rateLimit', options, rateLimitShape)
  const { policy = 'default', limit, window = 60, counter = memoryCounter() } = options
  const identify =
    options.by === undefined
      ? byNetwork(options.trustedProxies)
      : (request: OperationRequest<Raw, Principal>) => checked('by', options.by?.(request), aString)
  const pointsOf = pointsBy(options.points ?? 'operations')
  return defineExtension<object, Principal, Raw>({
    name: 'rate-limit',
    admit(request) {
      const identity = identify(request)
      if (identity === undefined) return undefined
      const own = typeof limit === 'function' ? checked('limit', limit(request), aCount) : limit
      const quota = { policy, identity, limit: own, window }
      const points = pointsOf(request)
      return andThen(counter.take(quota, points), (count) => {
        for (const [name, value] of Object.entries(formatRateLimit(quota, count))) {
          request.responseHeaders.append(name, value)
        }
        return count.isAllowed ? undefined : deny(quota, points, count)
      })
    },
    wrapField: limitFields(counter, policy, (context) =>
      context instanceof OperationRequest
        ? identify(context as OperationRequest<Raw, Principal>)
        : byContext(context, options),
    ),
  })
}

function byContext(
  context: unknown,
  options: Pick<RateLimitOptions, 'byContext'>,
): string | undefined {
  if (options.byContext !== undefined)
    return checked('byContext', options.byContext(context), aString)
  throw new TypeError(
    'rateLimit: @rateLimit needs byContext, which returns the identity for a context value.',
  )
}

/** All addresses of an IPv6 network are one client. Calls in process, which look like those of WebSockets, have none. */
function byNetwork(
  trustedProxies: number | undefined,
): (request: OperationRequest) => string | undefined {
  const clientOf = clientReader(trustedProxies)
  return (request) => {
    const client = clientOf(request)
    const { head, via } = request
    if (client !== undefined || via === 'websocket' || head.raw === undefined) return client
    throw new TypeError(
      'rateLimit: this host gives no address of the client. Set `by`, or `trustedProxies` behind a proxy that sets X-Forwarded-For.',
    )
  }
}

function clientReader(
  trustedProxies: number | undefined,
): (request: OperationRequest) => string | undefined {
  if (trustedProxies === undefined) return ({ client }) => client
  const read = createAddressReader(trustedProxies)
  return ({ head, client }) => {
    const address = read(head)
    // A connection that is gone has none, but the handler still tells that from a host without addresses.
    return address === undefined ? client : networkOf(address)
  }
}

function pointsBy<Raw, Principal>(
  points: NonNullable<RateLimitOptions<Raw, Principal>['points']>,
): (request: OperationRequest<Raw, Principal>) => number {
  if (points === 'operations') return () => 1
  if (points === 'rootFields') return ({ rootFields }) => rootFields.length
  // Introspection costs nothing by itself, but its results are long.
  if (points === 'cost') return ({ cost }) => Math.max(1, Math.ceil(cost))
  return (request) => checked('points', points(request), aCount)
}

/** What a function of the options has returned. */
function checked<Value>(name: string, returned: Value, shape: Shape): Value {
  checkReturned(`rateLimit: ${name}`, returned, shape)
  return returned
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: the policy and what is left, for limits that an application counts itself. */
export function formatRateLimit(
  { policy, limit, window }: Quota,
  { remaining, reset }: Count,
): { readonly 'RateLimit-Policy': string; readonly RateLimit: string } {
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
  }
}

function deny({ limit, window }: Quota, points: number, { reset }: Count): Denial {
  const allowed = `${limit} in ${inWords(window)}`
  const message =
    points > limit
      ? `The operation counts ${points}, but the limit is ${allowed}. Split the operation.`
      : `Rate limit exceeded: ${allowed}; retry in ${inWords(reset)}.`
  return { kind: 'rate-limited', retryAfter: reset, message }
}
