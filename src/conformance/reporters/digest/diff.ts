import type { Report, Verdict } from '../../suite/report.js'
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
const weights: readonly Verdict[] = ['pass', 'info', 'skip', 'warn', 'fail', 'error']

export function diffReports(before: Report, after: Report): ReportDiff {
  const old = new Map(before.cases.map((one) => [one.id, one]))
  const young = new Set(after.cases.map(({ id }) => id))
  const changes: readonly CaseChange[] = [
    ...after.cases.map(({ id, title, verdict, message }) => {
      return { id, title, before: old.get(id)?.verdict, after: verdict, message }
    }),
    ...before.cases.flatMap(({ id, title, verdict }) =>
      young.has(id) ? [] : { id, title, before: verdict, after: undefined, message: '' },
    ),
  ]
  const kinds = changes.map((change) => kindOf(change, after.diagnosis === undefined))
  const those = (kind: ChangeKind): readonly CaseChange[] =>
    changes.filter((_, at) => kinds[at] === kind)
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

function kindOf({ before, after }: CaseChange, isComplete: boolean): ChangeKind {
  if (after === undefined) return 'gone'
  if (before === undefined) return 'new'
  if (before === after) return 'same'
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
