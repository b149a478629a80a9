import { hash } from 'node:crypto'
import { formatRateLimit, inWords, redisCounter, type PointCounter } from '@graphwire/rate-limit'
import { failure, networkOf, success, type Denial, type OperationRequest } from 'graphwire'
import { Shares } from 'graphwire/base'
import { Redis } from 'ioredis'
import { ownerOf, type Limits, type Principal } from './principal.js'

/** The seconds in which limits hold. */
const window = 60

/** Counts root fields, aliases included, against the limit of the caller; returns a denial if they are too many. */
export function createCount(counter: PointCounter, limits: Limits | 'off') {
  return async (request: OperationRequest<unknown, Principal>): Promise<Denial | undefined> => {
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

export type OpenStreams = ReturnType<typeof createOpenStreams>

/** Counts the streams of each key, login and address that are open at this instance. */
export function createOpenStreams(limits: Limits) {
  // Each owner has a limit of their own, so that the shares themselves have none.
  const open = new Shares(Infinity, 100)
  const deny = (principal: Principal): Denial | undefined => {
    const { kind, identity, limit } = ownerOf(principal, limits)
    if (open.of(identity) < limit) return undefined
    const message = `Too many open streams: at most ${limit} for each ${kind}. Close one first.`
    return { kind: 'rate-limited', retryAfter: 10, message }
  }
  return {
    deny,
    /** Counts a stream until the returned function is called, once. Fails if there are too many. */
    take(principal: Principal) {
      const denial = deny(principal)
      if (denial !== undefined) return failure(denial)
      return success(open.take(ownerOf(principal, limits).identity))
    },
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
 *
 * Each limit has a counter of its own: one that is full forgets, and many keys or addresses must not make it forget an account.
 */
export function createThrottle(createCounter: () => PointCounter) {
  const ofPairs = createCounter()
  const ofNetworks = createCounter()
  const ofAccounts = createCounter()
  return async (login: string, address: string) => {
    // People may type their password as the login, so only a digest is kept.
    const account = hash('sha256', login, 'base64url')
    const network = networkOf(address)
    const limits = [
      [ofPairs, 'login-account-address', `${account}:${network}`, 5],
      [ofNetworks, 'login-address', network, 20],
      [ofAccounts, 'login-account', account, 50],
    ] as const
    for (const [counter, policy, identity, limit] of limits) {
      const quota = { policy, identity, limit, window }
      const count = await counter.take(quota, 1)
      if (!count.isAllowed)
        return { retryAfter: count.reset, headers: formatRateLimit(quota, count) }
    }
    return undefined
  }
}

/**
 * A connection that reconnects by itself. Resolves after the first attempt, successful or not: the service also starts
 * without Redis. The URL may have options of ioredis, such as `?keyPrefix=staging:`.
 */
export async function connectRedis(url: string, onFault: (fault: unknown) => void) {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
  })
  let isReported = false
  /** Reports the first error of an outage. */
  const failed = (cause: unknown): void => {
    if (!isReported) {
      onFault(new Error('Redis is unavailable: each instance counts for itself.', { cause }))
    }
    isReported = true
  }
  client.on('error', failed)
  client.on('ready', () => (isReported = false))
  await client.connect().catch(() => {})
  return {
    client,
    /** Counts in Redis, so that instances share the counts, and in memory while it is unavailable. */
    createCounter: (): PointCounter =>
      redisCounter({
        prefix: 'people:',
        command: (...words) => client.call(...words),
        onFault: failed,
      }),
    close: (): void => client.disconnect(),
  }
}
