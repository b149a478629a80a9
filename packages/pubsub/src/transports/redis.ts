import { checkOptions } from 'graphwire/base'
import { Presence } from './presence.js'
import { clientWith, type Transport } from './transport.js'

/** The part of a node-redis client (`redis` 5 and later, `@redis/client`) that publishes. */
interface RedisPublisher {
  readonly isReady: boolean
  publish(channel: string, message: string): Promise<unknown>
  on(name: string, listener: (reason?: unknown) => void): unknown
  off(name: string, listener: (reason?: unknown) => void): unknown
}

/** The part that subscribes. */
export interface RedisSubscriber extends RedisPublisher {
  subscribe(channel: string, listener: (text: string, channel: string) => void): Promise<unknown>
  unsubscribe(channel: string, listener: (text: string, channel: string) => void): Promise<unknown>
}

export interface RedisClient extends RedisPublisher {
  duplicate(): RedisSubscriber & { connect(): Promise<unknown>; destroy(): void }
}

const publisherMethods = ['publish', 'on', 'off']

/**
 * A transport over Redis by node-redis. Without a second client, a duplicate of the first one subscribes, and `close` ends
 * it: Redis cuts a subscriber that reads too slowly, which must not cut the connection that the application uses.
 */
export function redisTransport(client: RedisClient, subscriber?: RedisSubscriber): Transport {
  const methods = [...publisherMethods, ...(subscriber === undefined ? ['duplicate'] : [])]
  checkOptions('redisTransport', client, clientWith('createClient()', methods, 'isReady'))
  if ('masters' in client) {
    throw new TypeError(
      'redisTransport: expected a client of one node, such as createClient(), got one of a cluster.',
    )
  }
  if (subscriber !== undefined) {
    const shape = clientWith('client.duplicate()', [...publisherMethods, 'subscribe'], 'isReady')
    checkOptions('redisTransport, second argument', subscriber, shape)
  }
  return (receiver) => {
    const own = subscriber === undefined ? client.duplicate() : undefined
    const listening = (subscriber ?? own) as RedisSubscriber
    const publishing = new Presence('Redis')
    const subscribing = new Presence('Redis', receiver)
    const stops = [watchRedis(client, publishing), watchRedis(listening, subscribing)]
    own?.connect().catch((cause: unknown) => subscribing.lost(cause))
    const onText = (text: string, channel: string): void => receiver.text(channel, text)
    const inOrder = createOrder()
    return {
      publish: (name, text) => publishing.send(() => client.publish(name, text)),
      listen: (name) => inOrder(name, 'listen', () => listening.subscribe(name, onText)),
      unlisten: (name) => inOrder(name, 'unlisten', () => listening.unsubscribe(name, onText)),
      close() {
        for (const stop of stops) stop()
        // Errors of a client without a listener would end the process.
        own?.on('error', () => {})
        own?.destroy()
      },
    }
  }
}

type Change = 'listen' | 'unlisten'

/**
 * The changes of a name follow each other, without those that are not wanted any more: a client that leaves a name before
 * SUBSCRIBE was answered, and then subscribes again, would hear nothing.
 */
function createOrder() {
  const names = new Map<string, { wanted: Change; last: Promise<unknown> }>()
  return (name: string, change: Change, run: () => Promise<unknown>): Promise<void> => {
    const { last = Promise.resolve() } = names.get(name) ?? {}
    const done = last.then(async () => {
      if (names.get(name)?.wanted === change) await run()
    })
    const ended = done
      .catch(() => undefined)
      .then(() => {
        if (names.get(name)?.last === ended) names.delete(name)
      })
    names.set(name, { wanted: change, last: ended })
    return done
  }
}

/** Follows the state of a client. Returns a function that stops it. */
function watchRedis(client: RedisPublisher, presence: Presence): () => void {
  const onError = (cause: unknown): void => {
    // Errors are also emitted for what does not concern the connection.
    if (!client.isReady) presence.lost(cause)
  }
  const onEnd = (): void => presence.lost(new Error('The client was closed.'))
  const onReady = (): void => presence.regained()
  // A sentinel says only this; the others also emit `error` before it.
  const onReconnect = (): void => presence.lost(new Error('The connection was lost.'))
  const listeners = { error: onError, end: onEnd, ready: onReady, reconnecting: onReconnect }
  for (const [name, listener] of Object.entries(listeners)) client.on(name, listener)
  if (client.isReady) presence.regained()
  return () => {
    for (const [name, listener] of Object.entries(listeners)) client.off(name, listener)
  }
}

/** The part of an ioredis client that publishes. */
interface IoredisPublisher {
  readonly status: string
  publish(channel: string, message: string): Promise<unknown>
  on(name: string, listener: (...values: unknown[]) => void): unknown
  off(name: string, listener: (...values: unknown[]) => void): unknown
}

/** The part that subscribes. */
export interface IoredisSubscriber extends IoredisPublisher {
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  connect(): Promise<unknown>
}

export interface IoredisClient extends IoredisPublisher {
  duplicate(options: object): IoredisSubscriber & { disconnect(): void }
}

/**
 * After an outage ioredis subscribes again by itself. With the limits of a client for requests, that can reject; the rejection
 * would be unhandled, and end the process.
 */
const ofSubscriber = {
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
  commandTimeout: undefined,
}

/**
 * A transport over Redis by ioredis. Without a second client, a duplicate of the first one subscribes, and `close` ends it.
 * A subscriber of your own must not be used for other channels of the same names.
 */
export function ioredisTransport(
  publisher: IoredisClient,
  subscriber?: IoredisSubscriber,
): Transport {
  const methods = [...publisherMethods, ...(subscriber === undefined ? ['duplicate'] : [])]
  checkOptions('ioredisTransport', publisher, clientWith('new Redis()', methods, 'status'))
  if (subscriber !== undefined) {
    const shape = clientWith('redis.duplicate()', [...publisherMethods, 'subscribe'], 'status')
    checkOptions('ioredisTransport, second argument', subscriber, shape)
  }
  return (receiver) => {
    const own = subscriber === undefined ? publisher.duplicate(ofSubscriber) : undefined
    const listening = (subscriber ?? own) as IoredisSubscriber
    const publishing = new Presence('Redis')
    const subscribing = new Presence('Redis', receiver)
    const stops = [watchIoredis(publisher, publishing), watchIoredis(listening, subscribing)]
    const onMessage = (channel: unknown, text: unknown): void =>
      receiver.text(channel as string, text as string)
    listening.on('message', onMessage)
    // With `lazyConnect`.
    if (listening.status === 'wait') listening.connect().catch((cause) => subscribing.lost(cause))
    return {
      publish: (name, text) => publishing.send(() => publisher.publish(name, text)),
      listen: async (name) => void (await listening.subscribe(name)),
      unlisten: async (name) => void (await listening.unsubscribe(name)),
      close() {
        for (const stop of stops) stop()
        listening.off('message', onMessage)
        own?.on('error', () => {})
        own?.disconnect()
      },
    }
  }
}

/** Follows the state of a client. Returns a function that stops it. */
function watchIoredis(client: IoredisPublisher, presence: Presence): () => void {
  let cause: unknown
  const onError = (error: unknown): void => void (cause = error)
  const onReady = (): void => {
    cause = undefined
    presence.regained()
  }
  const onClose = (): void => presence.lost(cause ?? new Error('The connection was closed.'))
  const listeners = { error: onError, ready: onReady, close: onClose, end: onClose }
  for (const [name, listener] of Object.entries(listeners)) client.on(name, listener)
  if (client.status === 'ready') presence.regained()
  return () => {
    for (const [name, listener] of Object.entries(listeners)) client.off(name, listener)
  }
}
