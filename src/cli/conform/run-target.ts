import { setTimeout as pause } from 'node:timers/promises'
import { runConformance, UnreachableError } from '../../conformance/index.js'
import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { exitCodeOf } from './exit-code-of.js'
import { hideHeaders } from './hide-headers.js'
import { awaitInterruption } from './interruption.js'
import type { ConformPlan } from './plan.js'
import type { ProcessGroup } from './process-group.js'
import { showProgress } from './progress.js'
import { isReachable, quote, startTarget } from './start-target.js'
import { writeReport } from './write-report.js'

/** Runs the suite, starting and stopping the target where that is wanted. */
export async function runTarget(
  plan: ConformPlan,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const { start: command, options, verbose } = plan
  const { happened: interrupted, signal, release } = awaitInterruption()
  const onOutput = (text: string): void => {
    if (verbose) terminal.err(text)
  }
  try {
    if (command === undefined) return { ok: true, value: await testTarget(plan, terminal, signal) }
    const started = await startTarget({ command, url: options.url, onOutput, interrupted })
    if (!started.ok) return started
    if (started.value === 'interrupted') return { ok: true, value: giveUp(terminal) }
    const death = watchDeath(started.value, terminal, verbose)
    try {
      const code = await testTarget(plan, terminal, signal)
      // The news of its end comes later than the last of its answers.
      if (!signal.aborted && !(await isReachable(options.url))) {
        await Promise.race([started.value.ended, pause(1000, undefined, { ref: false })])
      }
      return { ok: true, value: code }
    } finally {
      death.ignore()
      await started.value.stop()
    }
  } finally {
    release()
  }
}

function giveUp(terminal: Terminal): number {
  terminal.err('\ngraphwire: interrupted\n')
  return exitCodes.interrupted.code
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

/** An interrupted run ends early, once the target has back what was changed, and has no report. */
async function testTarget(
  plan: ConformPlan,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const progress = showProgress({
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns || 80,
    write: (text) => terminal.err(text),
  })
  let report
  try {
    report = await runConformance({ ...plan.options, signal, onProgress: progress.tick })
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    progress.end()
    terminal.err(`graphwire: ${error.message}\n`)
    return exitCodes.usage.code
  }
  progress.end()
  if (signal.aborted) return giveUp(terminal)
  report = hideHeaders(report, plan.options.headers)
  const isWritten = await writeReport(report, plan, terminal)
  return isWritten ? exitCodeOf(report) : exitCodes.usage.code
}
