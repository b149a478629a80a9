import { countOf } from '../../../base/prose.js'
import { titleOf } from '../../suite/editions.js'
import {
  apart,
  countLayers,
  countVerdicts,
  layerOfCase,
  verdicts,
  type CaseReport,
  type FoundCase,
  type Report,
  type SpecReference,
  type Totals,
  type Verdict,
} from '../../suite/report.js'

/** A report with what several reporters show of it. */
export interface ReportDigest extends Report {
  /** Of the edition. */
  readonly title: string
  readonly duration: string
  readonly conclusion: string
  readonly suites: readonly SuiteReport[]
  /** The totals of each layer that has cases, with its name. */
  readonly texts: readonly (readonly [string, Totals])[]
  /** What failed or warned, most urgent first. */
  readonly habits: readonly Habit[]
}

export function digestOf(report: Report): ReportDigest {
  const { edition, cases, durationMs: ms } = report
  return {
    ...report,
    title: titleOf(edition),
    duration: ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`,
    conclusion: formatConclusion(report),
    suites: groupBySuite(cases),
    texts: layersOf(edition, cases),
    habits: groupHabits(findingsOf(cases)),
  }
}

/** Items with the same key, in the order of the first of each group. */
export type Group<Item> = readonly [Item, ...Item[]]

export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Group<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

export interface SuiteReport {
  readonly name: string
  readonly totals: Report['totals']
  readonly cases: readonly CaseReport[]
}

/** The cases by suite, both in the order of the report. */
function groupBySuite(cases: readonly CaseReport[]): readonly SuiteReport[] {
  return groupBy(cases, ({ suite }) => suite).map((group) => ({
    name: group[0].suite,
    totals: countVerdicts(group),
    cases: group,
  }))
}

/** Findings that break the same sentence, grouped by what was wrong: one habit of the server. */
export type Habit = Group<Group<FoundCase>>

/**
 * Groups cases that break the same sentence in the same way: one cause, shown once. Without a response the sentences differ, but the cause is
 * the same. An invariant names the case that broke it first, which often has the same finding.
 */
export function groupFindings(cases: readonly FoundCase[]): readonly Group<FoundCase>[] {
  return groupBy(cases, causeOf)
}

function causeOf({ verdict, message, spec, known }: FoundCase): string {
  const cause = message.replace(/ \(first in \S+\)$/, '')
  return JSON.stringify([verdict, cause, isSilence(message) ? '' : spec?.statement, known])
}

function isSilence(message: string): boolean {
  return message.startsWith('no response was received')
}

/** What was found in cases: of each the worst, and what else has another cause. Silence is one, whatever it breaks. */
function foundIn(cases: readonly CaseReport[]): readonly FoundCase[] {
  return cases.flatMap((one) => {
    const causes = groupFindings(apart(one)).map(([first]) => first)
    const silent = causes.find(({ message }) => isSilence(message))
    return causes.filter((cause) => cause === silent || !isSilence(cause.message))
  })
}

export function groupHabits(cases: readonly FoundCase[]): readonly Habit[] {
  return groupBy(groupFindings(cases), ([{ id, verdict, spec, known }]) =>
    JSON.stringify(spec === null || known !== undefined ? [id] : [verdict, spec.statement]),
  )
}

/** The counts that are not zero: `40 pass, 2 fail`. */
export function formatTotals(totals: Totals): string {
  const parts = verdicts.filter((name) => totals[name] > 0).map((name) => `${totals[name]} ${name}`)
  return parts.length === 0 ? 'no cases' : parts.join(', ')
}

export function sumOf(totals: Totals): number {
  return verdicts.reduce((sum, verdict) => sum + totals[verdict], 0)
}

export function layersOf(
  edition: string,
  cases: readonly CaseReport[],
): readonly (readonly [string, Totals])[] {
  const layers = countLayers(cases)
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
function formatConclusion(report: Report): string {
  const { totals, cases } = report
  const { list } = countFailures(report)
  const warnings = groupHabits(findingsOf(cases, ['warn'])).length
  const warned = warnings === 0 ? '' : `; ${countOf(warnings, 'warning')}`
  const sentences = [
    `${concludeOn(report)}${warned}.`,
    list > 0 &&
      `The list of known failures has ${countOf(list, 'outdated entry', 'outdated entries')}.`,
    totals.error > 0 && `The runner itself failed in ${countOf(totals.error, 'case')}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Counts findings by layer, each once however many cases have it. Known failures and mistakes in their list count as cases. */
export function countFailures({ cases }: Report): {
  readonly [kind in 'own' | 'http' | 'streaming' | 'vendor' | 'known' | 'list']: number
} {
  const failed = findingsOf(cases, ['fail']).filter(({ known }) => known === undefined)
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
  const excused = known === 0 ? '' : `, except for ${countOf(known, 'known failure')}`
  const places = [
    [http, 'in HTTP itself'],
    [streaming, 'in the streaming protocols'],
    [vendor, 'in conventions of vendors'],
  ] as const
  const beside = places
    .filter(([number]) => number > 0)
    .map(([number, place]) => `${countOf(number, 'finding')} ${place}`)
    .join(' and ')
  if (own > 0) {
    const more = beside === '' ? '' : `, and ${beside}`
    return `Does not conform to ${name}: ${countOf(own, 'finding')}${more}`
  }
  if (totals.pass + totals.warn + known + http + streaming + vendor === 0)
    return 'Nothing was tested: no case passed'
  const incomplete = report.diagnosis === undefined ? '' : ', but the run is incomplete'
  const but = beside === '' ? '' : `, but has ${beside}`
  return `Breaks no tested requirement of ${name}${excused}${incomplete}${but}`
}

/** What was found with these verdicts, in their order: by default what failed or warned, most urgent first. */
export function findingsOf(
  cases: readonly CaseReport[],
  wanted: readonly Verdict[] = ['fail', 'error', 'warn'],
): readonly FoundCase[] {
  const found = foundIn(cases)
  return wanted.flatMap((verdict) => found.filter((one) => one.verdict === verdict))
}

/** The level of a sentence, and the level it is checked at if lower. */
export function formatLevel({ level, heldAs }: SpecReference): string {
  return heldAs === undefined ? level : `${level} (checked as ${heldAs})`
}
