import { inThisContext, ResumableEvent } from 'graphwire/base'
import { EventQueue, type QueueSettings } from './event-queue.js'
import { MissedEvents, type Missed } from './missed-events.js'
import { PubSubError } from './pub-sub-error.js'

/**
 * The events of one subscriber. `for await` reads them with a promise for each event. A reader that wants none polls:
 *
 *     channel.onReady(drain)
 *     drain()
 *     function drain() {
 *       for (let result = channel.poll(); result !== undefined; result = channel.poll()) {
 *         if (result.done) return
 *         send(result.value)
 *       }
 *     }
 *
 * It may stop at any time, such as when its own reader is slow, and call `poll` again later: events are queued meanwhile.
 * A channel has one reader, which reads in one of these ways.
 */
export interface Channel<Event> extends AsyncIterableIterator<Event, undefined, undefined> {
  /** How many events the overflow policy dropped. */
  readonly dropped: number
  /** How many events wait to be read. */
  readonly queued: number
  /** Resolves when events that are published from now on arrive here, or the topic has lost its readers. Never rejects. */
  readonly opened: Promise<void>
  /** The next event, `undefined` if there is none yet, or `done`. Throws once if the channel ended with an error. */
  poll(): IteratorResult<Event, undefined> | undefined
  /**
   * Sets the one listener, which is called when `poll` has a result again after it returned `undefined`. It is called within
   * `publish`, but only after the event was queued for all subscribers, so it may publish and subscribe.
   */
  onReady(listener: () => void): void
  next(): Promise<IteratorResult<Event, undefined>>
  /** Ends the channel in this tick: queued events are dropped, a pending `next` resolves, nothing is waited for. */
  return(): Promise<IteratorResult<Event, undefined>>
  [Symbol.asyncIterator](): Channel<Event>
}

export interface ChannelPlan<Event> {
  readonly queue: QueueSettings
  readonly signal: AbortSignal | undefined
  readonly filter?: ((event: Event) => boolean) | undefined
  /** Events that come first. */
  readonly missed?: Missed<Event> | undefined
  /** When the subscription is established. Without it, it is from the start. */
  readonly opened?: Promise<void> | undefined
  /** Called once, when the channel takes no more events. */
  readonly release: (channel: EventChannel<Event>) => void
  /** Called after that, but later: what it throws is not an exception of the publisher, whose other subscribers get the event. */
  readonly onEnd?: (() => void) | undefined
}

interface PendingRead<Event> {
  readonly resolve: (result: IteratorResult<Event, undefined>) => void
  readonly reject: (error: unknown) => void
}

const end: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined })

/** A channel with the side that the source of its events uses. */
export class EventChannel<Event> implements Channel<Event> {
  readonly #plan: ChannelPlan<Event>
  readonly #filter: ChannelPlan<Event>['filter']
  readonly #onEnd: (() => void) | undefined
  readonly #queue: EventQueue<Event>
  readonly #reads: PendingRead<Event>[] = []
  #missed: MissedEvents<Event> | undefined
  #isOpen = true
  /** What `poll` throws behind the last queued event. */
  #failure: { readonly error: unknown } | undefined
  #listener: (() => void) | undefined
  #isAwaited = true

  constructor(plan: ChannelPlan<Event>) {
    this.#plan = plan
    // Those of publishers are others.
    this.#filter = plan.filter && inThisContext(plan.filter)
    this.#onEnd = plan.onEnd && inThisContext(plan.onEnd)
    this.#queue = new EventQueue(plan.queue)
    plan.signal?.addEventListener('abort', this.#onAbort)
    if (plan.missed !== undefined) {
      this.#missed = new MissedEvents(plan.opened, plan.missed, {
        read: () => this.wake(),
        failure: (error) => this.#failMissed(error),
      })
    }
  }

  get dropped(): number {
    return this.#queue.dropped
  }

  get queued(): number {
    return this.#queue.size
  }

  get opened(): Promise<void> {
    return (this.#isOpen ? this.#plan.opened : undefined) ?? Promise.resolve()
  }

  /** Queues an event; `wake` tells the reader. Returns whether the channel takes further events. */
  offer(event: Event): boolean {
    if (!this.#isOpen) return false
    try {
      const isAccepted = this.#accepts(event)
      // The filter may have ended the channel.
      if (!isAccepted || !this.#isOpen) return this.#isOpen
    } catch (error) {
      this.fail(error)
      return false
    }
    if (this.#queue.push(event)) return true
    const message = `The subscriber is too slow: its queue of ${this.queued} has no room for another event. Read faster, raise \`maxQueued\`, or choose another \`overflow\`.`
    this.fail(new PubSubError('EVENTS_LOST', message))
    return false
  }

  /** Tells the reader of events or of the end. */
  wake(): void {
    while (this.#reads.length > 0) {
      if (!this.#settle(this.#reads[0] as PendingRead<Event>)) return
      this.#reads.shift()
    }
    if (!this.#isAwaited || this.#listener === undefined || !this.#isReady()) return
    this.#isAwaited = false
    try {
      this.#listener()
    } catch (bug) {
      // One reader must not harm the publisher or the other readers.
      queueMicrotask(() => {
        throw bug
      })
    }
  }

  /** Ends the channel with an error, which follows the queued events. */
  fail(error: unknown): void {
    if (!this.#isOpen) return
    this.#failure = { error }
    this.#close()
  }

  /** Ends the channel at once. */
  end(): void {
    this.#queue.clear()
    this.#failure = undefined
    this.#missed?.stop()
    this.#close()
    this.wake()
  }

  poll(): IteratorResult<Event, undefined> | undefined {
    // A reader that polls need not be called.
    this.#isAwaited = false
    const missed = this.#missed
    if (missed !== undefined && !missed.isOver) {
      const taken = missed.take()
      if (taken !== undefined) return { done: false, value: taken.event }
      this.#isAwaited = true
      return undefined
    }
    if (this.#queue.size > 0) return { done: false, value: this.#queue.shift() }
    const failure = this.#failure
    if (failure !== undefined) {
      this.#failure = undefined
      throw failure.error
    }
    if (!this.#isOpen) return end
    this.#isAwaited = true
    return undefined
  }

  onReady(listener: () => void): void {
    this.#listener = listener
  }

  next(): Promise<IteratorResult<Event, undefined>> {
    return new Promise((resolve, reject) => {
      const read = { resolve, reject }
      if (this.#reads.length >= this.#plan.queue.maxQueued) {
        reject(new RangeError(`${this.#reads.length} reads of this channel are already waiting.`))
      } else if (this.#reads.length > 0 || !this.#settle(read)) {
        this.#reads.push(read)
      }
    })
  }

  return(): Promise<IteratorResult<Event, undefined>> {
    this.end()
    return Promise.resolve(end)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  readonly #onAbort = (): void => this.end()

  #accepts(event: Event): boolean {
    const filter = this.#filter
    const isResumable = event instanceof ResumableEvent
    // One that is only an id is for the client.
    if (filter === undefined || (isResumable && event.event === undefined)) return true
    const accepted: unknown = filter(isResumable ? (event.event as Event) : event)
    if (typeof accepted === 'boolean') return accepted
    const kind = Object.prototype.toString.call(accepted).slice(8, -1)
    throw new TypeError(`subscribe: \`filter\` must return true or false, got: ${kind}.`)
  }

  /** Ends the channel: later events are useless without the missed ones. */
  #failMissed(error: unknown): void {
    this.#queue.clear()
    this.fail(error)
    this.wake()
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#plan.signal?.removeEventListener('abort', this.#onAbort)
    this.#plan.release(this)
    if (this.#onEnd !== undefined) queueMicrotask(this.#onEnd)
  }

  #isReady(): boolean {
    const missed = this.#missed
    if (missed !== undefined && !missed.isOver) return missed.isHeld
    return this.#queue.size > 0 || !this.#isOpen
  }

  /** Settles a read if there is an event or the end; returns whether there was. */
  #settle({ resolve, reject }: PendingRead<Event>): boolean {
    try {
      const result = this.poll()
      if (result === undefined) return false
      resolve(result)
    } catch (error) {
      reject(error)
    }
    return true
  }
}
