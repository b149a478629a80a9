import { titleOf } from '../../suite/editions.js'
import {
  verdicts,
  type CaseReport,
  type Report,
  type SpecReference,
  type Totals,
  type Verdict,
} from '../../suite/report.js'

/** The counts that are not zero: `40 pass, 2 fail`. */
export function formatTotals(totals: Totals): string {
  const parts = verdicts.filter((name) => totals[name] > 0).map((name) => `${totals[name]} ${name}`)
  return parts.length === 0 ? 'no cases' : parts.join(', ')
}

/** How many cases they count. */
export function sumOf(totals: Totals): number {
  return verdicts.reduce((sum, verdict) => sum + totals[verdict], 0)
}

/** The totals of the edition, of HTTP, of the streaming protocols and of what cites no text, each with its name. */
export function layersOf({
  edition,
  layers,
}: Pick<Report, 'edition' | 'layers'>): readonly (readonly [string, Totals])[] {
  const named = [
    [titleOf(edition), layers.edition],
    ['HTTP', layers.http],
    ['the streaming protocols', layers.streaming],
    ['no text', layers.none],
  ] as const
  return named.filter(([, totals]) => sumOf(totals) > 0)
}

/** The result of a run in a sentence or two. */
export function formatConclusion(report: Report): string {
  const { totals } = report
  const { list } = countFailures(report)
  const warned = totals.warn === 0 ? '' : `; ${count(totals.warn, 'warning')}`
  return [
    `${concludeOn(report)}${warned}.`,
    list === 0
      ? ''
      : `The list of known failures has ${count(list, 'outdated entry', 'outdated entries')}.`,
    totals.error === 0 ? '' : `The runner itself failed in ${count(totals.error, 'case')}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** The failures by kind: of the edition, of HTTP or a streaming protocol, known ones, and mistakes in the list of known failures. */
export function countFailures({ cases }: Report): {
  readonly own: number
  readonly http: number
  readonly streaming: number
  readonly known: number
  readonly list: number
} {
  const counts = { own: 0, http: 0, streaming: 0, known: 0, list: 0 }
  for (const { verdict, layer, known } of cases) {
    if (verdict === 'info' && known !== undefined) counts.known++
    // Only a mistake in the list is both a fail and known.
    if (verdict !== 'fail') continue
    const own = layer === undefined || layer === 'edition' ? 'own' : layer
    counts[known !== undefined ? 'list' : own]++
  }
  return counts
}

function concludeOn(report: Report): string {
  const { totals, edition } = report
  const name = `GraphQL over HTTP, ${titleOf(edition)}`
  const { own, http, streaming, known } = countFailures(report)
  const excused = known === 0 ? '' : `, except for ${count(known, 'known failure')}`
  const beside = [
    ...(http === 0 ? [] : [`${count(http, 'case')} ${fails(http)} in HTTP itself`]),
    ...(streaming === 0
      ? []
      : [`${count(streaming, 'case')} ${fails(streaming)} in the streaming protocols`]),
  ].join(' and ')
  if (own > 0) {
    const more = beside === '' ? '' : `, and ${beside}`
    return `Does not conform to ${name}: ${count(own, 'case')} ${fails(own)}${more}`
  }
  if (totals.pass + totals.warn + known + http + streaming === 0)
    return 'Nothing was tested: no case passed'
  const sentence =
    report.diagnosis === undefined
      ? `Breaks no tested requirement of ${name}${excused}`
      : `Breaks no tested requirement of ${name}${excused}, but the run is incomplete`
  return beside === '' ? sentence : `${sentence}, but ${beside}`
}

/** The verdicts, most urgent first. */
export const byUrgency: readonly Verdict[] = ['fail', 'error', 'warn', 'info', 'skip', 'pass']

/** The cases that failed or warned, most urgent first. */
export function findingsOf(cases: readonly CaseReport[]): readonly CaseReport[] {
  return byUrgency.slice(0, 3).flatMap((verdict) => cases.filter((one) => one.verdict === verdict))
}

/** How long a run took, for people. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** The level of a sentence, and the level it is checked at if lower. */
export function formatLevel({ level, heldAs }: SpecReference): string {
  return heldAs === undefined ? level : `${level} (checked as ${heldAs})`
}

function fails(number: number): string {
  return number === 1 ? 'fails' : 'fail'
}

/** A number with its noun. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
