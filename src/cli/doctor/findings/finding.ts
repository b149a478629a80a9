import { toPrintableLine } from '../../../conformance/reporters/words/printable.js'

/** One line of the doctor. */
export interface Finding {
  /** What was looked at, such as `graphql`. */
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** Why it matters; undefined if all is well. */
  readonly why?: string
  /** What to do about it. */
  readonly remedy?: string
}

/** A finding without a complaint. */
export function fine(check: string, found: string): Finding {
  return { check, state: 'ok', found }
}

/** A line for each finding, and below it why it matters and what to do. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, found, why, remedy }) => {
    const indent = ' '.repeat(width + 8)
    return [
      `${state.padEnd(4)}  ${check.padEnd(width)}  ${toPrintableLine(found)}`,
      ...(why === undefined ? [] : [`${indent}${why}`]),
      ...(remedy === undefined ? [] : [`${indent}-> ${remedy}`]),
    ]
  })
  const count = (state: Finding['state']): number =>
    findings.filter((finding) => finding.state === state).length
  const totals = `${count('ok')} ok, ${count('warn')} warn, ${count('fail')} fail`
  return `${[...lines, '', totals].join('\n')}\n`
}
