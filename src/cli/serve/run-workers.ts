import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { untilSignal } from '../../hosts/node/until-signal.js'
import { readVersion } from '../version.js'
import { formatBanner, type Fact } from './banner.js'
import { Crew } from './crew.js'
import { openDoor, type Door } from './door.js'
import { forkWorker, type Ready } from './fork-worker.js'
import { HandOver } from './hand-over.js'
import { filesOf, type Plan, type StopTimes } from './plan.js'
import { exitCodeOfStop, formatStopReport, type StopReport } from './stop-report.js'

/** How many processes serve, and whether they are renewed when a file changes. */
export interface Processes {
  readonly workers: number
  readonly watch: boolean
}

const debounceMs = 100

/** As many connections as the system would queue by itself. */
const maxHeld = 4096

/** Serves by worker processes until a signal; this process accepts connections and reads nothing. */
export async function runWorkers(
  plan: Plan,
  processes: Processes,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const report = (text: string): void => terminal.err(`${text}\n`)
  const rotation = new HandOver(maxHeld)
  const crew = new Crew({
    size: processes.workers,
    watches: processes.watch,
    fork: () => forkWorker(plan),
    rotation,
    times: plan.stop,
    report,
    now: () => performance.now(),
  })
  // A terminal that is closed says so by SIGHUP: nobody would be left to stop us.
  const renew = process.stderr.isTTY ? undefined : (): void => void crew.renew()
  const stopped = untilSignal({ onHangup: renew, secondCode: exitCodes.interrupted.code }).then(
    () => 'stopped' as const,
  )
  // Nobody else would end a worker that runs in a circle, at the second signal or a bug of ours.
  process.on('exit', () => crew.kill())
  if (processes.watch) {
    // Before the start: a change while the files are read must not be lost.
    const { watchFiles } = await import('./watch-files.js')
    watchFiles({ files: filesOf(plan), debounceMs, changed: () => void crew.renew(), report })
  }
  const started = await Promise.race([crew.start(), stopped])
  if (started === 'stopped') {
    await crew.stop(plan.stop)
    return { ok: true, value: exitCodes.ok.code }
  }
  if (!started.ok) return started
  const { host, port } = { host: plan.host.value, port: plan.port.value }
  const onSocket = rotation.hand.bind(rotation)
  const door = await openDoor({ host, port, onSocket, report })
  if (!door.ok) return door
  terminal.err(formatBanner(readVersion(), factsOf(started.value, processes)))
  report(`listening on ${door.value.origin}${started.value.path}`)

  const end = await Promise.race([stopped, crew.gaveUp])
  const how = await stop(crew, door.value, rotation, plan.stop)
  if (end !== 'stopped') {
    return fail('configuration', 'The workers ended 5 times within 10 s: giving up.')
  }
  report(formatStopReport(how))
  return { ok: true, value: exitCodeOfStop(how) }
}

function factsOf({ facts }: Ready, { workers, watch }: Processes): readonly Fact[] {
  const all = [...facts, ['workers', String(workers)] as const]
  return watch ? [...all, ['watch', 'on']] : all
}

/** The workers get what has come in before they hear that they are to end: nothing is lost between. */
async function stop(
  crew: Crew,
  door: Door,
  rotation: HandOver,
  { delay, grace, deadline }: StopTimes,
): Promise<StopReport> {
  const start = performance.now()
  crew.leave()
  if (delay > 0) await pause(delay)
  await door.close()
  const left = (): number => Math.max(0, Math.round(deadline - (performance.now() - start)))
  // Workers that do not keep up, or are yet to start, get half of the time for it.
  await Promise.race([rotation.emptied(), pause(left() / 2)])
  const report = await crew.stop({ grace, deadline: left() })
  return { ...report, cut: report.cut + rotation.close() }
}
