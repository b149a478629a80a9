import type { BodyCheck, HeaderCheck, JsonCheck, StatusCheck } from './checks.js'
import type { HeaderLines, Repeat, RequestFixture } from './request-fixture.js'
import type {
  EventsCheck,
  IncrementalCheck,
  SocketStep,
  StreamOperation,
} from './stream-fixture.js'

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
  readonly socket?: readonly SocketStep[]
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
