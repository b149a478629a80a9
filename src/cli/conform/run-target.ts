import { runConformance, UnreachableError, type Report } from '../../conformance/index.js'
import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { awaitInterruption } from './interruption.js'
import type { ConformPlan } from './plan.js'
import type { ProcessGroup } from './process-group.js'
import { showProgress } from './progress.js'
import { quote, startTarget } from './start-target.js'
import { writeReport } from './write-report.js'

/** Runs the suite, starting and stopping the target where that is wanted. */
export async function runTarget(
  plan: ConformPlan,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const { start: command, options, verbose } = plan
  if (command === undefined) return { ok: true, value: await testTarget(plan, terminal) }
  const { happened: interrupted, release } = awaitInterruption()
  const onOutput = (text: string): void => {
    if (verbose) terminal.err(text)
  }
  try {
    const started = await startTarget({ command, url: options.url, onOutput, interrupted })
    if (!started.ok) return started
    if (started.value === 'interrupted') return giveUp(terminal)
    const death = watchDeath(started.value, terminal, verbose)
    try {
      const code = await Promise.race([testTarget(plan, terminal), interrupted])
      return code === 'interrupted' ? giveUp(terminal) : { ok: true, value: code }
    } finally {
      death.ignore()
      await started.value.stop()
    }
  } finally {
    release()
  }
}

function giveUp(terminal: Terminal): Outcome<number, CliError> {
  terminal.err('\ngraphwire: interrupted, and stopping the target\n')
  return { ok: true, value: exitCodes.interrupted.code }
}

/** Says when the target ends in the middle of the run: the report will be full of its absence. */
function watchDeath(
  group: ProcessGroup,
  terminal: Terminal,
  verbose: boolean,
): { readonly ignore: () => void } {
  let isWatched = true
  void group.ended.then((how) => {
    if (isWatched) {
      terminal.err(`graphwire: the target ${how}.${verbose ? '' : quote(group.output())}\n`)
    }
  })
  return {
    ignore() {
      isWatched = false
    },
  }
}

async function testTarget(plan: ConformPlan, terminal: Terminal): Promise<number> {
  const progress = showProgress({
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns,
    write: (text) => terminal.err(text),
  })
  let report
  try {
    report = await runConformance({ ...plan.options, onProgress: progress.tick })
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    progress.end()
    terminal.err(`graphwire: ${error.message}\n`)
    return exitCodes.usage.code
  }
  progress.end()
  const isWritten = await writeReport(report, plan, terminal)
  return isWritten ? exitCodeOf(report) : exitCodes.usage.code
}

/** A fault of the runner must not look green. */
function exitCodeOf({ totals }: Report): number {
  return exitCodes[totals.fail + totals.error > 0 ? 'findings' : 'ok'].code
}
