import { GraphQLError } from 'graphql'
import { resumable } from 'graphwire'
import type { Change } from '../store/store.js'
import { toEntry, type Entry, type FeedEvent, type RecentChanges } from './recent-changes.js'

/** What a reader needs of its feed. */
export interface ReaderParts {
  readonly recent: RecentChanges
  /** Reads changes that are no longer in memory. */
  readonly readAfter: (position: number) => Promise<readonly Change[]>
  readonly topic: string
  /** Where the client begins; undefined if the changes since then cannot be told. */
  readonly position: number | undefined
  /** Whether the client knows no position yet, from which it could resume. */
  readonly isNew: boolean
  /** Called before each event. */
  readonly onEvent: () => void
  /** Called when changes were skipped since they are no longer kept. */
  readonly onSkipped: (count: number) => void
  /** Called once. */
  readonly onEnd: () => void
}

/** The pause before the database is asked again, in milliseconds. */
const retryDelay = 1_000

const end: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * The changes of a topic as one subscriber reads them: a position in the list that all share. So a subscriber that reads
 * slowly takes no memory, and one that resumes is one that was slow. A source of a subscription, read by `poll` without
 * a promise for each event.
 */
export class ChangeReader implements AsyncIterableIterator<FeedEvent, undefined> {
  readonly #parts: ReaderParts
  #position: number
  /** The last position that the client has learned, and whether it should learn another without an event. */
  #told: number | undefined
  #isToTell: boolean
  /** What was read from the table, and not given yet. */
  #page: Entry[] = []
  #isReading = false
  #isTooOld: boolean
  /** Whether the last poll found nothing. */
  #isAwaiting = false
  #isOver = false
  #listener: (() => void) | undefined

  constructor(parts: ReaderParts) {
    this.#parts = parts
    this.#position = parts.position ?? parts.recent.last
    this.#isTooOld = parts.position === undefined
    this.#told = parts.position
    this.#isToTell = parts.isNew
  }

  /** The next event; undefined if there is none yet. */
  poll(): IteratorResult<FeedEvent, undefined> | undefined {
    if (this.#isOver) return end
    if (this.#isToTell) return { done: false, value: this.#tell() }
    const event = this.#isTooOld ? this.#startAnew() : this.#find()
    this.#isAwaiting = event === undefined
    if (event === undefined) return undefined
    this.#told = this.#position
    this.#parts.onEvent()
    return { done: false, value: event }
  }

  /** Called now and then: the position of a client whose topic is quiet must not become too old. */
  look(): void {
    if (!this.#isAwaiting || this.#isReading) return
    this.#position = this.#parts.recent.last
    this.#isToTell = this.#told !== this.#position
    if (this.#isToTell) this.#listener?.()
  }

  /** Sets what is called when there is an event again, or the end. */
  onReady(listener: () => void): void {
    this.#listener = listener
  }

  next(): Promise<IteratorResult<FeedEvent, undefined>> {
    return new Promise((resolve) => {
      const read = (): void => {
        const result = this.poll()
        if (result !== undefined) resolve(result)
      }
      this.onReady(read)
      read()
    })
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    if (!this.#isOver) {
      this.#isOver = true
      this.#parts.onEnd()
      this.#listener?.()
    }
    return Promise.resolve(end)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** There is a change of the topic at the position, and none since the reader last found nothing. */
  news(position: number): void {
    if (!this.#isAwaiting || this.#isReading) return
    this.#isAwaiting = false
    this.#position = Math.max(this.#position, position - 1)
    this.#listener?.()
  }

  #tell(): FeedEvent {
    this.#isToTell = false
    this.#told = this.#position
    return resumable(undefined, String(this.#position))
  }

  #find(): FeedEvent | undefined {
    const { recent, topic } = this.#parts
    for (let entry = this.#page.shift(); entry !== undefined; entry = this.#page.shift()) {
      this.#position = entry.change.position
      if (entry.topics.includes(topic)) return entry.event
    }
    if (this.#position < recent.start) {
      if (!this.#isReading) void this.#readPage()
      return undefined
    }
    const found = recent.find(this.#position, topic)
    this.#position = found?.change.position ?? recent.last
    return found?.event
  }

  async #readPage(): Promise<void> {
    this.#isReading = true
    try {
      const changes = await this.#parts.readAfter(this.#position)
      this.#isTooOld = changes[0]?.position !== this.#position + 1
      this.#page = this.#isTooOld ? [] : changes.map(toEntry)
    } catch {
      // Nothing is lost: the stream goes on when the database is back.
      await new Promise((resolve) => setTimeout(resolve, retryDelay).unref())
    }
    this.#isReading = false
    this.#listener?.()
  }

  /** Says that changes are missing. The position of this event is one from which the client can resume. */
  #startAnew(): FeedEvent {
    const { recent, position, onSkipped } = this.#parts
    if (position !== undefined) onSkipped(recent.last - this.#position)
    this.#isTooOld = false
    this.#position = recent.last
    const error = new GraphQLError(
      'The changes since this position are no longer kept: read the current state. New changes follow.',
      { extensions: { code: 'POSITION_TOO_OLD' } },
    )
    return resumable({ personChanged: error, messageReceived: error }, String(recent.last))
  }
}
