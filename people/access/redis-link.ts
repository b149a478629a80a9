import { Redis } from 'ioredis'
import { hasLateAt } from '../store/may-hold-password.js'
import { ConfigurationError } from './configuration-error.js'

/** A connection to Redis that reconnects automatically. */
export interface RedisLink {
  readonly client: Redis
  /** False while Redis is unavailable, and for a moment after a failure. */
  isUp(): boolean
  /** Reports the first error of an outage, and pauses the use of Redis for a moment. */
  failed(fault: unknown): void
  succeeded(): void
  close(): void
}

/** A Redis that does not respond must not delay requests. */
const commandTimeout = 500
const connectTimeout = 1_000
const rest = 1_000

/**
 * Resolves after the first attempt, successful or not: the service also starts without Redis. The URL may have options of ioredis, such as `?keyPrefix=staging:`.
 */
export async function connectRedis(
  url: string,
  onFault: (fault: unknown) => void,
): Promise<RedisLink> {
  if (!/^rediss?:\/\//i.test(url) || !URL.canParse(url) || hasLateAt(url)) {
    throw new ConfigurationError(
      'REDIS_URL must be a URL such as redis://localhost:6379, where a password is escaped (@ is %40, / is %2F).',
    )
  }
  const client = new Redis(url, {
    connectTimeout,
    commandTimeout,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, rest),
  })
  let isAway = false
  let restsUntil = 0

  const report = (fault: unknown): void => {
    if (!isAway)
      onFault(new Error('Redis is unavailable: each instance counts for itself.', { cause: fault }))
    isAway = true
  }
  const link: RedisLink = {
    client,
    isUp: () => client.status === 'ready' && performance.now() >= restsUntil,
    failed(fault) {
      restsUntil = performance.now() + rest
      report(fault)
    },
    succeeded() {
      isAway = false
    },
    close: () => client.disconnect(),
  }
  await new Promise<void>((resolve) => {
    client.once('ready', resolve)
    client.on('ready', () => link.succeeded())
    client.on('error', (fault) => {
      report(fault)
      resolve()
    })
    client.on('close', () => resolve())
  })
  return link
}
