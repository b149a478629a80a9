import { titleOf } from '../../suite/editions.js'
import { foundIn, groupHabits } from './group.js'
import {
  layerOfCase,
  verdicts,
  type CaseReport,
  type FoundCase,
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

export function sumOf(totals: Totals): number {
  return verdicts.reduce((sum, verdict) => sum + totals[verdict], 0)
}

/** The totals of each layer that has cases, with its name. */
export function layersOf({
  edition,
  layers,
}: Pick<Report, 'edition' | 'layers'>): readonly (readonly [string, Totals])[] {
  const named = [
    [titleOf(edition), layers.edition],
    ['HTTP', layers.http],
    ['the streaming protocols', layers.streaming],
    ['conventions of vendors', layers.vendor],
    ['no text', layers.none],
  ] as const
  return named.filter(([, totals]) => sumOf(totals) > 0)
}

/** The result of a run in a sentence or two. */
export function formatConclusion(report: Report): string {
  const { totals, cases } = report
  const { list } = countFailures(report)
  const warnings = groupHabits(foundIn(cases).filter(({ verdict }) => verdict === 'warn')).length
  const warned = warnings === 0 ? '' : `; ${count(warnings, 'warning')}`
  const sentences = [
    `${concludeOn(report)}${warned}.`,
    list > 0 &&
      `The list of known failures has ${count(list, 'outdated entry', 'outdated entries')}.`,
    totals.error > 0 && `The runner itself failed in ${count(totals.error, 'case')}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Counts findings by layer, each once however many cases have it. Known failures and mistakes in their list count as cases. */
export function countFailures({ cases }: Report): {
  readonly [kind in 'own' | 'http' | 'streaming' | 'vendor' | 'known' | 'list']: number
} {
  const failed = foundIn(cases).filter((one) => one.verdict === 'fail' && one.known === undefined)
  const of = (...layers: readonly (keyof Report['layers'])[]): number =>
    groupHabits(failed.filter((one) => layers.includes(layerOfCase(one)))).length
  const excused = cases.filter(({ known }) => known !== undefined)
  return {
    own: of('edition', 'none'),
    http: of('http'),
    streaming: of('streaming'),
    vendor: of('vendor'),
    known: excused.filter(({ verdict }) => verdict === 'info').length,
    list: excused.filter(({ verdict }) => verdict === 'fail').length,
  }
}

function concludeOn(report: Report): string {
  const { totals, edition } = report
  const name = `GraphQL over HTTP, ${titleOf(edition)}`
  const { own, http, streaming, vendor, known } = countFailures(report)
  const excused = known === 0 ? '' : `, except for ${count(known, 'known failure')}`
  const places = [
    [http, 'in HTTP itself'],
    [streaming, 'in the streaming protocols'],
    [vendor, 'in conventions of vendors'],
  ] as const
  const beside = places
    .filter(([number]) => number > 0)
    .map(([number, place]) => `${count(number, 'finding')} ${place}`)
    .join(' and ')
  if (own > 0) {
    const more = beside === '' ? '' : `, and ${beside}`
    return `Does not conform to ${name}: ${count(own, 'finding')}${more}`
  }
  if (totals.pass + totals.warn + known + http + streaming + vendor === 0)
    return 'Nothing was tested: no case passed'
  const incomplete = report.diagnosis === undefined ? '' : ', but the run is incomplete'
  const but = beside === '' ? '' : `, but has ${beside}`
  return `Breaks no tested requirement of ${name}${excused}${incomplete}${but}`
}

export const byUrgency: readonly Verdict[] = ['fail', 'error', 'warn', 'info', 'skip', 'pass']

/** What failed or warned, most urgent first. */
export function findingsOf(cases: readonly CaseReport[]): readonly FoundCase[] {
  const found = foundIn(cases)
  return byUrgency.slice(0, 3).flatMap((verdict) => found.filter((one) => one.verdict === verdict))
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** The level of a sentence, and the level it is checked at if lower. */
export function formatLevel({ level, heldAs }: SpecReference): string {
  return heldAs === undefined ? level : `${level} (checked as ${heldAs})`
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
