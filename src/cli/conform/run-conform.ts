import { setTimeout as pause } from 'node:timers/promises'
import {
  listCases,
  runConformance,
  UnreachableError,
  diffReports,
  formatDiff,
  formatDiffHtml,
  readReport,
  type CaseReport,
  type EditionName,
  type Report,
} from '../../conformance/index.js'
import type { ConformPlan } from './conform-plan.js'
import { awaitInterruption, isReachable, startTarget, watchDeath } from './start-target.js'
import { exitCodeOf, hideHeaders, withoutFails, writeReports, writeText } from './write-report.js'
import type { Call } from '../arguments/define-command.js'
import type { FlagValue } from '../arguments/flag.js'
import type { ConformFlags } from './conform-flags.js'
import { readFileAs } from '../process/read-text-file.js'
import { exit, fail, type CliOutcome } from '../process/outcome.js'
import type { Screen, Terminal } from '../process/terminal.js'

export async function runTarget(plan: ConformPlan): Promise<CliOutcome> {
  const { options, flags, terminal } = plan
  const [command, verbose] = [flags.start.value, flags.verbose.value]
  const { signal, release } = awaitInterruption()
  const onOutput = (text: string): void => {
    if (verbose) terminal.err(text)
  }
  try {
    if (command === undefined) return await testTarget(plan, signal)
    const started = await startTarget({ command, url: options.url, onOutput, signal })
    if (!started.ok) return started
    if (started.value === 'interrupted') return giveUp(terminal)
    const ignoreDeath = watchDeath(started.value, terminal, verbose)
    try {
      const tested = await testTarget(plan, signal)
      // A target that has ended refuses connections before its exit is noticed, which is to be reported.
      if (!signal.aborted && !(await isReachable(options.url))) {
        await Promise.race([
          started.value.ended,
          pause(10_000, undefined, { ref: false, signal }).catch(() => undefined),
        ])
      }
      return tested
    } finally {
      ignoreDeath()
      await started.value.stop()
    }
  } finally {
    release()
  }
}

function giveUp(terminal: Terminal): CliOutcome {
  terminal.err('\ngraphwire: interrupted\n')
  return exit('interrupted')
}

/** An interrupted run ends early, once the data of the target is restored, and has no report. */
async function testTarget(plan: ConformPlan, signal: AbortSignal): Promise<CliOutcome> {
  const reports: Report[] = []
  for (const edition of plan.editions) {
    const report = await runEdition(plan, edition, signal)
    if (report === undefined) return exit('usage')
    if (signal.aborted) return giveUp(plan.terminal)
    reports.push(hideHeaders(report, plan.options.headers))
  }
  if (!(await writeReports(reports, plan))) return exit('usage')
  const { 'write-known-failures': list, 'fail-on': failOn } = plan.flags
  const codes = reports.map((one) =>
    exitCodeOf(list.value === undefined ? one : withoutFails(one), failOn.value),
  )
  return { ok: true, value: Math.max(...codes) }
}

/** Runs the suite in one edition; undefined if the target cannot be reached. */
async function runEdition(plan: ConformPlan, edition: EditionName, signal: AbortSignal) {
  const { options, editions, terminal } = plan
  const title = editions.length === 1 ? [] : [edition]
  const progress = showProgress(terminal.stderr, (text) => terminal.err(text), title)
  try {
    const running = runConformance({ ...options, edition, signal, onProgress: progress.tick })
    return await running.finally(progress.end)
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    terminal.err(`graphwire: ${error.message}\n`)
    return undefined
  }
}

export async function runList({ options, terminal }: ConformPlan): Promise<CliOutcome> {
  const { edition, standard, suites, cases } = options
  const listed = listCases({ edition, standard, suites, cases })
  const width = Math.max(0, ...listed.map(({ id }) => id.length))
  for (const { id, level, title } of listed) {
    terminal.out(`${id.padEnd(width)}  ${level.padEnd(10)}  ${title}\n`)
  }
  return exit('ok')
}

/** Compares two reports; a case that became worse is a finding. */
export async function runDiff({ flags, words, terminal }: Call<ConformFlags>): Promise<CliOutcome> {
  const { reporter, output, ...others } = flags
  const flag = Object.values<FlagValue<unknown>>(others).find(({ from }) => from?.startsWith('--'))
  if (flag !== undefined) return fail('usage', `${flag.from} cannot be used with conform diff.`)
  if (reporter.value !== 'pretty' && reporter.value !== 'html') {
    return fail('usage', `conform diff has the reporters pretty and html, got ${reporter.value}.`)
  }
  const [first, second, ...more] = words.slice(1)
  if (first === undefined || second === undefined || more.length > 0) {
    return fail('usage', `conform diff takes two reports, got ${words.length - 1}.`)
  }
  const before = await readFileAs(first, readReport)
  if (!before.ok) return before
  const after = await readFileAs(second, readReport)
  if (!after.ok) return after
  const diff = diffReports(before.value, after.value)
  const text = formatDiff(diff)
  const summary = text.trimEnd().split('\n').at(-1) ?? ''
  const page = reporter.value === 'html' ? formatDiffHtml(before.value, after.value) : text
  if (!(await writeText(page, summary, output.value, terminal))) return exit('usage')
  return exit(diff.worse.length > 0 ? 'findings' : 'ok')
}

export interface Progress {
  readonly tick: (report: CaseReport, done: number, total: number) => void
  readonly end: () => void
}

const clearLine = '\r\u001b[2K'

/** Progress: on a terminal one line that is rewritten, elsewhere nothing. What does not fit is left out. */
export function showProgress(
  { isTerminal, columns }: Pick<Screen, 'isTerminal' | 'columns'>,
  write: (text: string) => void,
  title: readonly string[] = [],
  intervalMs = 1000,
): Progress {
  if (!isTerminal) return { tick: () => {}, end: () => {} }
  const startedAt = performance.now()
  let state: readonly string[] = ['probing the target']
  let broken = 0
  const show = (): void => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    const words = [`${seconds} s`, ...title, ...state]
    while (words.join('  ').length >= columns && words.length > 1) words.pop()
    write(`${clearLine}${words.join('  ')}`)
  }
  const timer = setInterval(show, intervalMs)
  show()
  return {
    tick({ id, verdict }, done, total) {
      if (verdict === 'fail' || verdict === 'error') broken++
      const failed = broken === 0 ? '' : `, ${broken} failed`
      state = [`${done}/${total}${failed}`, id]
      show()
    },
    end() {
      clearInterval(timer)
      write(clearLine)
    },
  }
}
