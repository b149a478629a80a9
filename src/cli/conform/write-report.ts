import { writeFile } from 'node:fs/promises'
import { formatTotals, reporters, type Report } from '../../conformance/index.js'
import type { Terminal } from '../command.js'
import type { ConformPlan } from './plan.js'

/** Writes the report to where it was asked for; gives false where only stdout would take it. */
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
    terminal.err(`graphwire: ${output} cannot be written: ${(error as Error).message}\n`)
    return false
  }
}

/** https://no-color.org, and the variable by which CI systems ask for colour without a terminal. */
function wantsColour({ env }: Terminal): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR'] ?? ''
  return forced === '' ? process.stdout.isTTY : forced !== '0'
}
