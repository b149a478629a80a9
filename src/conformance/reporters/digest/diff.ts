import type { CaseReport, Report, Verdict } from '../../suite/report.js'
import { toPrintableLine } from '../words/printable.js'

/** A case in two reports. */
export interface CaseChange {
  readonly id: string
  readonly title: string
  /** Undefined if the report has no such case. */
  readonly before: Verdict | undefined
  readonly after: Verdict | undefined
  readonly message: string
}

/** How two reports differ. */
export interface ReportDiff {
  readonly worse: readonly CaseChange[]
  readonly better: readonly CaseChange[]
  /** Cases that are skipped now, as some are once the target has gained or lost a capability. */
  readonly inapplicable: readonly CaseChange[]
  readonly new: readonly CaseChange[]
  readonly gone: readonly CaseChange[]
  /** How many cases have the same verdict in both. */
  readonly same: number
}

/** The kinds of changes and their names, most urgent first. */
export const changeKinds = [
  ['worse', 'worse'],
  ['better', 'better'],
  ['inapplicable', 'no longer applicable'],
  ['new', 'new'],
  ['gone', 'gone'],
] as const

// A case that was skipped proved less than one that passes, and is better than one that warns.
const weights: { readonly [verdict in Verdict]: number } = {
  pass: 0,
  info: 1,
  skip: 2,
  warn: 3,
  fail: 4,
  error: 5,
}

/** Compares two reports, case by case. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const old = new Map(before.cases.map((one) => [one.id, one]))
  const ids = new Set(after.cases.map(({ id }) => id))
  const changes = after.cases.map((one) => toChange(old.get(one.id), one))
  const compared = changes.filter((change) => change.before !== undefined)
  const judged = compared.filter((change) => change.after !== 'skip')
  return {
    worse: judged.filter((change) => weightOf(change.after) > weightOf(change.before)),
    better: judged.filter((change) => weightOf(change.after) < weightOf(change.before)),
    inapplicable: compared.filter((change) => change.after === 'skip' && change.before !== 'skip'),
    new: changes.filter((change) => change.before === undefined),
    gone: before.cases
      .filter(({ id }) => !ids.has(id))
      .map(({ id, title, verdict }) => ({
        id,
        title,
        before: verdict,
        after: undefined,
        message: '',
      })),
    same: compared.filter((change) => change.after === change.before).length,
  }
}

/** The differences as text. */
export function formatDiff(diff: ReportDiff): string {
  const lists = changeKinds.flatMap(([kind, name]) =>
    diff[kind].length === 0 ? [] : [[`${name} (${diff[kind].length})`, ...diff[kind].map(format)]],
  )
  return [...lists.map((lines) => `${lines.join('\n')}\n`), `${countChanges(diff)}\n`].join('\n')
}

/** The numbers of a difference in one line. */
export function countChanges(diff: ReportDiff): string {
  const counts = changeKinds.map(([kind, name]) => `${diff[kind].length} ${name}`)
  return [...counts, `${diff.same} unchanged`].join(', ')
}

function toChange(before: CaseReport | undefined, after: CaseReport): CaseChange {
  const { id, title, verdict, message } = after
  return { id, title, before: before?.verdict, after: verdict, message }
}

function weightOf(verdict: Verdict | undefined): number {
  return verdict === undefined ? 0 : weights[verdict]
}

function format({ id, title, before, after, message }: CaseChange): string {
  const verdicts = [before, after].filter((verdict) => verdict !== undefined).join(' -> ')
  const why = message === '' ? '' : `\n${' '.repeat(20)}${toPrintableLine(message)}`
  return `  ${verdicts.padEnd(16)}  ${toPrintableLine(`${id}  ${title}`)}${why}`
}
