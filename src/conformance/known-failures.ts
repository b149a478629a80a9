import type { CaseReport } from './report.js'
import { isSelected, type CaseSelection } from './select-cases.js'

/** Ids of cases that are known to fail, each with the reason. */
export type KnownFailures = ReadonlyMap<string, string>

/** Reads a list of known failures: an id and its reason a line; `#` begins a comment. */
export function readKnownFailures(text: string): KnownFailures {
  const known = new Map<string, string>()
  for (const [at, line] of text.split('\n').entries()) {
    const [id = '', ...reason] = line.trim().split(/\s+/)
    if (id === '' || id.startsWith('#')) continue
    if (reason.length === 0) throw new TypeError(`Line ${at + 1}: ${id} has no reason.`)
    if (known.has(id)) throw new TypeError(`Line ${at + 1}: ${id} is listed above already.`)
    known.set(id, reason.join(' '))
  }
  return known
}

/**
 * A known failure is information, not a failure. One that passes, or that no case matches, fails the
 * run: the list must not outlive what it excuses. What was not asked for need not match.
 */
export function applyKnownFailures(
  cases: readonly CaseReport[],
  known: KnownFailures,
  selection: CaseSelection = {},
): readonly CaseReport[] {
  const judged = cases.map((one) => judgeKnown(one, known.get(one.id)))
  const ids = new Set(cases.map(({ id }) => id))
  const strays = [...known].filter(([id]) => !ids.has(id) && wasAskedFor(id, selection))
  return [...judged, ...strays.map(strayReport)]
}

function judgeKnown(one: CaseReport, reason: string | undefined): CaseReport {
  if (reason === undefined) return one
  switch (one.verdict) {
    case 'fail':
    case 'warn':
      return { ...one, verdict: 'info', known: reason }
    case 'pass':
      return {
        ...one,
        verdict: 'fail',
        known: reason,
        message: `listed as a known failure (${reason}), and passes`,
      }
    case 'info':
    case 'skip':
    case 'error':
      return one
  }
}

/** An id that no case has tells its suite by its beginning alone. */
function wasAskedFor(id: string, selection: CaseSelection): boolean {
  const suite = selection.suites?.find((name) => id.startsWith(`${name}.`)) ?? ''
  return isSelected({ id, suite }, selection)
}

function strayReport([id, reason]: readonly [string, string]): CaseReport {
  return {
    id,
    title: 'A known failure that matches no case of this run',
    suite: 'known-failures',
    level: 'MUST',
    statements: [],
    verdict: 'fail',
    message: `listed as a known failure (${reason}), and no case of this run has this id`,
    spec: null,
    known: reason,
  }
}
