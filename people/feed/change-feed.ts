import { StoreUnavailable, type Change, type ChangeStore } from '../store/store.js'
import { ChangeReader } from './change-reader.js'
import { RecentChanges, topics } from './recent-changes.js'

/** How to follow a topic. */
export interface FollowOptions {
  /** The id of the last event that the client has seen; undefined to begin now. */
  readonly after: string | undefined
  /** Called before each event. */
  readonly onEvent: () => void
  /** Called once, when the subscriber has gone. */
  readonly onEnd: () => void
}

/** The dependencies of the feed. */
export interface FeedOptions {
  readonly changes: ChangeStore
  /** How often the table is read although nothing was announced, in milliseconds; undefined if no other process writes. */
  readonly pollEvery: number | undefined
  readonly onDelivered: () => void
  readonly onSkipped: (count: number) => void
  /** How often clients without events learn how far they are, in milliseconds. Default: a minute. */
  readonly tellEvery?: number
  /** Receives errors that are bugs. */
  readonly onFault: (fault: unknown) => void
}

/** How many changes are read at once. */
const pageSize = 500
/** How many changes before its start a feed has in memory: clients of another instance may come to resume. */
const readAtStart = 1_000
const retryDelay = 1_000
const pruneEvery = 60_000

/** Reads the table of changes once for all subscribers of this instance. */
export class ChangeFeed {
  readonly #options: FeedOptions
  readonly #recent: RecentChanges
  readonly #readers = new Map<string, Set<ChangeReader>>()
  readonly #timers: NodeJS.Timeout[]
  #isStale = false
  #reading: Promise<unknown> | undefined
  #isClosed = false

  static async open(options: FeedOptions): Promise<ChangeFeed> {
    const last = await options.changes.last()
    const feed = new ChangeFeed(options, Math.max(0, last - readAtStart))
    await feed.#catchUp()
    return feed
  }

  private constructor(options: FeedOptions, last: number) {
    this.#options = options
    this.#recent = new RecentChanges(last)
    const { pollEvery, changes } = options
    changes.listen(() => this.wake())
    this.#timers = [
      setInterval(() => void this.#prune(), pruneEvery),
      setInterval(() => this.#tellPositions(), options.tellEvery ?? pruneEvery),
      ...(pollEvery === undefined ? [] : [setInterval(() => this.wake(), pollEvery)]),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** The changes of all people, or of one. Throws a StoreUnavailable if they cannot be told. */
  people(id: string | undefined, options: FollowOptions): Promise<ChangeReader> {
    return this.#follow(id === undefined ? topics.people : topics.person(id), options)
  }

  /** The messages to a person. */
  messages(to: string, options: FollowOptions): Promise<ChangeReader> {
    return this.#follow(topics.messagesTo(to), options)
  }

  async #follow(topic: string, { after, onEvent, onEnd }: FollowOptions): Promise<ChangeReader> {
    const { onDelivered, onSkipped, changes } = this.#options
    const position = after === undefined ? this.#recent.last : await this.#positionOf(after)
    const reader: ChangeReader = new ChangeReader({
      recent: this.#recent,
      readAfter: (from) => changes.after(from, pageSize),
      topic,
      position,
      isNew: after === undefined,
      onEvent() {
        onEvent()
        onDelivered()
      },
      onSkipped,
      onEnd: () => {
        this.#leave(topic, reader)
        onEnd()
      },
    })
    const readers = this.#readers.get(topic)
    if (readers === undefined) this.#readers.set(topic, new Set([reader]))
    else readers.add(reader)
    return reader
  }

  /** There may be further changes. */
  wake(): void {
    this.#isStale = true
    if (!this.#isClosed) this.#reading ??= this.#read()
  }

  close(): void {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const readers of this.#readers.values()) for (const reader of readers) void reader.return()
  }

  /** The position of an id; undefined if there is no change with it. Another instance may have read further. */
  async #positionOf(id: string): Promise<number | undefined> {
    const position = /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN
    if (position > this.#recent.last) await this.#catchUp()
    return position <= this.#recent.last ? position : undefined
  }

  /** Reads everything that has been committed by now. */
  async #catchUp(): Promise<void> {
    // One that is running may have begun before.
    await this.#reading
    this.wake()
    const fault = await this.#reading
    if (fault !== undefined) throw fault
  }

  /** Resolves with what it failed for. */
  async #read(): Promise<unknown> {
    try {
      while (this.#isStale) {
        this.#isStale = false
        const changes = await this.#options.changes.after(this.#recent.last, pageSize)
        if (changes.length === pageSize) this.#isStale = true
        this.#take(changes)
      }
      this.#reading = undefined
      return undefined
    } catch (fault) {
      this.#reading = undefined
      if (!(fault instanceof StoreUnavailable)) this.#options.onFault(fault)
      setTimeout(() => this.wake(), retryDelay).unref()
      return fault
    }
  }

  #take(changes: readonly Change[]): void {
    /** The first change of each topic. */
    const news = new Map<string, number>()
    for (const change of changes) {
      const isNext = change.position === this.#recent.last + 1
      // Readers find out themselves what a gap means for them.
      if (!isNext) for (const topic of this.#readers.keys()) news.set(topic, 0)
      for (const topic of this.#recent.add(change).topics) {
        if (!news.has(topic)) news.set(topic, change.position)
      }
    }
    for (const [topic, position] of news) {
      for (const reader of this.#readers.get(topic) ?? []) reader.news(position)
    }
  }

  #leave(topic: string, reader: ChangeReader): void {
    const readers = this.#readers.get(topic)
    readers?.delete(reader)
    if (readers?.size === 0) this.#readers.delete(topic)
  }

  #tellPositions(): void {
    for (const readers of this.#readers.values()) for (const reader of readers) reader.look()
  }

  async #prune(): Promise<void> {
    try {
      await this.#options.changes.prune()
    } catch (fault) {
      if (!(fault instanceof StoreUnavailable)) this.#options.onFault(fault)
    }
  }
}
