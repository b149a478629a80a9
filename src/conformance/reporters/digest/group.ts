import { countVerdicts, type CaseReport, type Report } from '../../suite/report.js'

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
  const groups = groupBy(cases, ({ suite }) => suite)
  return groups.map((group) => ({
    name: group[0].suite,
    totals: countVerdicts(group),
    cases: group,
  }))
}

/** Cases with the same finding: one cause, shown once. */
export interface FindingGroup {
  readonly first: CaseReport
  readonly others: readonly CaseReport[]
}

/**
 * Groups cases that break the same sentence in the same way. Without a response the sentences differ, but the cause is
 * the same. An invariant names the case that broke it first, which often has the same finding.
 */
export function groupFindings(cases: readonly CaseReport[]): readonly FindingGroup[] {
  const groups = groupBy(cases, ({ verdict, message, spec, known }) => {
    const cause = message.replace(/ \(first in \S+\)$/, '')
    const isSilence = message.startsWith('no response was received')
    return JSON.stringify([verdict, cause, isSilence ? '' : spec?.statement, known])
  })
  return groups.map(([first, ...others]) => ({ first, others }))
}

/** Findings that break the same sentence, each in a way of its own: one habit of the server. */
export function groupHabits(cases: readonly CaseReport[]): readonly Group<FindingGroup>[] {
  return groupBy(groupFindings(cases), ({ first: { id, verdict, spec, known } }) =>
    JSON.stringify(spec === null || known !== undefined ? [id] : [verdict, spec.statement]),
  )
}
