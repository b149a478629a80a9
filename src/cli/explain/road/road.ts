import type { Offer } from './offers.js'
import type { Rule } from '../rules/rules.js'

/** How a request went through the handler, as `explain --json` prints it. */
export interface Road {
  readonly request: {
    readonly method: string
    readonly target: string
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** In bytes; undefined without a body. */
    readonly body: number | undefined
  }
  readonly edition: string
  readonly steps: readonly Step[]
  /** The stages that were not reached. */
  readonly notReached: readonly string[]
  readonly response: {
    readonly status: number
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** Its beginning; undefined for a stream. */
    readonly body: string | undefined
  }
  /** What chose the status. */
  readonly decision: Decision
  /** What functions of the user or the engine threw. Clients see only an id. */
  readonly bugs: readonly string[]
}

/** One stage. */
export interface Step {
  readonly stage: string
  readonly lookedAt: string
  readonly verdict: 'passed' | 'refused' | 'responded' | 'failed'
  /** Why it was refused. */
  readonly why: string | undefined
  /** What to do about it. */
  readonly advice: string | undefined
  readonly rules: readonly Rule[]
  /** Of the stage that reads `Accept`. */
  readonly offers: readonly Offer[] | undefined
}

/** The row of a table that chose the status. */
export interface Decision {
  readonly row: string
  readonly file: string
  readonly says: string
}
