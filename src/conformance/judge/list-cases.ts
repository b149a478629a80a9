import { checkOptions, objectOf, required } from '../../shapes/shape.js'
import { aBoolean, names, oneOf } from '../../shapes/shapes.js'
import { editionNames, type EditionName } from '../suite/editions.js'
import type { CaseReport } from '../suite/report.js'
import { applicableOf, cite, type Judged, type Rules } from './judge.js'
import { readStatements } from '../suite/statements.js'
import { readSuite, type Case } from '../suite/suite.js'

/** Which cases to run. */
export interface CaseSelection {
  /** Suites by name; default: all. */
  readonly suites?: readonly string[]
  /** Ids of cases, or beginnings of ids; default: all. */
  readonly cases?: readonly string[]
}

/** Whether a case is selected. An empty list selects all. */
export function isSelected(
  { id, suite }: Pick<CaseReport, 'id' | 'suite'>,
  { suites = [], cases = [] }: CaseSelection,
): boolean {
  return (
    (suites.length === 0 || suites.includes(suite)) &&
    (cases.length === 0 || cases.some((one) => id === one || id.startsWith(`${one}.`)))
  )
}

/** A case with its assertions that apply in an edition. */
export interface JudgedCase extends Case {
  readonly judged: readonly Judged[]
}

/** The selected cases that are part of an edition, in their order. */
export function selectCases(
  cases: readonly Case[],
  rules: Rules,
  selection: CaseSelection = {},
): readonly JudgedCase[] {
  return cases
    .filter((one) => isSelected(one, selection))
    .map((one) => Object.assign({}, one, { judged: applicableOf(one, rules) }))
    .filter(({ judged }) => judged.length > 0)
}

/** A case that a run would try, as far as is known before the first request. */
export type ListedCase = Pick<CaseReport, 'id' | 'title' | 'suite' | 'level'>

export interface ListOptions extends CaseSelection {
  readonly edition: EditionName
  /** Whether to list the cases that need the standard schema. */
  readonly standard: boolean
}

const listShape = objectOf<ListOptions>('{ edition, standard }', {
  edition: required(oneOf(editionNames)),
  standard: required(aBoolean),
  suites: names,
  cases: names,
})

/** The selected cases and invariants of an edition, in the order of the report. */
export function listCases(options: ListOptions): readonly ListedCase[] {
  checkOptions('listCases', options, listShape)
  const { edition, standard } = options
  const statements = readStatements(edition)
  const { cases, invariants } = readSuite()
  return selectCases([...cases, ...invariants], { statements, edition }, options)
    .filter(({ schema }) => standard || schema !== 'standard')
    .map(({ id, title, suite, judged }) => ({ id, title, suite, level: cite(judged).level }))
}
