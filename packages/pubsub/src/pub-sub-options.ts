import type { Missed } from './channel/missed-events.js'
import { aSignal, queueShapes, type QueueOptions } from './channel/event-queue.js'
import { aTransport, type Transport } from './transports/transport.js'
import { objectOf, type Shape, aFunction, aString, oneOf } from 'graphwire/base'

export interface PubSubOptions extends QueueOptions {
  /** Connects the instances of an application, such as `redisTransport(client)`. Default: events stay in this process. */
  readonly transport?: Transport | undefined
  /** Precedes each topic on its way through the transport, for applications that share a service. Default: ''. */
  readonly prefix?: string | undefined
  /**
   * When the connection is lost, subscriptions end with the error EVENTS_LOST, end so that their clients connect again, or
   * go on without what was missed. Default: 'end'.
   */
  readonly onGap?: 'end' | 'reconnect' | 'ignore' | undefined
  /** Called with the cause when the connection is lost, or could not be made: once in an outage. Default: none. */
  readonly onLost?: ((cause: unknown) => void) | undefined
}

/** The queue of a subscription is that of its pub/sub unless it has options of its own. */
export interface SubscribeOptions<Event> extends QueueOptions {
  /** Aborting it ends the channel as `return` does. Default: none. */
  readonly signal?: AbortSignal | undefined
  /** Which events are queued for this subscriber. Must not wait. Default: all. */
  readonly filter?: ((event: Event) => boolean) | undefined
  /** Returns the events that come before all others, such as missed ones; new events are queued meanwhile. Default: none. */
  readonly after?: Missed<Event> | undefined
  /** Called once, when the channel has ended, however it did. Default: none. */
  readonly onEnd?: (() => void) | undefined
}

/** The valid values of each option. */
export const pubSubShape: Shape = objectOf<PubSubOptions>('{ maxQueued: 256 }', {
  ...queueShapes,
  transport: aTransport,
  prefix: aString,
  onGap: oneOf(['end', 'reconnect', 'ignore']),
  onLost: aFunction,
})

export const subscribeShape: Shape = objectOf<SubscribeOptions<never>>('{ signal }', {
  ...queueShapes,
  signal: aSignal,
  filter: aFunction,
  after: aFunction,
  onEnd: aFunction,
})

const maxTopicLength = 400

/** Topics become names of channels, subjects and identifiers, often with an id of a client. */
export const aTopic: Shape = {
  expected: `a text of 1 to ${maxTopicLength} characters without control characters`,
  fits: (value) =>
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= maxTopicLength &&
    // Lone surrogates cannot be written as UTF-8: two topics would become the same.
    !/[\p{Cc}\p{Cs}]/u.test(value),
}
