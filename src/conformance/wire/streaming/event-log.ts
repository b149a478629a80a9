import { Changes } from '../connection.js'
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
  readonly #changes = new Changes()

  /** Nothing more comes. */
  get isOver(): boolean {
    return this.#changes.isOver
  }

  /** Milliseconds since the stream was opened. */
  now(): number {
    return performance.now() - this.#openedAt
  }

  add(event: WireEvent): void {
    if (this.isOver) return
    if (this.events.length === maxEvents) return this.fail(`more than ${maxEvents} events`)
    this.events.push(event)
    this.#changes.tell()
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
    this.close()
  }

  /** The rest is not wanted. */
  close(): void {
    this.#changes.end()
  }

  /** The stream was cut off. */
  fail(reason: string): void {
    if (this.isOver) return
    this.events.push({ kind: 'cut', at: this.now(), data: reason })
    this.close()
  }

  /** Waits for a condition, the end, or the time limit; returns whether the condition holds. */
  until(limit: number, isSo: () => boolean): Promise<boolean> {
    return this.#changes.until(limit, isSo)
  }

  /** Something has changed that is no event. */
  wake(): void {
    this.#changes.tell()
  }
}
