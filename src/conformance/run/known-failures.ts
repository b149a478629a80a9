import { cutText } from '../../base/cut-text.js'
import { failureOf, type CaseReport } from '../suite/report.js'
import { toPrintableLine } from '../reporters/words/printable.js'
import { isSelected, type CaseSelection } from '../judge/list-cases.js'

/** Ids of cases that are known to fail, each with the reason. */
export type KnownFailures = ReadonlyMap<string, string>

/** Writes the list that `readKnownFailures` reads. A reason is one line. */
export function formatKnownFailures(knownFailures: KnownFailures): string {
  const width = Math.max(0, ...[...knownFailures.keys()].map((id) => id.length))
  const lines = [...knownFailures].map(([id, reason]) => `${id.padEnd(width)}  ${toReason(reason)}`)
  return ['# Known failures: one case per line, its id and the reason.', ...lines, ''].join('\n')
}

function toReason(text: string): string {
  return cutText(toPrintableLine(text).replaceAll(/\s+/g, ' '), 160)
}

/** Reads a list of known failures: an id and its reason per line; `#` begins a comment. */
export function readKnownFailures(text: string): KnownFailures {
  const knownFailures = new Map<string, string>()
  for (const [at, line] of text.split('\n').entries()) {
    const [id = '', ...reason] = line.trim().split(/\s+/)
    if (id === '' || id.startsWith('#')) continue
    if (reason.length === 0) throw new TypeError(`Line ${at + 1}: ${id} has no reason.`)
    if (knownFailures.has(id)) throw new TypeError(`Line ${at + 1}: ${id} is listed twice.`)
    knownFailures.set(id, reason.join(' '))
  }
  return knownFailures
}

/**
 * A known failure is information, not a failure. One that passes, or that matches no case, fails the run,
 * so that the list cannot become outdated. Cases that were not selected need not match.
 */
export function applyKnownFailures(
  cases: readonly CaseReport[],
  knownFailures: KnownFailures = new Map(),
  selection: CaseSelection = {},
): readonly CaseReport[] {
  const ids = new Set(cases.map(({ id }) => id))
  const strays = [...knownFailures].filter(([id]) => !ids.has(id) && wasAskedFor(id, selection))
  return [
    ...cases.map((one) => judgeKnown(one, knownFailures.get(one.id))),
    ...strays.map(([id, known]) => {
      const message = `listed as a known failure (${known}), but no case of this run has this id`
      const title = 'A known failure that matches no case of this run'
      return Object.assign(failureOf('known-failures', id, title, message), { known })
    }),
  ]
}

function judgeKnown(one: CaseReport, known: string | undefined): CaseReport {
  const { verdict } = one
  if (known === undefined) return one
  if (verdict === 'fail' || verdict === 'warn') {
    const also = one.also?.map((broken) => ({ ...broken, verdict: 'info' as const }))
    return { ...one, verdict: 'info', known, ...(also && { also }) }
  }
  if (verdict !== 'pass') return one
  const message = `listed as a known failure (${known}), but passes`
  return { ...one, verdict: 'fail', known, message }
}

/** Whether an id that matches no case was selected: its suite is known only by its beginning. */
function wasAskedFor(id: string, selection: CaseSelection): boolean {
  const suite = selection.suites?.find((name) => id.startsWith(`${name}.`)) ?? ''
  return isSelected({ id, suite }, selection)
}
