import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import { resumable } from 'graphwire'
import { createPubSub, type Channel } from '@graphwire/pubsub'
import { StoreUnavailable, toNumber } from '../store/store.js'
import type { Change, ChangeStore } from '../store/changes.js'
import { oneAfterAnother } from '../store/turns.js'

/** A change as subscribers get it, with its position as the id from which they can resume. */
type FeedEvent = ReturnType<typeof resumable>

/** The topics that can be followed. Clients write the ids, of which some can have no person. */
export const topics = {
  people: 'people',
  person: (id: string): string => `person:${toNumber(id)}`,
  messagesTo: (id: string): string => `messages:${toNumber(id)}`,
} as const

export interface FeedOptions {
  readonly changes: ChangeStore
  /** How often the table is read without an announcement, in milliseconds. */
  readonly pollEvery: number
  readonly onDelivered: (count: number) => void
  /** Called with the number of changes that were no longer kept. */
  readonly onSkipped: (count: number) => void
  /** Receives errors that are bugs. */
  readonly onFault: (fault: unknown) => void
}

const pageSize = 100
/** How many changes with their bodies a subscriber that resumes holds: some have 40 KB. */
const heldSize = 10
const retryDelay = 1_000

/** Reads the table of changes once for all subscribers of this instance. */
export class ChangeFeed {
  readonly #options: FeedOptions
  /** A subscriber that is further behind ends with an error, and can resume: 1,000 messages may have 40 MB. */
  readonly #pubsub = createPubSub<{ readonly [topic: string]: FeedEvent }>({ maxQueued: 1_000 })
  readonly #followers = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[]
  /** The position of the last change that was published. */
  #last: number
  /** Reads what is new: one read that is running may have begun before it was committed. */
  readonly #readOn = oneAfterAnother(() => this.#read())
  /** The end of the last read for a subscriber that resumes. */
  #resumed: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** `last` is the position of the last change so far. */
  constructor(options: FeedOptions, last: number) {
    this.#options = options
    this.#last = last
    const { pollEvery, changes } = options
    changes.listen(() => this.wake())
    const polling = setInterval(() => this.wake(), pollEvery)
    this.#timers = [polling, setInterval(() => this.round(), 60_000)]
    for (const timer of this.#timers) timer.unref()
  }

  /**
   * Follows a topic, behind the event with the id `after` or from now on. Throws a StoreUnavailable if the database
   * has to be asked first and is unavailable.
   */
  async follow(
    topic: string,
    after: string | undefined,
    onEnd: () => void,
  ): Promise<Channel<FeedEvent>> {
    const start = after === undefined ? undefined : await this.#positionOf(after)
    // Everything behind it is published from now on.
    const end = this.#last
    const channel = this.#pubsub.subscribe(topic, {
      after: () => {
        if (after === undefined) return [resumable(undefined, String(end))]
        if (start === undefined) return [tooOld(end)]
        return this.#missed(topic, start, end)
      },
      onEnd: () => {
        this.#addFollowers(topic, -1)
        onEnd()
      },
    })
    this.#addFollowers(topic, 1)
    return channel
  }

  /** There may be further changes. What cannot be read now is read by the next poll. */
  wake(): void {
    if (!this.#isClosed) this.#readOn().catch((fault: unknown) => this.#report(fault))
  }

  /** Sends the position to all clients: that of a quiet topic must not become too old. */
  round(): void {
    const position = resumable(undefined, String(this.#last))
    for (const topic of this.#followers.keys()) this.#send(topic, position)
  }

  close(): void {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#pubsub.close()
  }

  #addFollowers(topic: string, more: number): void {
    const count = (this.#followers.get(topic) ?? 0) + more
    if (count > 0) this.#followers.set(topic, count)
    else this.#followers.delete(topic)
  }

  /** The position of an id; undefined if no change has it. Another instance may have read further. */
  async #positionOf(id: string): Promise<number | undefined> {
    const position = /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN
    if (position > this.#last) await this.#readOn()
    return position <= this.#last ? position : undefined
  }

  async #read(): Promise<void> {
    for (let count = pageSize; count === pageSize;) {
      const changes = await this.#options.changes.after(this.#last, pageSize)
      for (const change of changes) this.#publish(change)
      count = changes.length
      // Subscribers take what is new before there is more.
      if (count === pageSize) await nextTurn()
    }
  }

  #publish(change: Change): void {
    const missing = change.position - 1 - this.#last
    if (missing > 0) {
      // The database was unavailable for longer than changes are kept.
      for (const topic of this.#followers.keys()) {
        this.#options.onSkipped(missing)
        this.#send(topic, tooOld(change.position - 1))
      }
    }
    this.#last = change.position
    if (!isReadable(change)) return
    const event = toEvent(change)
    for (const topic of topicsOf(change)) {
      const count = this.#followers.get(topic) ?? 0
      if (count === 0) continue
      this.#options.onDelivered(count)
      this.#send(topic, event)
    }
  }

  /** The events of a topic from the table, behind one position and up to another. */
  async *#missed(topic: string, start: number, end: number): AsyncGenerator<FeedEvent, void> {
    for (let position = start; position < end;) {
      const changes = await this.#readInTurn(topic, position)
      // A slow reader may have waited for longer than changes are kept.
      if (changes[0]?.position !== position + 1) {
        this.#options.onSkipped(end - position)
        return yield tooOld(end)
      }
      for (const change of changes) {
        position = change.position
        if (position > end || !topicsOf(change).includes(topic) || !isReadable(change)) continue
        this.#options.onDelivered(1)
        yield toEvent(change)
      }
      if (changes.length < heldSize) return
    }
  }

  /**
   * Reads for one subscriber that resumes after another, each time in a turn of the event loop of its own: otherwise hundreds
   * that resume at once keep all others waiting. While the database is unavailable they wait; the streams go on when it is back.
   */
  #readInTurn(topic: string, position: number): Promise<readonly Change[]> {
    const reading = this.#resumed.then(async () => {
      for (;;) {
        await nextTurn()
        try {
          return await this.#options.changes.after(position, heldSize, topic)
        } catch (fault) {
          if (this.#isClosed || !(fault instanceof StoreUnavailable)) throw fault
          await wait(retryDelay, undefined, { ref: false })
        }
      }
    })
    this.#resumed = reading.catch(() => {})
    return reading
  }

  #send(topic: string, event: FeedEvent): void {
    this.#pubsub.publish(topic, event).catch((fault: unknown) => this.#report(fault))
  }

  #report(fault: unknown): void {
    if (!(fault instanceof StoreUnavailable)) this.#options.onFault(fault)
  }
}

function topicsOf({ kind, personId }: Change): readonly string[] {
  return kind === 'MESSAGE'
    ? [topics.messagesTo(personId)]
    : [topics.people, topics.person(personId)]
}

/** Messages to a person who has been removed cannot be read. */
function isReadable({ kind, body }: Change): boolean {
  return kind !== 'MESSAGE' || body !== null
}

function toEvent({ position, kind, personId, body }: Change): FeedEvent {
  const event =
    kind === 'MESSAGE'
      ? { messageReceived: body }
      : { personChanged: { kind, id: personId, person: body } }
  return resumable(event, String(position))
}

/** The event for missing changes. The client can resume from its position. */
function tooOld(position: number): FeedEvent {
  const error = new GraphQLError(
    'The changes since this position are no longer kept: read the current state. New changes follow.',
    { extensions: { code: 'POSITION_TOO_OLD' } },
  )
  return resumable({ personChanged: error, messageReceived: error }, String(position))
}
