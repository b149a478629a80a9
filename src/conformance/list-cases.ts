import type { EditionName } from './editions.js'
import type { Level } from './fixture.js'
import { applicableOf, strongest } from './judge.js'
import { isSelected, type CaseSelection } from './select-cases.js'
import { readStatements } from './statements.js'
import { fixturesFolder, readSuite } from './suite.js'

/** A case that a run would try, as far as is known before the target is asked. */
export interface ListedCase {
  readonly id: string
  readonly title: string
  readonly suite: string
  readonly level: Level
}

/** What a run would try. */
export interface ListOptions extends CaseSelection {
  readonly edition: EditionName
  /** Whether the cases are wanted that need the standard schema. */
  readonly standard: boolean
}

/** The cases and invariants of an edition that a selection takes, in the order of the report. */
export function listCases({ edition, standard, ...selection }: ListOptions): readonly ListedCase[] {
  const statements = readStatements(fixturesFolder, edition)
  const { cases, invariants } = readSuite()
  return [...cases, ...invariants].flatMap((one) => {
    const judged = applicableOf(one, statements, edition)
    const isPart = judged.length > 0 && (standard || one.schema !== 'standard')
    if (!isPart || !isSelected(one, selection)) return []
    return [{ id: one.id, title: one.title, suite: one.suite, level: strongest(judged) }]
  })
}
