import { apart, countVerdicts } from '../../suite/report.js'
import type { CaseReport, FoundCase, Report } from '../../suite/report.js'

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
export function groupBySuite(cases: readonly CaseReport[]): readonly SuiteReport[] {
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
export function foundIn(cases: readonly CaseReport[]): readonly FoundCase[] {
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
