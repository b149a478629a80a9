import type { Note, WireEvent } from '../exchange.js'

/** Reads a body as its bytes come, and puts what it finds into a log. */
export interface StreamReader {
  add(chunk: Uint8Array): void
  /** The body is complete. */
  end(): void
}

/** More events than any case asks for: a target may send without end. */
const maxEvents = 10_000

/** What has come of a stream or a socket, in order. */
export class EventLog {
  readonly events: WireEvent[] = []
  /** What breaks the syntax. */
  readonly faults: string[] = []
  /** What was done to the stream, for people. */
  readonly notes: Note[] = []
  readonly #openedAt = performance.now()
  #ended = false
  #wake: () => void = () => {}

  /** Nothing more comes. */
  get isOver(): boolean {
    return this.#ended
  }

  /** Milliseconds since the stream was opened. */
  now(): number {
    return performance.now() - this.#openedAt
  }

  add(event: WireEvent): void {
    if (this.#ended) return
    if (this.events.length === maxEvents) return this.fail(`more than ${maxEvents} events`)
    this.events.push(event)
    this.#wake()
  }

  /** Notes what was done, or waited for in vain. */
  note(text: string): void {
    this.notes.push({ at: this.now(), text })
  }

  /** Notes what breaks the syntax; the same fault is noted once. */
  blame(fault: string): void {
    if (!this.faults.includes(fault) && this.faults.length < 20) this.faults.push(fault)
  }

  /** The stream has ended as it should. */
  end(): void {
    this.add({ kind: 'end', at: this.now() })
    this.#finish()
  }

  /** Nobody wants more of it. */
  close(): void {
    this.#finish()
  }

  /** The stream was cut off. */
  fail(reason: string): void {
    if (this.#ended) return
    this.events.push({ kind: 'cut', at: this.now(), data: reason })
    this.#finish()
  }

  /** Waits for a condition, the end, or the time limit; returns whether the condition holds. */
  async until(limit: number, isSo: () => boolean): Promise<boolean> {
    const deadline = performance.now() + limit
    while (!isSo() && !this.#ended) {
      const left = deadline - performance.now()
      if (left <= 0) return false
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return isSo()
  }

  /** Wakes who waits for something that is no event. */
  wake(): void {
    this.#wake()
  }

  #finish(): void {
    this.#ended = true
    this.#wake()
  }
}
