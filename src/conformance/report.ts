import type { Level } from './fixture.js'

/** What a case came to (fixtures/README.md). */
export type Verdict = 'pass' | 'fail' | 'warn' | 'info' | 'skip' | 'error'

/** The verdicts in the order in which reports count them. */
export const verdicts: readonly Verdict[] = ['pass', 'fail', 'warn', 'info', 'skip', 'error']

/** The sentence that a case is about, or that it found broken. */
export interface SpecReference {
  readonly statement: string
  readonly level: Level
  readonly section: string
  readonly source: string
  /** The sentence of the text, or our paraphrase where the text has none of its own. */
  readonly quote: string
}

/** What was said on the wire, for people. */
export interface Evidence {
  readonly sent: string
  readonly received: string
}

/** One case of a report. */
export interface CaseReport {
  readonly id: string
  readonly title: string
  readonly suite: string
  /** The strongest level of what it asserts in the edition. */
  readonly level: Level
  readonly statements: readonly string[]
  readonly verdict: Verdict
  /** Why it is no pass; empty for a pass. */
  readonly message: string
  /** The statement that is broken, or the first that is tested. */
  readonly spec: SpecReference | null
  /** Only where something did not hold. */
  readonly evidence?: Evidence
  /** Listed as a known failure. */
  readonly known?: string
}

/** The report of a run, as `--reporter json` prints it. */
export interface Report {
  readonly target: string
  readonly edition: string
  readonly suite: string
  readonly startedAt: string
  readonly durationMs: number
  readonly capabilities: readonly string[]
  readonly totals: { readonly [verdict in Verdict]: number }
  readonly cases: readonly CaseReport[]
}

/** Counts the verdicts. */
export function countVerdicts(cases: readonly CaseReport[]): Report['totals'] {
  const totals = { pass: 0, fail: 0, warn: 0, info: 0, skip: 0, error: 0 }
  for (const { verdict } of cases) totals[verdict]++
  return totals
}
