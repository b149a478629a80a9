/** The level of a statement, in the words of RFC 2119. */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** A status, a class of them, any of a list, or none of them. */
export type StatusCheck = number | string | readonly StatusCheck[] | { readonly not: StatusCheck }

export interface HeaderCheck {
  readonly equals?: string
  readonly pattern?: string
  /** The pattern in words. */
  readonly means?: string
  readonly present?: true
  readonly absent?: true
  readonly media?: string | readonly string[]
  readonly charset?: string
  readonly tokens?: readonly string[]
  readonly noTokens?: readonly string[]
}

export interface JsonCheck {
  readonly const?: Json
  readonly type?: JsonType | readonly JsonType[]
  readonly absent?: true
  readonly present?: true
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  /** A template stands for a number of an earlier response. */
  readonly maximum?: number | string
  readonly pattern?: string
  /** The pattern in words. */
  readonly means?: string
  readonly keys?: readonly string[]
  readonly each?: JsonCheck
  readonly members?: { readonly [name: string]: JsonCheck }
}

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

export interface BodyCheck {
  readonly empty?: boolean
  readonly json?: true
  readonly utf8?: true
  readonly bom?: false
  readonly length?: 'content-length'
}

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

/** A check of one event; every member must hold. */
export interface EventCheck {
  readonly kind?: EventKind | readonly EventKind[]
  readonly name?: string | readonly string[]
  readonly data?: DataCheck
  readonly json?: { readonly [pointer: string]: JsonCheck }
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

/** A check of a response; every member must hold. */
export interface Assertion {
  readonly status?: StatusCheck
  readonly header?: { readonly [name: string]: HeaderCheck }
  readonly json?: { readonly [pointer: string]: JsonCheck }
  readonly body?: BodyCheck
  readonly connection?: 'open' | 'closed'
  readonly responses?: number
  readonly response?: number
  readonly events?: EventsCheck
  readonly framing?: 'sound'
  readonly incremental?: IncrementalCheck
  readonly oneOf?: readonly Assertion[]
  readonly allOf?: readonly Assertion[]
  readonly not?: Assertion
  readonly when?: Assertion
  readonly then?: Assertion
  readonly by?: { readonly [range: string]: Assertion }
}

/** An assertion with the statement that is broken if it does not hold. */
export interface CitedAssertion extends Assertion {
  readonly statement?: string
  readonly level?: Level
  readonly info?: true
  readonly note?: string
}
