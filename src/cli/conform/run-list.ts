import { listCases } from '../../conformance/index.js'
import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import type { ConformPlan } from './plan.js'

/** Prints the id, level and title of every case that would run. */
export async function runList(
  { options: { edition, standard, suites, cases } }: ConformPlan,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const listed = listCases({ edition, standard, suites, cases })
  const width = Math.max(0, ...listed.map(({ id }) => id.length))
  for (const { id, level, title } of listed) {
    terminal.out(`${id.padEnd(width)}  ${level.padEnd(10)}  ${title}\n`)
  }
  return { ok: true, value: exitCodes.ok.code }
}
