/** The source of the events that a subscriber gets before all others. */
export type Missed<Event> = () =>
  | Iterable<Event>
  | AsyncIterable<Event>
  | PromiseLike<Iterable<Event> | AsyncIterable<Event>>

/** Reads missed events one at a time: the next one is only asked for when this one was taken. */
export class MissedEvents<Event> {
  readonly #events: AsyncGenerator<Event, void>
  readonly #onRead: () => void
  readonly #onFailure: (error: unknown) => void
  /** The next one, if it has been read. */
  #held: { readonly event: Event } | undefined
  /** Whether all have been taken. */
  isOver = false

  constructor(
    opened: Promise<void> | undefined,
    missed: Missed<Event>,
    on: { readonly read: () => void; readonly failure: (error: unknown) => void },
  ) {
    this.#onRead = on.read
    this.#onFailure = on.failure
    this.#events = this.#readAll(opened, missed)
    this.#pull()
  }

  /** Whether there is one to take. */
  get isHeld(): boolean {
    return this.#held !== undefined
  }

  /** The next event, if it has been read. */
  take(): { readonly event: Event } | undefined {
    const held = this.#held
    if (held === undefined) return undefined
    this.#held = undefined
    this.#pull()
    return held
  }

  /** Lets the source clean up, without waiting for it. */
  stop(): void {
    this.isOver = true
    this.#held = undefined
    this.#events.return().catch(() => {})
  }

  #pull(): void {
    this.#events.next().then(
      (result) => {
        if (this.isOver) return
        if (result.done === true) this.isOver = true
        else this.#held = { event: result.value }
        this.#onRead()
      },
      (error: unknown) => {
        if (this.isOver) return
        this.isOver = true
        this.#onFailure(error)
      },
    )
  }

  async *#readAll(
    opened: Promise<void> | undefined,
    missed: Missed<Event>,
  ): AsyncGenerator<Event, void> {
    await opened
    if (!this.isOver) yield* await missed()
  }
}
