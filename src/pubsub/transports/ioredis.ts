import { checkOptions } from '../../shapes/shape.js'
import { Presence } from './presence.js'
import { clientWith, type Transport } from './transport.js'

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
  duplicate(): IoredisSubscriber & { disconnect(): void }
}

const publisherMethods = ['publish', 'on', 'off']

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
    const own = subscriber === undefined ? publisher.duplicate() : undefined
    const listening = (subscriber ?? own) as IoredisSubscriber
    const publishing = new Presence('Redis')
    const subscribing = new Presence('Redis', receiver)
    const stops = [watch(publisher, publishing), watch(listening, subscribing)]
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
function watch(client: IoredisPublisher, presence: Presence): () => void {
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
