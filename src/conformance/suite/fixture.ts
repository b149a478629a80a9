import type { Assertion, CitedAssertion, EventCheck, Json } from './checks.js'

/** A case, a probe or an invariant, its named checks resolved (fixtures/README.md). */
export interface Fixture {
  readonly id: string
  readonly title: string
  readonly editions?: { readonly from?: string; readonly until?: string }
  readonly schema?: 'any' | 'standard'
  readonly needs?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly serial?: boolean
  readonly cleanup?: 'standard.reset'
  readonly yields?: readonly string[]
  readonly variants?: readonly HeaderLines[]
  readonly steps?: readonly FixtureStep[]
  readonly expect?: readonly CitedAssertion[]
}

/** One exchange of a case: exactly one of `request`, `raw`, `stream`, `socket` and `wait`. */
export interface FixtureStep {
  readonly request?: RequestFixture
  /** The request is sent again until its assertions hold, for at most that many milliseconds. */
  readonly within?: number
  readonly raw?: readonly RawOperation[]
  readonly stream?: readonly StreamOperation[]
  readonly socket?: readonly StreamOperation[]
  /** Keeps the stream or socket of this step open, or is the one of an earlier step. */
  readonly as?: string
  readonly responses?: number
  readonly wait?: number
  readonly save?: string
  /** Why the user's headers are not sent, or not all of them. Only a test of the fixtures reads it. */
  readonly withoutHeaders?: string
  readonly when?: { readonly [saved: string]: Assertion }
  readonly expect?: readonly CitedAssertion[]
}

/** Field lines by name; null prevents a field from being added. */
export interface HeaderLines {
  readonly [name: string]: string | null | undefined | readonly string[]
}

/** Bytes to send: one of these. */
export interface BytesFixture {
  readonly text?: string | undefined
  readonly hex?: string | undefined
  readonly repeat?: Repeat | undefined
}

/** Text many times over, in which the counter stands for 0, 1 and so on. */
export interface Repeat {
  readonly text: string
  readonly times: number
  readonly counter?: string
}

export interface RequestFixture extends Omit<BytesFixture, 'repeat'> {
  readonly method?: string
  readonly path?: string
  readonly query?: { readonly [name: string]: string }
  readonly rawQuery?: string
  readonly headers?: HeaderLines
  readonly json?: Json
  readonly parts?: readonly (string | Repeat)[]
}

/** An operation on a raw connection: one of these. */
export interface RawOperation extends BytesFixture {
  readonly chunk?: 'end' | BytesFixture
  readonly sleep?: number
  readonly awaitInterim?: number
  readonly awaitResponse?: number
  readonly halfClose?: true
  readonly reset?: true
}

/** An operation on a stream or a socket: one of these, with `http` beside `open`, and `within` beside `await`. */
export interface StreamOperation extends BytesFixture {
  readonly open?: RequestFixture
  /** Default: HTTP/1.1. */
  readonly http?: 2
  readonly connect?: ConnectFixture
  readonly send?: Json
  readonly binary?: string
  readonly frame?: FrameFixture
  readonly await?: number | EventCheck
  readonly within?: number
  readonly sleep?: number
  readonly close?: true | number
}

/** The opening handshake of a WebSocket; what is missing is as RFC 6455 requires it. */
export interface ConnectFixture {
  readonly method?: string
  /** Field lines instead of the usual ones; null leaves one out. */
  readonly headers?: HeaderLines
  readonly protocols?: readonly string[]
}

export interface FrameFixture extends BytesFixture {
  readonly opcode: number
  /** Default: true. */
  readonly fin?: boolean
  /** The reserved bits, 0 to 7. Default: 0. */
  readonly rsv?: number
  /** Default: true, as a client must. */
  readonly masked?: boolean
}
