import { countVerdicts, type CaseReport, type Report } from '../../suite/report.js'

/** The cases of one suite. */
export interface SuiteReport {
  readonly name: string
  readonly totals: Report['totals']
  readonly cases: readonly CaseReport[]
}

/** The cases by suite, both in the order of the report. */
export function groupBySuite(cases: readonly CaseReport[]): readonly SuiteReport[] {
  const groups = new Map<string, CaseReport[]>()
  for (const one of cases) {
    const group = groups.get(one.suite)
    if (group === undefined) groups.set(one.suite, [one])
    else group.push(one)
  }
  return [...groups].map(([name, group]) => ({ name, totals: countVerdicts(group), cases: group }))
}
