import { isUtf8 } from 'node:buffer'
import { Changes } from '../connection.js'
import type { TimelineEntry } from '../../suite/report.js'
import type { WireEvent } from '../exchange.js'

/** More events than any case asks for: a target may send without end. */
const maxEvents = 10_000

export class EventLog {
  readonly events: WireEvent[] = []
  readonly faults: string[] = []
  /** The actions of the runner, for people. */
  readonly notes: TimelineEntry[] = []
  /** They are over when nothing more comes. */
  readonly changes: Changes = new Changes()
  readonly #openedAt = performance.now()

  /** Milliseconds since the stream was opened. */
  now(): number {
    return performance.now() - this.#openedAt
  }

  /** Adds an event, which has come just now unless it says otherwise. */
  add(event: Omit<WireEvent, 'at'> & Partial<WireEvent>): void {
    if (this.changes.isOver) return
    if (this.events.length === maxEvents) return this.fail(`more than ${maxEvents} events`)
    this.events.push({ at: this.now(), ...event })
    this.changes.tell()
  }

  /** Notes an action, or a wait without success. */
  note(text: string): void {
    this.notes.push({ at: this.now(), by: 'runner', text })
  }

  blame(fault: string): void {
    if (!this.faults.includes(fault) && this.faults.length < 20) this.faults.push(fault)
  }

  /** The text of bytes in UTF-8; what is malformed is replaced, and noted. */
  decode(bytes: Uint8Array): string {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    if (!isUtf8(bytes)) this.blame('not well-formed UTF-8')
    return text
  }

  /** Ends the log: the stream is complete. */
  end(): void {
    this.add({ kind: 'end' })
    this.close()
  }

  /** Ends the log: the rest is not wanted. */
  close(): void {
    this.changes.end()
  }

  /** Ends the log: the stream was cut off. */
  fail(reason: string): void {
    if (this.changes.isOver) return
    this.events.push({ kind: 'cut', at: this.now(), data: reason })
    this.close()
  }
}
