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
import { before } from '../../conformance/run/before.js'
import { countChanges } from '../../conformance/reporters/digest/diff.js'
import type { ConformPlan } from './conform-plan.js'
import { awaitInterruption, isReachable, quote, startTarget } from './start-target.js'
import { hideHeaders, isFailed, writeReports, writeText } from './write-report.js'
import type { Call } from '../arguments/command.js'
import type { FlagValue } from '../arguments/flag.js'
import type { ConformFlags } from './conform-flags.js'
import { readFileAs } from '../process/read-text-file.js'
import { fail, type Exit } from '../process/exit.js'
import type { Screen, Terminal } from '../process/terminal.js'

export async function runTarget(plan: ConformPlan): Promise<Exit> {
  const { options, flags, terminal } = plan
  const [command, verbose] = [flags.start.value, flags.verbose.value]
  const { signal, release } = awaitInterruption()
  const onOutput = (text: string): void => {
    if (verbose) terminal.err(text)
  }
  try {
    if (command === undefined) return await testTarget(plan, signal)
    const started = await startTarget({ command, url: options.url, onOutput, signal })
    if (started === 'interrupted') return giveUp(terminal)
    let isTested = false
    // The report will be full of failures.
    void started.ended.then((how) => {
      const output = verbose ? '' : quote(started.output())
      if (!isTested) terminal.err(`graphwire: the target ${how}.${output}\n`)
    })
    try {
      const tested = await testTarget(plan, signal)
      // A target that has ended refuses connections before its exit is noticed, which is to be reported.
      if (!signal.aborted && !(await isReachable(options.url))) {
        await before(started.ended, { deadline: Date.now() + 10_000, signal })
      }
      return tested
    } finally {
      isTested = true
      await started.stop()
    }
  } finally {
    release()
  }
}

function giveUp(terminal: Terminal): Exit {
  terminal.err('\ngraphwire: interrupted\n')
  return 'interrupted'
}

/** An interrupted run ends early, once the data of the target is restored, and has no report. */
async function testTarget(plan: ConformPlan, signal: AbortSignal): Promise<Exit> {
  const reports: Report[] = []
  for (const edition of plan.editions) {
    const report = await runEdition(plan, edition, signal)
    if (signal.aborted) return giveUp(plan.terminal)
    reports.push(hideHeaders(report, plan.options.headers))
  }
  await writeReports(reports, plan)
  const { 'write-known-failures': list, 'fail-on': failOn } = plan.flags
  // The written list has every case that failed.
  const isBroken = reports.some((one) =>
    isFailed(list.value === undefined ? one : { ...one, cases: [] }, failOn.value),
  )
  return isBroken ? 'findings' : 'ok'
}

async function runEdition(plan: ConformPlan, edition: EditionName, signal: AbortSignal) {
  const { options, editions, terminal } = plan
  const title = editions.length === 1 ? [] : [edition]
  const progress = showProgress(terminal.stderr, (text) => terminal.err(text), title)
  try {
    const running = runConformance({ ...options, edition, signal, onProgress: progress.tick })
    return await running.finally(progress.end)
  } catch (error) {
    if (error instanceof UnreachableError) fail('usage', error.message)
    throw error
  }
}

export function runList({ options, terminal }: ConformPlan): Exit {
  const { edition, standard, suites, cases } = options
  const listed = listCases({ edition, standard, suites, cases })
  const width = Math.max(0, ...listed.map(({ id }) => id.length))
  for (const { id, level, title } of listed) {
    terminal.out(`${id.padEnd(width)}  ${level.padEnd(10)}  ${title}\n`)
  }
  return 'ok'
}

/** Compares two reports; a case that became worse is a finding. */
export async function runDiff({ flags, words, terminal }: Call<ConformFlags>): Promise<Exit> {
  const { reporter, output, ...others } = flags
  const flag = Object.values<FlagValue<unknown>>(others).find(({ from }) => from?.startsWith('--'))
  if (flag !== undefined) fail('usage', `${flag.from} cannot be used with conform diff.`)
  if (reporter.value !== 'pretty' && reporter.value !== 'html') {
    fail('usage', `conform diff has the reporters pretty and html, got ${reporter.value}.`)
  }
  const [first, second, ...more] = words.slice(1)
  if (first === undefined || second === undefined || more.length > 0) {
    fail('usage', `conform diff takes two reports, got ${words.length - 1}.`)
  }
  const older = await readFileAs(first, readReport)
  const newer = await readFileAs(second, readReport)
  const diff = diffReports(older, newer)
  const text = reporter.value === 'html' ? formatDiffHtml(older, newer) : formatDiff(diff)
  await writeText(text, countChanges(diff), output.value, terminal)
  return diff.worse.length > 0 ? 'findings' : 'ok'
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
