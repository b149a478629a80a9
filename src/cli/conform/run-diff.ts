import { diffReports, formatDiff, readReport } from '../../conformance/index.js'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import type { Given, GivenValues } from '../flag.js'
import type { ConformFlags } from './flags.js'
import { readFileAs } from './read-file.js'

/** Compares two reports; what became worse is a finding. */
export async function runDiff(
  given: GivenValues<ConformFlags>,
  files: readonly string[],
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const flag = Object.values<Given<unknown>>(given).find(({ from }) => from?.startsWith('--'))
  if (flag !== undefined) return fail('usage', `conform diff has no ${flag.from}.`)
  const [first, second, ...more] = files
  if (first === undefined || second === undefined || more.length > 0) {
    return fail('usage', `conform diff takes two reports, and was given ${files.length}.`)
  }
  const before = await readFileAs(first, readReport)
  if (!before.ok) return before
  const after = await readFileAs(second, readReport)
  if (!after.ok) return after
  const diff = diffReports(before.value, after.value)
  terminal.out(formatDiff(diff))
  return { ok: true, value: exitCodes[diff.worse.length > 0 ? 'findings' : 'ok'].code }
}
