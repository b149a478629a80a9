import type { HeaderCheck, Json, JsonCheck } from './checks.js'
import type { CountedRepeat, HeaderLines, Repeat, RequestFixture } from './request-fixture.js'

/** The events of streams and sockets (fixtures/README.md, "Events"). */
export type EventKind =
  | 'event'
  | 'comment'
  | 'part'
  | 'line'
  | 'message'
  | 'binary'
  | 'ping'
  | 'pong'
  | 'close'
  | 'end'
  | 'cut'

/** An operation on a request whose response is a stream. */
export type StreamOperation =
  /** `http`: over HTTP/2; default: HTTP/1.1. */
  { readonly open: RequestFixture; readonly http?: 2 } | WaitOperation

export type SocketStep =
  | { readonly connect: ConnectFixture }
  | { readonly send: Json }
  | { readonly text: string }
  | { readonly binary: string }
  | { readonly repeat: CountedRepeat }
  | { readonly frame: FrameFixture }
  | { readonly hex: string }
  | WaitOperation

/** An operation that both have. */
export type WaitOperation =
  | { readonly await: number | EventCheck; readonly within?: number }
  | { readonly sleep: number }
  | { readonly close: true | number }

/** The opening handshake of a WebSocket; what is missing is as RFC 6455 requires it. */
export interface ConnectFixture {
  readonly method?: string
  /** Field lines instead of the usual ones; null leaves one out. */
  readonly headers?: HeaderLines
  readonly protocols?: readonly string[]
}

/** A frame, which may be malformed. */
export interface FrameFixture {
  readonly opcode: number
  /** Default: true. */
  readonly fin?: boolean
  /** The reserved bits, 0 to 7. Default: 0. */
  readonly rsv?: number
  /** Default: true, as a client must. */
  readonly masked?: boolean
  readonly text?: string
  readonly hex?: string
  readonly repeat?: Repeat
}

/** A check of one event; every member must hold. */
export interface EventCheck {
  readonly kind?: EventKind | readonly EventKind[]
  readonly name?: string | readonly string[]
  readonly data?: DataCheck
  readonly json?: { readonly [pointer: string]: JsonCheck }
  /** The fields of a part. */
  readonly header?: { readonly [name: string]: HeaderCheck }
  readonly code?: number | readonly number[]
}

export interface DataCheck {
  readonly equals?: string
  readonly present?: true
  readonly empty?: boolean
  readonly maxBytes?: number
}

/** A check of the events of a step; every member must hold. */
export interface EventsCheck {
  /** Only these are looked at; default: all but comments, pings and pongs. */
  readonly of?: EventCheck
  readonly count?: number
  readonly atLeast?: number
  readonly atMost?: number
  /** The events one by one. */
  readonly list?: readonly EventCheck[]
  readonly first?: EventCheck
  readonly last?: EventCheck
  readonly each?: EventCheck
  readonly some?: EventCheck
  readonly none?: EventCheck
  /** The last came at least that many milliseconds after the first. */
  readonly gap?: number
  /** Each was recognizable at most that many milliseconds after its last byte. */
  readonly prompt?: number
}

export type PartsFormat = 'v0.2' | 'legacy'

/** What must hold between the payloads of one result (fixtures/README.md, "Incremental delivery"). */
export type IncrementalRule =
  | 'ids-known'
  | 'ids-unique'
  | 'ids-once'
  | 'has-next'
  | 'failed-without-data'
  | 'paths-fit'

export interface IncrementalCheck {
  readonly format: PartsFormat
  readonly rules?: readonly IncrementalRule[]
  /** Checks of the result that all payloads make together. */
  readonly merged?: { readonly [pointer: string]: JsonCheck }
}
