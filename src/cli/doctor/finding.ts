import { toPrintableLine } from '../../conformance/reporters/words/printable.js'

/** One line of the doctor. */
export interface CheckFinding {
  /** What was looked at, such as `graphql`. */
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** Why it matters; undefined if all is well. */
  readonly why?: string | undefined
  /** What to do about it. */
  readonly remedy?: string | undefined
}

/** What a check found: a text if all is well. */
export type CheckVerdict =
  | string
  | readonly [state: 'warn' | 'fail', found: string, why: string, remedy: string]

export function toFinding(check: string, verdict: CheckVerdict): CheckFinding {
  if (typeof verdict === 'string') return { check, state: 'ok', found: verdict }
  const [state, found, why, remedy] = verdict
  return { check, state, found, why, remedy }
}

/** Compares how long a connection is kept with the balancer in front of it, in seconds. */
export function checkIdle(
  kept: number,
  balancer: number | undefined,
  remedy: string,
): CheckVerdict {
  if (balancer === undefined) return `${kept} s; say --balancer-idle to compare`
  if (kept > balancer) return `${kept} s, longer than the balancer's ${balancer} s`
  return [
    'fail',
    `${kept} s, not longer than the balancer's ${balancer} s`,
    'The balancer may send a request on a connection that is being closed: a 502 now and then.',
    remedy,
  ]
}

/** A line for each finding, and below it why it matters and what to do. */
export function formatFindings(findings: readonly CheckFinding[]): string {
  const width = Math.max(0, ...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(width + 8)
  const lines = findings.flatMap(({ check, state, found, why, remedy }) => [
    `${state.padEnd(4)}  ${check.padEnd(width)}  ${toPrintableLine(found)}`,
    ...(why === undefined ? [] : [`${indent}${why}`]),
    ...(remedy === undefined ? [] : [`${indent}-> ${remedy}`]),
  ])
  const totals = (['ok', 'warn', 'fail'] as const).map(
    (one) => `${findings.filter(({ state }) => state === one).length} ${one}`,
  )
  return `${[...lines, '', totals.join(', ')].join('\n')}\n`
}
