import { Redis } from 'ioredis'

/** A connection to Redis that reconnects automatically. */
export interface RedisLink {
  readonly client: Redis
  /** False while Redis is unavailable, and for a moment after a failure. */
  isUp(): boolean
  /** Reports the first error of an outage, and pauses the use of Redis for a moment. */
  failed(fault: unknown): void
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
  const client = new Redis(url, {
    connectTimeout,
    commandTimeout,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, rest),
  })
  let isReported = false
  let restsUntil = 0
  const failed = (cause: unknown): void => {
    restsUntil = performance.now() + rest
    if (!isReported) {
      onFault(new Error('Redis is unavailable: each instance counts for itself.', { cause }))
    }
    isReported = true
  }
  await new Promise<void>((resolve) => {
    client.on('ready', () => {
      isReported = false
      restsUntil = 0
      resolve()
    })
    client.on('error', (fault) => {
      failed(fault)
      resolve()
    })
    client.on('close', () => resolve())
  })
  return {
    client,
    isUp: () => client.status === 'ready' && performance.now() >= restsUntil,
    failed,
    close: () => client.disconnect(),
  }
}
