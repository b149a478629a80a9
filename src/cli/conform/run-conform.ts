import { setTimeout as pause } from 'node:timers/promises'
import { once } from 'node:events'
import {
  listCases,
  runConformance,
  UnreachableError,
  diffReports,
  formatDiff,
  readReport,
  type CaseReport,
} from '../../conformance/index.js'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../process/cli-error.js'
import type { Terminal } from '../arguments/define-command.js'
import { exitCodes } from '../process/exit-codes.js'
import { exitCodeOf } from './exit-code-of.js'
import type { ConformPlan } from './conform-plan.js'
import type { ProcessGroup } from './process-group.js'
import { isReachable, quote, startTarget } from './start-target.js'
import { hideHeaders } from './write-report.js'
import { tellStale, withoutFails, writeList, writeReport } from './write-report.js'
import type { FlagValue, FlagValues } from '../arguments/flag.js'
import type { ConformFlags } from './conform-flags.js'
import { readFileAs } from './read-file.js'

/** Runs the suite, and starts and stops the target if there is a command for it. */
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
    if (command === undefined) {
      return { ok: true, value: (await testTarget(plan, terminal, signal)).code }
    }
    const started = await startTarget({ command, url: options.url, onOutput, interrupted })
    if (!started.ok) return started
    if (started.value === 'interrupted') return { ok: true, value: giveUp(terminal) }
    const death = watchDeath(started.value, terminal, verbose)
    try {
      const { code, isStopped } = await testTarget(plan, terminal, signal)
      // The exit event comes after the last of its responses, and a process that is exiting still accepts connections.
      if (!signal.aborted && (isStopped || !(await isReachable(options.url)))) {
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

/** Reports that the target ended during the run: the report will be full of failures. */
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

/** The result of a run. */
interface Tested {
  readonly code: number
  /** Whether something stopped the run before its end, which may be the end of the target. */
  readonly isStopped: boolean
}

/** An interrupted run ends early, once the data of the target is restored, and has no report. */
async function testTarget(
  plan: ConformPlan,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Tested> {
  const screen: ProgressScreen = {
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns || 80,
    write: (text) => terminal.err(text),
  }
  const progress = showProgress(screen, countSuites(plan))
  let report
  try {
    report = await runConformance({ ...plan.options, signal, onProgress: progress.tick })
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    progress.end()
    terminal.err(`graphwire: ${error.message}\n`)
    return { code: exitCodes.usage.code, isStopped: true }
  }
  progress.end()
  if (signal.aborted) return { code: giveUp(terminal), isStopped: true }
  const isStopped = report.diagnosis !== undefined
  report = hideHeaders(report, plan.options.headers)
  const isWritten = await writeReport(report, plan, terminal)
  tellStale(report, terminal)
  const isListed = await writeList(report, plan, terminal)
  if (!isWritten || !isListed) return { code: exitCodes.usage.code, isStopped }
  const judged = plan.listFile === undefined ? report : withoutFails(report)
  return { code: exitCodeOf(judged, plan.failOn), isStopped }
}

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

/** A signal to stop early. */
interface Interruption {
  readonly happened: Promise<'interrupted'>
  readonly signal: AbortSignal
  /** Removes the signal handlers. */
  readonly release: () => void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits for a signal; a second one ends the process at once. */
export function awaitInterruption(): Interruption {
  const controller = new AbortController()
  const happened = once(controller.signal, 'abort').then(() => 'interrupted' as const)
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted.code)
    controller.abort()
  }
  for (const signal of signals) process.on(signal, onSignal)
  const release = (): void => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  return { happened, signal: controller.signal, release }
}

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

/** Where progress is shown. */
export interface ProgressScreen {
  readonly isTerminal: boolean
  readonly columns: number
  write(text: string): void
}

/** Shows the progress of a run. */
export interface Progress {
  readonly tick: (report: CaseReport, done: number, total: number) => void
  /** Stops, and clears the line on a terminal. */
  readonly end: () => void
}

const clearLine = '\r\u001b[2K'

/** Progress: on a terminal one line that is rewritten, elsewhere nothing. `suites` has the number of cases of each. */
export function showProgress(
  screen: ProgressScreen,
  suites: ReadonlyMap<string, number> = new Map(),
  intervalMs = 1000,
): Progress {
  if (!screen.isTerminal) return { tick: () => {}, end: () => {} }
  const startedAt = performance.now()
  const doneOf = new Map<string, number>()
  let state = 'probing the target'
  let broken = 0
  const show = (): void => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    const line = `${seconds} s  ${state}`
    screen.write(`${clearLine}${line.slice(0, Math.max(20, screen.columns - 1))}`)
  }
  const timer = setInterval(show, intervalMs)
  show()
  return {
    tick({ id, suite, verdict }, done, total) {
      if (verdict === 'fail' || verdict === 'error') broken++
      const failed = broken === 0 ? '' : `, ${broken} failed`
      const inSuite = (doneOf.get(suite) ?? 0) + 1
      doneOf.set(suite, inSuite)
      state = `${done}/${total}${failed}  ${suite} ${inSuite}/${suites.get(suite) ?? inSuite}  ${id}`
      show()
    },
    end() {
      clearInterval(timer)
      screen.write(clearLine)
    },
  }
}

/** How many cases each suite of a plan has. */
function countSuites({ options }: ConformPlan): ReadonlyMap<string, number> {
  const { edition, standard, suites, cases } = options
  const counts = new Map<string, number>()
  for (const { suite } of listCases({ edition, standard, suites, cases })) {
    counts.set(suite, (counts.get(suite) ?? 0) + 1)
  }
  return counts
}
