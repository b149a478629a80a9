import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { untilSignal } from '../shutdown.js'
import { readVersion } from '../version.js'
import { formatBanner } from './banner.js'
import { Crew } from './crew.js'
import { findFreePort } from './find-free-port.js'
import { forkWorker } from './fork-worker.js'
import { filesOf, type Plan } from './plan.js'

/** How many processes serve, and whether they are renewed when a file changes. */
export interface Processes {
  readonly workers: number
  readonly watch: boolean
}

const debounceMs = 100

/** Serves by worker processes until a signal; this process looks after them and answers nothing. */
export async function runWorkers(
  plan: Plan,
  { workers, watch }: Processes,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const stopped = untilSignal().then(() => 'stopped' as const)
  const report = (text: string): void => terminal.err(`${text}\n`)
  const fixed = await withFixedPort(plan)
  if (!fixed.ok) return fixed
  const crew = new Crew({
    size: workers,
    watches: watch,
    fork: () => forkWorker(fixed.value),
    report,
    now: () => performance.now(),
  })
  // Nobody else would end a worker that no longer listens, at the second signal or a bug of ours.
  process.on('exit', () => crew.kill())
  if (watch) {
    // Before the start: a change while the files are read must not be lost.
    const { watchFiles } = await import('./watch-files.js')
    watchFiles({ files: filesOf(plan), debounceMs, changed: () => void crew.renew(), report })
  }
  const started = await Promise.race([crew.start(), stopped])
  if (started !== 'stopped') {
    if (!started.ok) return started
    const { url, facts } = started.value
    const processes: [string, string][] = [['workers', String(workers)]]
    if (watch) processes.push(['watch', 'on'])
    terminal.err(formatBanner(readVersion(), [...facts, ...processes]))
    report(`listening on ${url}`)
    const end = await Promise.race([stopped, crew.gaveUp])
    if (end !== 'stopped') {
      await crew.stop()
      return fail('configuration', 'The workers ended 5 times within 10 s: giving up.')
    }
  }
  await crew.stop()
  return { ok: true, value: exitCodes.ok.code }
}

async function withFixedPort(plan: Plan): Promise<Outcome<Plan, CliError>> {
  if (plan.port.value !== 0) return { ok: true, value: plan }
  const host = plan.host.value
  try {
    const port = { value: await findFreePort(host), from: plan.port.from }
    return { ok: true, value: { ...plan, port } }
  } catch (error) {
    return fail('configuration', `Cannot listen on ${host}: ${(error as Error).message}.`)
  }
}
