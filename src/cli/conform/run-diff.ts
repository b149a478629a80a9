import { diffReports, formatDiff, readReport } from '../../conformance/index.js'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../process/cli-error.js'
import type { Terminal } from '../arguments/define-command.js'
import { exitCodes } from '../process/exit-codes.js'
import type { FlagValue, FlagValues } from '../arguments/flag.js'
import type { ConformFlags } from './conform-flags.js'
import { readFileAs } from './read-file.js'

/** Compares two reports; a case that became worse is a finding. */
export async function runDiff(
  flags: FlagValues<ConformFlags>,
  files: readonly string[],
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const flag = Object.values<FlagValue<unknown>>(flags).find(({ from }) => from?.startsWith('--'))
  if (flag !== undefined) return fail('usage', `${flag.from} cannot be used with conform diff.`)
  const [first, second, ...more] = files
  if (first === undefined || second === undefined || more.length > 0) {
    return fail('usage', `conform diff takes two reports, got ${files.length}.`)
  }
  const before = await readFileAs(first, readReport)
  if (!before.ok) return before
  const after = await readFileAs(second, readReport)
  if (!after.ok) return after
  const diff = diffReports(before.value, after.value)
  terminal.out(formatDiff(diff))
  return { ok: true, value: exitCodes[diff.worse.length > 0 ? 'findings' : 'ok'].code }
}
