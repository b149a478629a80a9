import { callApart, checkOptions, freezeData, ResumableEvent, toFrozenCopy } from 'graphwire/base'
import { EventChannel, type Channel } from './channel/channel.js'
import { PubSubError } from './channel/pub-sub-error.js'
import { resolveQueueOptions } from './channel/event-queue.js'
import {
  aTopic,
  pubSubShape,
  subscribeShape,
  type PubSubOptions,
  type SubscribeOptions,
} from './pub-sub-options.js'
import type { Link } from './transports/transport.js'

/**
 * Publishes events to the subscribers of topics. `Topics` maps each topic to its event; a key may be a template, so that
 * topics with ids are typed too:
 *
 *     interface Topics {
 *       'person.changed': PersonChange
 *       [topic: `message:${string}`]: Message
 *     }
 */
export interface PubSub<Topics extends object = { readonly [topic: string]: unknown }> {
  /**
   * Queues the event for all subscribers; with a transport, resolves when the service has it. Rejects if it cannot be
   * reached, so handle that. Subscribers get a frozen copy of plain data, and other events as they are.
   */
  publish<Name extends keyof Topics & string>(topic: Name, event: Topics[Name]): Promise<void>
  /** The events of a topic from now on. A source that subscribe resolvers can return. */
  subscribe<Name extends keyof Topics & string>(
    topic: Name,
    options?: SubscribeOptions<Topics[Name]>,
  ): Channel<Topics[Name]>
  /** Ends all subscriptions, and what the transport itself opened. Clients that you gave it stay open. */
  close(): void
}

export function createPubSub<Topics extends object = { readonly [topic: string]: unknown }>(
  options: PubSubOptions = {},
): PubSub<Topics> {
  checkOptions('createPubSub', options, pubSubShape)
  return new Broker(options) as unknown as PubSub<Topics>
}

class Broker implements PubSub {
  readonly #options: PubSubOptions
  readonly #prefix: string
  readonly #onGap: 'end' | 'reconnect' | 'ignore'
  readonly #topics = new Map<string, Topic>()
  readonly #link: Link | undefined
  /** Names without subscribers that a client may still listen to when it has reconnected. */
  readonly #stale = new Set<string>()
  #connection: 'connecting' | 'here' | 'away' = 'connecting'
  #cause: unknown
  #isClosed = false

  constructor(options: PubSubOptions) {
    this.#options = options
    this.#prefix = options.transport === undefined ? '' : (options.prefix ?? '')
    this.#onGap = options.onGap ?? 'end'
    this.#link = options.transport?.({
      text: (name, text) => this.#receive(name, text),
      lost: (cause) => this.#lost(cause),
      regained: () => this.#regained(),
    })
  }

  async publish(topic: string, event: unknown): Promise<void> {
    checkOptions('publish, topic', topic, aTopic)
    this.#checkOpen()
    const name = this.#prefix + topic
    if (this.#link === undefined) {
      this.#topics.get(name)?.deliver(toFrozenCopy(event))
      return
    }
    const isResumable = event instanceof ResumableEvent
    const text = isResumable ? undefined : (JSON.stringify(event) as string | undefined)
    if (text === undefined) {
      const why = isResumable
        ? 'has an id of `resumable`, which is lost in'
        : 'cannot be written as'
      throw new TypeError(`publish: the event for "${topic}" ${why} JSON, which a transport needs.`)
    }
    await this.#link.publish(name, text)
  }

  subscribe(topic: string, options: SubscribeOptions<unknown> = {}): Channel<unknown> {
    checkOptions('subscribe, topic', topic, aTopic)
    checkOptions('subscribe', options, subscribeShape)
    this.#checkOpen()
    const name = this.#prefix + topic
    const { signal, filter, after, onEnd } = options
    const joined = this.#topics.get(name) ?? new Topic(this.#link !== undefined)
    const channel = new EventChannel<unknown>({
      queue: resolveQueueOptions({
        maxQueued: options.maxQueued ?? this.#options.maxQueued,
        overflow: options.overflow ?? this.#options.overflow,
      }),
      signal,
      filter,
      missed: after,
      opened: joined.opened,
      release: (one) => this.#leave(name, joined, one),
      onEnd,
    })
    if (signal?.aborted === true) channel.end()
    else this.#join(name, joined, channel)
    return channel
  }

  close(): void {
    this.#isClosed = true
    for (const topic of this.#topics.values()) topic.end()
    this.#link?.close()
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new PubSubError('CLOSED', 'The pub/sub was closed.')
  }

  #join(name: string, topic: Topic, channel: EventChannel<unknown>): void {
    topic.channels.add(channel)
    if (this.#topics.has(name)) return
    this.#topics.set(name, topic)
    if (this.#connection === 'here') this.#listen(name, topic)
    // Otherwise a reader that subscribes again at once would block the process. Interrupted readers wait.
    else if (this.#connection === 'away' && this.#onGap === 'end')
      setTimeout(() => this.#endGap(topic), 0)
  }

  #leave(name: string, topic: Topic, channel: EventChannel<unknown>): void {
    topic.channels.delete(channel)
    if (topic.channels.size > 0 || this.#topics.get(name) !== topic) return
    this.#topics.delete(name)
    topic.open()
    if (this.#connection === 'here') this.#unlisten(name)
    else if (topic.isListened) this.#stale.add(name)
  }

  #listen(name: string, topic: Topic): void {
    topic.isListened = true
    this.#link?.listen(name).then(
      () => topic.open(),
      (cause: unknown) => {
        // Names that failed because of an outage are retried after it.
        if (this.#connection !== 'here') return
        const message = 'The service refused the subscription.'
        topic.fail(new PubSubError('SUBSCRIPTION_REFUSED', message, { cause }))
      },
    )
  }

  #unlisten(name: string): void {
    this.#link?.unlisten(name).catch(() => this.#stale.add(name))
  }

  #receive(name: string, text: string): void {
    const topic = this.#topics.get(name)
    // Events of an earlier subscription can still arrive until then, and those after them be lost.
    if (topic?.isOpen !== true) return
    let event: unknown
    try {
      event = JSON.parse(text)
    } catch (cause) {
      return this.#fail(topic, 'An event is not JSON.', cause)
    }
    freezeData(event)
    topic.deliver(event)
  }

  #lost(cause: unknown): void {
    this.#connection = 'away'
    this.#cause = cause
    this.#endGaps()
    callApart(() => this.#options.onLost?.(cause), console.warn)
  }

  #regained(): void {
    // Subscribers that came after the loss may have missed events, too.
    if (this.#connection === 'away' && this.#onGap === 'reconnect') this.#endGaps()
    this.#connection = 'here'
    for (const [name, topic] of this.#topics) this.#listen(name, topic)
    const unused = Array.from(this.#stale).filter((name) => !this.#topics.has(name))
    this.#stale.clear()
    for (const name of unused) this.#unlisten(name)
  }

  #endGaps(): void {
    // A reader that subscribes again adds its topic at the end.
    for (const topic of Array.from(this.#topics.values())) this.#endGap(topic)
  }

  #endGap(topic: Topic): void {
    if (this.#connection !== 'away') return
    this.#fail(topic, 'The connection to other instances was lost.', this.#cause)
  }

  #fail(topic: Topic, what: string, cause: unknown): void {
    if (this.#onGap === 'ignore') return
    const code = this.#onGap === 'end' ? 'EVENTS_LOST' : 'INTERRUPTED'
    const message = `${what} Events may be missing: read the current state again, then subscribe again.`
    topic.fail(new PubSubError(code, message, { cause }))
  }
}

/** The subscribers of a topic, for which the transport listens once. */
class Topic {
  readonly channels: Set<EventChannel<unknown>> = new Set()
  /** Resolves when the transport listens; `undefined` without a transport. */
  readonly opened: Promise<void> | undefined
  /** Whether the transport was asked to listen. */
  isListened = false
  isOpen = false
  #resolve: (() => void) | undefined

  constructor(isRemote: boolean) {
    if (isRemote) this.opened = new Promise((resolve) => void (this.#resolve = resolve))
  }

  open(): void {
    this.isOpen = true
    this.#resolve?.()
  }

  /**
   * Queues the event everywhere before any reader is woken: otherwise a reader that publishes would change the order of
   * events between subscribers.
   */
  deliver(event: unknown): void {
    let refused: EventChannel<unknown>[] | undefined
    for (const channel of this.channels) {
      if (!channel.offer(event)) (refused ??= []).push(channel)
    }
    for (const channel of this.channels) channel.wake()
    for (const channel of refused ?? []) channel.wake()
  }

  fail(error: unknown): void {
    const channels = [...this.channels]
    for (const channel of channels) channel.fail(error)
    for (const channel of channels) channel.wake()
  }

  end(): void {
    for (const channel of this.channels) channel.end()
  }
}
