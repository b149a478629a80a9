import type { CaseReport } from '../../suite/report.js'

/** Cases with the same finding: one cause, shown once. */
export interface FindingGroup {
  readonly first: CaseReport
  readonly others: readonly CaseReport[]
}

/** Findings that break the same sentence, each in a way of its own: one habit of the server. */
export function groupHabits(
  groups: readonly FindingGroup[],
): readonly (readonly [FindingGroup, ...FindingGroup[]])[] {
  const habits = new Map<string, [FindingGroup, ...FindingGroup[]]>()
  for (const group of groups) {
    const { id, verdict, spec, known } = group.first
    const isAlone = spec === null || known !== undefined
    const key = JSON.stringify(isAlone ? [id] : [verdict, spec.statement])
    const habit = habits.get(key)
    if (habit === undefined) habits.set(key, [group])
    else habit.push(group)
  }
  return [...habits.values()]
}

/** Groups cases that break the same sentence in the same way, in the order of their first. */
export function groupFindings(cases: readonly CaseReport[]): readonly FindingGroup[] {
  const groups = new Map<string, CaseReport[]>()
  for (const one of cases) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [{ first, others }] : []))
}

/**
 * Without a response the sentences differ, but the cause is the same. An invariant names the case that broke
 * it first, which often has the same finding.
 */
function keyOf({ verdict, message, spec, known }: CaseReport): string {
  const cause = message.replace(/ \(first in \S+\)$/, '')
  const isSilence = message.startsWith('no response was received')
  return JSON.stringify([verdict, cause, isSilence ? '' : spec?.statement, known])
}
