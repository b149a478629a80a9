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

/** The events of a stream or a socket, in order. */
export class EventLog {
  readonly events: WireEvent[] = []
  /** Violations of the syntax. */
  readonly faults: string[] = []
  /** The actions of the runner, for people. */
  readonly notes: Note[] = []
  readonly #openedAt = performance.now()
  readonly #changes = new Changes()

  /** Whether nothing more comes. */
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

  /** Notes an action, or a wait without success. */
  note(text: string): void {
    this.notes.push({ at: this.now(), text })
  }

  /** Notes a violation of the syntax, once. */
  blame(fault: string): void {
    if (!this.faults.includes(fault) && this.faults.length < 20) this.faults.push(fault)
  }

  /** Ends the log: the stream is complete. */
  end(): void {
    this.add({ kind: 'end', at: this.now() })
    this.close()
  }

  /** Ends the log: the rest is not wanted. */
  close(): void {
    this.#changes.end()
  }

  /** Ends the log: the stream was cut off. */
  fail(reason: string): void {
    if (this.isOver) return
    this.events.push({ kind: 'cut', at: this.now(), data: reason })
    this.close()
  }

  /** Waits for a condition, the end, or the time limit; returns whether the condition holds. */
  until(limit: number, isSo: () => boolean): Promise<boolean> {
    return this.#changes.until(limit, isSo)
  }

  /** Checks the conditions again, after a change that is not an event. */
  wake(): void {
    this.#changes.tell()
  }
}
