import { cutText } from '../../base/cut-text.js'
import type { TimelineEntry } from '../suite/report.js'
import type { EventKind } from '../suite/checks.js'

/** The largest response that is kept; a small request has no larger one. */
export const maxResponseBytes: number = 16 * 1024 * 1024

export type FieldLine = readonly [name: string, value: string]

export interface Headed {
  readonly headers: readonly FieldLine[]
}

export interface WireResponse extends Headed {
  readonly status: number
  readonly body: Uint8Array
}

export interface WireEvent {
  readonly kind: EventKind
  /** When its last byte came, in milliseconds since the stream was opened. */
  readonly at: number
  /** When it was recognizably complete, if that was later. */
  readonly knownAt?: number
  /** The name of an event of text/event-stream. */
  readonly name?: string
  readonly data?: string
  readonly headers?: readonly FieldLine[]
  readonly code?: number
}

/** The request of a step, and what came back. */
export interface Exchange {
  /** The request as text, for people: the whole head, and the body or its beginning. */
  readonly sent: string
  /** A command that sends the same; absent if none can. */
  readonly command?: string | undefined
  readonly responses: readonly WireResponse[]
  /** Why no further response was received: a time-out, a cut connection, a broken response. */
  readonly failure?: string
  /** Whether the target closed the connection; raw exchanges only. */
  readonly connection?: 'open' | 'closed'
  /** The status of a response whose head was received and whose body was not, or was too large. */
  readonly begun?: number
  /** The events of a stream or a socket in this step, in order; undefined for other steps. */
  readonly events?: readonly WireEvent[]
  /** Violations of the syntax of the stream, or of the protocol beneath its messages. */
  readonly faults?: readonly string[]
  /** All events of the stream since it was opened, and the actions of the runner. */
  readonly history?: {
    readonly events: readonly WireEvent[]
    readonly notes: readonly TimelineEntry[]
  }
  /** Whether the target limited the rate of requests. */
  readonly isRateLimited?: true
}

/** The value of a field, its lines joined by commas; undefined if it is absent. */
export function fieldOf({ headers }: Headed, name: string): string | undefined {
  const lines = headers.filter(([found]) => found.toLowerCase() === name)
  return lines.length === 0 ? undefined : lines.map(([, value]) => value).join(', ')
}

/** The members of a field that is a list, in lower case. */
export function membersOf(response: Headed, name: string): readonly string[] {
  const members = (fieldOf(response, name) ?? '').toLowerCase().split(',')
  return members.map((member) => member.trim()).filter((member) => member !== '')
}

/** A field value without the white space around it (RFC 9112 section 5), and with any other. Goes through it once. */
export function trimBlanks(text: string): string {
  return /[^ \t](?:.*[^ \t])?/s.exec(text)?.[0] ?? ''
}

/** Text of the target within a message: its beginning, quoted. */
export function quote(text: string): string {
  return JSON.stringify(cutText(text, 200))
}
