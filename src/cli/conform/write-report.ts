import { writeFile } from 'node:fs/promises'
import {
  formatKnownFailures,
  formatTotals,
  reporters,
  type CaseReport,
  type KnownFailures,
  type Report,
} from '../../conformance/index.js'
import type { Terminal } from '../arguments/define-command.js'
import { failsRun, type FailOn } from './exit-code-of.js'
import type { ConformPlan } from './conform-plan.js'

/** Writes the report to `output`; if that fails, writes it to stdout and returns false. */
export async function writeReport(
  report: Report,
  { reporter, output, verbose }: ConformPlan,
  terminal: Terminal,
): Promise<boolean> {
  const colour = output === undefined && wantsColour(terminal)
  const text = reporters[reporter](report, { verbose, colour })
  if (output === undefined) {
    terminal.out(text)
    return true
  }
  try {
    await writeFile(output, text)
    terminal.err(`${formatTotals(report.totals)}; the report is in ${output}\n`)
    return true
  } catch (error) {
    terminal.out(text)
    terminal.err(`graphwire: cannot write ${output}: ${(error as Error).message}\n`)
    return false
  }
}

/** https://no-color.org, and the variable with which CI systems request color without a terminal. */
function wantsColour({ env }: Terminal): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR'] ?? ''
  return forced === '' ? process.stdout.isTTY : forced !== '0'
}

/** Prints which lines of the list of known failures are out of date, in case the report is not shown. */
export function tellStale({ cases }: Report, terminal: Terminal): void {
  for (const one of cases) {
    if (isStale(one)) terminal.err(`graphwire: ${one.id}: ${one.message}; remove it\n`)
  }
}

/** Writes the list of failures; returns false if that fails. */
export async function writeList(
  report: Report,
  { listFile, failOn, options }: ConformPlan,
  terminal: Terminal,
): Promise<boolean> {
  if (listFile === undefined) return true
  const list = listOf(report.cases, options.knownFailures, failOn)
  try {
    await writeFile(listFile, formatKnownFailures(list))
  } catch (error) {
    terminal.err(`graphwire: cannot write ${listFile}: ${(error as Error).message}\n`)
    return false
  }
  const count = list.size === 1 ? '1 known failure' : `${list.size} known failures`
  terminal.err(`${count}: the list is in ${listFile}\n`)
  return true
}

/** The report, judged by the list that was written. */
export function withoutFails(report: Report): Report {
  const cases = report.cases.filter(({ verdict }) => verdict !== 'fail' && verdict !== 'warn')
  return { ...report, cases }
}

/** Entries of the list keep their reasons unless they are out of date; other failures are added. */
function listOf(
  cases: readonly CaseReport[],
  knownFailures: KnownFailures,
  failOn: FailOn,
): KnownFailures {
  const stale = new Set(cases.filter(isStale).map(({ id }) => id))
  const remaining = [...knownFailures].filter(([id]) => !stale.has(id))
  const added = cases
    .filter((one) => !isStale(one) && failsRun(one, failOn))
    .map(({ id, message }) => [id, message] as const)
  return new Map([...remaining, ...added].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Only a mistake in the list itself is both a failure and listed. */
function isStale({ verdict, known }: CaseReport): boolean {
  return verdict === 'fail' && known !== undefined
}
