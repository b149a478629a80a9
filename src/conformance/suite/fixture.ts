/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** The level of a statement, in the words of RFC 2119. */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'

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
  readonly steps?: readonly Step[]
  readonly expect?: readonly CitedAssertion[]
}

/** Field lines by name; null prevents a field from being added. */
export interface HeaderLines {
  readonly [name: string]: string | null | readonly string[]
}

/** One exchange of a case: exactly one of `request`, `raw` and `wait`. */
export interface Step {
  readonly request?: RequestFixture
  readonly raw?: readonly RawOperation[]
  readonly responses?: number
  readonly wait?: number
  readonly save?: string
  /** Why the user's headers are not sent, or not all of them. Only a test of the fixtures reads it. */
  readonly withoutHeaders?: string
  readonly when?: { readonly [saved: string]: Assertion }
  readonly expect?: readonly CitedAssertion[]
}

/** A request that any HTTP client can send. */
export interface RequestFixture {
  readonly method?: string
  readonly path?: string
  readonly query?: { readonly [name: string]: string }
  readonly rawQuery?: string
  readonly headers?: HeaderLines
  readonly json?: Json
  readonly text?: string
  readonly hex?: string
  readonly repeat?: Repeat
  readonly before?: string
  readonly after?: string
  readonly parts?: readonly (string | CountedRepeat)[]
}

/** Text many times over. */
interface Repeat {
  readonly text: string
  readonly times: number
}

/** Text many times over, in which the counter stands for 0, 1 and so on. */
export interface CountedRepeat extends Repeat {
  readonly counter?: string
}

/** An operation on a raw connection. */
export type RawOperation =
  | { readonly text: string }
  | { readonly hex: string }
  | { readonly repeat: Repeat }
  | { readonly chunk: 'end' | { readonly text: string } | { readonly hex: string } }
  | { readonly sleep: number }
  | { readonly awaitInterim: number }
  | { readonly awaitResponse: number }
  | { readonly halfClose: true }
  | { readonly reset: true }

/** A check of a response; every member must hold. */
export interface Assertion {
  readonly status?: StatusCheck
  readonly header?: { readonly [name: string]: HeaderCheck }
  readonly json?: { readonly [pointer: string]: JsonCheck }
  readonly body?: BodyCheck
  readonly connection?: 'open' | 'closed'
  readonly responses?: number
  readonly response?: number
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

/** A status, a class of them, any of a list, or none of them. */
export type StatusCheck = number | string | readonly StatusCheck[] | { readonly not: StatusCheck }

/** A check of a header field. */
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

/** A check of a JSON value. */
export interface JsonCheck {
  readonly const?: Json
  readonly type?: JsonType | readonly JsonType[]
  readonly absent?: true
  readonly present?: true
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly pattern?: string
  /** The pattern in words. */
  readonly means?: string
  readonly keys?: readonly string[]
  readonly each?: JsonCheck
  readonly members?: { readonly [name: string]: JsonCheck }
}

/** The types of JSON Schema. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** A check of the body as bytes. */
export interface BodyCheck {
  readonly empty?: boolean
  readonly json?: true
  readonly utf8?: true
  readonly bom?: false
  readonly length?: 'content-length'
}
