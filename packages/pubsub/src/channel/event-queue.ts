import {
  count,
  hasMethods,
  oneOf,
  resolveNumbers,
  shapesOf,
  wholeNumberFrom,
  type NumbersOf,
  type Resolved,
  type Shape,
  type Shapes,
} from 'graphwire/base'

/** How a subscriber whose queue is full handles another event. */
export type Overflow = 'end' | 'drop-oldest' | 'drop-newest' | 'latest'

/** How the events of a subscriber are kept until it reads them. */
export interface QueueOptions extends NumbersOf<typeof queueRows> {
  /**
   * What happens when a further event arrives: the subscription ends with the error EVENTS_LOST after the queued events, the oldest or
   * the new one is dropped, or only the latest event is ever queued, whatever `maxQueued` is. Default: 'end'.
   */
  readonly overflow?: Overflow | undefined
}

/** The options with all defaults filled in. */
export interface QueueSettings extends Resolved<typeof queueRows> {
  readonly overflow: Overflow
}

/** The numbers of queues. To add one, add a row. */
export const queueRows = {
  /** Events that wait for a subscriber to read them. `overflow` says what happens to further ones. At most 100,000. Default: 256. */
  // Beyond it: by `overflow`. Reason: a subscriber that does not read would take memory without
  // bound.
  maxQueued: count(256, {
    most: 100_000,
  }),
}

/** The valid values of each option. */
export const queueShapes: Shapes<QueueOptions> = {
  ...shapesOf(queueRows, wholeNumberFrom),
  overflow: oneOf(['end', 'drop-oldest', 'drop-newest', 'latest'] satisfies Overflow[]),
}

/** Accepts signals of other realms. */
export const aSignal: Shape = {
  expected: 'an AbortSignal',
  fits: (value) =>
    hasMethods(value, 'addEventListener', 'removeEventListener') && 'aborted' in Object(value),
}

/** Fills in the defaults of options that have been checked. */
export function resolveQueueOptions(options: QueueOptions): QueueSettings {
  return {
    ...resolveNumbers(queueRows, options),
    overflow: options.overflow ?? 'end',
  }
}

/** The used part of the array is moved to its start only when it is small in comparison. */
const minUnused = 32

/** The events that one subscriber has not read, of which there are never more than its settings allow. */
export class EventQueue<Event> {
  /** How many events the overflow policy dropped. */
  dropped = 0
  readonly #limit: number
  readonly #overflow: QueueSettings['overflow']
  #events: (Event | undefined)[] = []
  #start = 0

  constructor({ maxQueued, overflow }: QueueSettings) {
    this.#limit = overflow === 'latest' ? 1 : maxQueued
    this.#overflow = overflow
  }

  get size(): number {
    return this.#events.length - this.#start
  }

  /** Returns whether the subscriber may go on: false if the event does not fit and none may be dropped. */
  push(event: Event): boolean {
    if (this.size >= this.#limit) {
      if (this.#overflow === 'end') return false
      this.dropped += 1
      if (this.#overflow === 'drop-newest') return true
      this.shift()
    }
    this.#events.push(event)
    return true
  }

  /** Removes the oldest event. The queue must not be empty. */
  shift(): Event {
    const event = this.#events[this.#start] as Event
    this.#events[this.#start] = undefined
    this.#start += 1
    if (this.size === 0 || (this.#start >= minUnused && this.#start >= this.size)) {
      this.#events = this.#events.slice(this.#start)
      this.#start = 0
    }
    return event
  }

  clear(): void {
    this.#events = []
    this.#start = 0
  }
}
