import { untilSignal } from '../../../hosts/node/index.js'
import { readPackage } from '../../process/package.js'
import { formatBanner, type Fact } from './banner.js'
import { exitOfStop, formatStopReport, type StopReport } from './stop-report.js'
import { fail, type Exit } from '../../process/exit.js'
import type { Environment, Terminal } from '../../process/terminal.js'
import type { Plan } from '../flags/plan.js'

export interface RunningServer {
  readonly url: string
  readonly facts: readonly Fact[]
  /** Rejects when it cannot go on. */
  readonly failed?: Promise<never>
  readonly stop: () => Promise<StopReport>
}

interface RunSettings {
  readonly terminal: Terminal
  readonly start: () => Promise<RunningServer>
  /** Ends what has begun to start. */
  readonly abandon?: () => Promise<unknown>
  /** Replaces what SIGHUP does; by default it stops like other signals. */
  readonly onHangup: (() => void) | undefined
}

/** Starts a server, shows its banner, and stops it at a signal, or when the npm that started it has ended. */
export async function runUntilStopped(settings: RunSettings): Promise<Exit> {
  const { terminal, start, abandon } = settings
  // On a terminal SIGHUP means that it was closed, and with it the only way to stop the server.
  const onHangup = process.stderr.isTTY ? undefined : settings.onHangup
  const report = (text: string): void => terminal.err(`${text}\n`)
  const stopped = new Promise<'stopped'>((resolve) => {
    void untilSignal({ onHangup }).then(() => resolve('stopped'))
    whenOrphaned(terminal.env, () => {
      report('npm, which started this server, has ended: stopping')
      resolve('stopped')
    })
  })
  const started = await Promise.race([start(), stopped])
  if (started === 'stopped') {
    await abandon?.()
    return 'ok'
  }
  const { url, facts, failed = stopped, stop } = started
  const { name, version } = readPackage()
  report(formatBanner(`${name} ${version}`, facts, url, terminal.stderr))
  let stopReport
  try {
    await Promise.race([stopped, failed])
  } finally {
    stopReport = await stop()
  }
  report(formatStopReport(stopReport))
  return exitOfStop(stopReport)
}

const checkMs = 500

/**
 * Calls `orphaned` when npm has ended without this process. At SIGTERM `npx` and `npm start` end at once and forward
 * nothing, so that a supervisor would believe that the server has stopped. Processes that were started in another way, or
 * whose parent had already ended, may live on.
 */
function whenOrphaned(env: Environment, orphaned: () => void): void {
  const parent = process.ppid
  const isByNpm = env['npm_command'] === 'exec' || env['npm_command'] === 'start'
  if (!isByNpm || parent <= 1) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    orphaned()
  }, checkMs)
  timer.unref()
}

/** Describes why the system refuses to listen, or which option the handler or its host refuses. */
export function refuseStart(plan: Plan, error: unknown): never {
  const [host, port] = [plan.host.value, plan.port.value]
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    const inUse = `Port ${port} of ${host} is in use`
    fail('portInUse', `${inUse}: use --port, or stop the process that is using it.`)
  }
  // Only errors of the system have a `syscall`.
  const cannot = `Cannot listen on port ${port} of ${host}: ${message}.`
  fail('configuration', syscall === undefined ? message : cannot)
}
