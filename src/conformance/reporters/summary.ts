import { verdicts, type CaseReport, type Report, type Verdict } from '../report.js'

/** The counts that are not zero: `40 pass, 2 fail`. */
export function formatTotals(totals: Report['totals']): string {
  const parts = verdicts.filter((name) => totals[name] > 0).map((name) => `${totals[name]} ${name}`)
  return parts.length === 0 ? 'no cases' : parts.join(', ')
}

/** What a run came to, in a sentence or two. */
export function formatConclusion({ totals, edition, cases }: Report): string {
  // Only a fault of the list of known failures is both a fail and listed.
  const listed = cases.filter(({ verdict, known }) => verdict === 'fail' && known !== undefined)
  const broken = totals.fail - listed.length
  const warned =
    totals.warn === 0 ? '' : `, ${count(totals.warn, 'case')} ${verb(totals.warn)} warned about`
  return [
    broken > 0
      ? `Does not conform to ${edition}: ${count(broken, 'case')} ${broken === 1 ? 'fails' : 'fail'}${warned}.`
      : totals.pass === 0
        ? `Nothing was found out: no case passed${warned}.`
        : `Breaks no tested requirement of ${edition}${warned}.`,
    listed.length === 0
      ? ''
      : `The list of known failures is wrong in ${count(listed.length, 'place')}.`,
    totals.error === 0 ? '' : `The runner itself failed in ${count(totals.error, 'case')}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** The verdicts in the order in which people want to read of them. */
export const byUrgency: readonly Verdict[] = ['fail', 'error', 'warn', 'info', 'skip', 'pass']

/** The cases of the verdicts that call for a look, the most urgent first. */
export function findingsOf(cases: readonly CaseReport[]): readonly CaseReport[] {
  return byUrgency.slice(0, 3).flatMap((verdict) => cases.filter((one) => one.verdict === verdict))
}

/** How long a run took, for people. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

function verb(number: number): string {
  return number === 1 ? 'is' : 'are'
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
