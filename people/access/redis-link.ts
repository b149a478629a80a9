import { redisCounter } from '@graphwire/rate-limit'
import { Redis } from 'ioredis'

/** A Redis that does not respond must not delay requests. */
const commandTimeout = 500
const connectTimeout = 1_000
const rest = 1_000

/** Reported when the outage began. */
const unavailable = new Error('Redis is unavailable.')

/**
 * A connection that reconnects by itself. Resolves after the first attempt, successful or not: the service also starts
 * without Redis. The URL may have options of ioredis, such as `?keyPrefix=staging:`.
 */
export async function connectRedis(url: string, onFault: (fault: unknown) => void) {
  const client = new Redis(url, {
    connectTimeout,
    commandTimeout,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, rest),
  })
  let isReported = false
  let restsUntil = 0
  /** Reports the first error of an outage, and pauses the use of Redis for a moment. */
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
  /** False while Redis is unavailable, and for a moment after a failure. */
  const isUp = (): boolean => client.status === 'ready' && performance.now() >= restsUntil
  return {
    client,
    isUp,
    /** Counts in Redis, so that instances share the counts, and in memory while it is unavailable. */
    counter: redisCounter({
      prefix: 'people:',
      command: (...words) => (isUp() ? client.call(...words) : Promise.reject(unavailable)),
      onFault(fault) {
        if (fault !== unavailable) failed(fault)
      },
    }),
    close: (): void => client.disconnect(),
  }
}
