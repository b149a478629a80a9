import { apart, type CaseReport, type Report, type Verdict } from '../../suite/report.js'
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

export interface ReportDiff {
  readonly worse: readonly CaseChange[]
  readonly better: readonly CaseChange[]
  /** Cases that a complete run skips now, as it does once the target has gained or lost a capability. */
  readonly inapplicable: readonly CaseChange[]
  readonly new: readonly CaseChange[]
  readonly gone: readonly CaseChange[]
  /** How many cases have the same verdict in both, for the same reasons. */
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
const weights: readonly Verdict[] = ['pass', 'info', 'skip', 'warn', 'fail', 'error']

export function diffReports(before: Report, after: Report): ReportDiff {
  const old = new Map(before.cases.map((one) => [one.id, one]))
  const young = new Set(after.cases.map(({ id }) => id))
  const isComplete = after.diagnosis === undefined
  const changes: readonly (readonly [ChangeKind, CaseChange])[] = [
    ...after.cases.map((one) => compare(old.get(one.id), one, isComplete)),
    ...before.cases
      .filter(({ id }) => !young.has(id))
      .map(({ id, title, verdict }) => {
        return ['gone', { id, title, before: verdict, after: undefined, message: '' }] as const
      }),
  ]
  const those = (kind: ChangeKind): readonly CaseChange[] =>
    changes.filter(([one]) => one === kind).map(([, change]) => change)
  return {
    worse: those('worse'),
    better: those('better'),
    inapplicable: those('inapplicable'),
    new: those('new'),
    gone: those('gone'),
    same: those('same').length,
  }
}

type ChangeKind = keyof ReportDiff

function compare(
  old: CaseReport | undefined,
  young: CaseReport,
  isComplete: boolean,
): readonly [ChangeKind, CaseChange] {
  const { id, title, verdict, message } = young
  const change = { id, title, before: old?.verdict, after: verdict, message }
  if (old === undefined) return ['new', change]
  if (old.verdict !== verdict) return [kindOf(old.verdict, verdict, isComplete), change]
  // The verdict is that of the worst, which may hide that something else became better or worse.
  const [worse] = brokenOnlyIn(young, old)
  if (worse !== undefined) return ['worse', { ...change, message: worse.message }]
  return [brokenOnlyIn(old, young).length > 0 ? 'better' : 'same', change]
}

/** The assertions that do not hold in one report of a case, but in the other. */
function brokenOnlyIn(one: CaseReport, other: CaseReport): readonly CaseReport[] {
  // Reports of earlier versions have no places.
  if (one.place === undefined || other.place === undefined) return []
  const inOther = new Set(apart(other).map(checkOf))
  return apart(one).filter((broken) => !inOther.has(checkOf(broken)))
}

function checkOf({ place, spec }: CaseReport): string {
  return `${place} ${spec?.statement}`
}

function kindOf(before: Verdict, after: Verdict, isComplete: boolean): ChangeKind {
  // A case that an incomplete run skips may still apply.
  if (after === 'skip') return isComplete ? 'inapplicable' : 'worse'
  return weights.indexOf(after) > weights.indexOf(before) ? 'worse' : 'better'
}

export function formatDiff(diff: ReportDiff): string {
  const lists = changeKinds.flatMap(([kind, name]) =>
    diff[kind].length === 0 ? [] : [[`${name} (${diff[kind].length})`, ...diff[kind].map(format)]],
  )
  return [...lists.map((lines) => `${lines.join('\n')}\n`), `${countChanges(diff)}\n`].join('\n')
}

export function countChanges(diff: ReportDiff): string {
  const counts = changeKinds.map(([kind, name]) => `${diff[kind].length} ${name}`)
  return [...counts, `${diff.same} unchanged`].join(', ')
}

function format({ id, title, before, after, message }: CaseChange): string {
  const verdicts = [before, after].filter((verdict) => verdict !== undefined).join(' -> ')
  const why = message === '' ? '' : `\n${' '.repeat(20)}${toPrintableLine(message)}`
  return `  ${verdicts.padEnd(16)}  ${toPrintableLine(`${id}  ${title}`)}${why}`
}
