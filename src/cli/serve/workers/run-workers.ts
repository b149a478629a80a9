import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { closeListener } from '../../../hosts/node/server/close-listener.js'
import type { Outcome } from '../../../index.js'
import { fail, type CliError } from '../../process/cli-error.js'
import type { Terminal } from '../../arguments/define-command.js'
import { exitCodes } from '../../process/exit-codes.js'
import { readVersion } from '../../process/version.js'
import { formatBanner, type Fact } from '../start/banner.js'
import { Crew } from './crew.js'
import { forkWorker, type Ready } from './fork-worker.js'
import { HandOver } from './hand-over.js'
import type { CloseSettings } from '../../../hosts/node/server/close-options.js'
import { filesOf, type Plan } from '../flags/plan.js'
import { listenFailure } from '../start/listen-failure.js'
import { exitCodeOfStop, formatStopReport, type StopReport } from '../start/stop-report.js'
import { untilStopped } from '../start/until-stopped.js'

/** How many workers there are, and whether they are renewed when a file changes. */
export interface Processes {
  readonly workers: number
  readonly watch: 'off' | 'all' | 'documents'
}

const debounceMs = 100

/** How many connections may wait in this process, and as many again in the queue of the system. */
const maxHeld = 4096

/** Serves with worker processes until a signal; this process only accepts connections. */
export async function runWorkers(
  plan: Plan,
  processes: Processes,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const report = (text: string): void => terminal.err(`${text}\n`)
  const rotation = new HandOver(maxHeld)
  const crew: Crew = new Crew({
    size: processes.workers,
    watches: processes.watch !== 'off',
    fork: () => forkWorker(plan, () => crew.collect()),
    rotation,
    times: plan.stop,
    report,
    now: () => performance.now(),
  })
  // On a terminal SIGHUP means that it was closed, and with it the only way to stop the server.
  const renew = process.stderr.isTTY ? undefined : (): void => void crew.renew()
  const stopped = untilStopped({ env: terminal.env, onHangup: renew, report })
  // A worker in an endless loop would outlive this process at the second signal, or at a bug here.
  process.on('exit', () => crew.kill())
  if (processes.watch !== 'off') {
    // Before the start: a change while the files are read must not be lost.
    const { watchFiles, watchNamed } = await import('./watch-files.js')
    const changed = (): void => void crew.renew()
    const { documents } = plan
    if (processes.watch === 'documents') {
      watchNamed({ files: documents, debounceMs, changed, report })
    } else {
      watchFiles({ files: [...filesOf(plan), ...documents], debounceMs, changed, report })
    }
  }
  if (plan.tls !== undefined) {
    const { createRenewal, watchCertificate } = await import('../certificate/renew-certificate.js')
    const apply = (): void => crew.renewCertificate()
    const renewCertificate = createRenewal(plan.tls.files, apply, report)
    watchCertificate(plan.tls.files, () => void renewCertificate())
  }
  const started = await Promise.race([crew.start(), stopped])
  if (started === 'stopped') {
    await crew.stop(plan.stop)
    return { ok: true, value: exitCodes.ok.code }
  }
  if (!started.ok) return started
  const { host, port } = { host: plan.host.value, port: plan.port.value }
  const onSocket = rotation.hand.bind(rotation)
  const scheme = started.value.isSecure ? 'https' : 'http'
  const acceptor = await acceptConnections({ scheme, host, port, onSocket, report })
  if (!acceptor.ok) return acceptor
  const url = `${acceptor.value.origin}${started.value.path}`
  report(formatBanner(readVersion(), factsOf(started.value, processes), url))

  const end = await Promise.race([stopped, crew.gaveUp])
  const stopReport = await stop(crew, acceptor.value, rotation, plan.stop)
  if (end !== 'stopped') {
    return fail('configuration', 'Workers ended 5 times within 10 s: giving up.')
  }
  report(formatStopReport(stopReport))
  return { ok: true, value: exitCodeOfStop(stopReport) }
}

function factsOf({ facts }: Ready, { workers, watch }: Processes): readonly Fact[] {
  const all = [...facts, ['workers', String(workers)] as const]
  return watch === 'off' ? all : [...all, ['watch', watch === 'all' ? 'on' : watch]]
}

/** Workers get every accepted connection before they must end, so that none is lost. */
async function stop(
  crew: Crew,
  acceptor: Acceptor,
  rotation: HandOver,
  { delay, grace, spread, deadline }: CloseSettings,
): Promise<StopReport> {
  const start = performance.now()
  crew.leave()
  if (delay > 0) await pause(delay)
  await acceptor.close()
  const left = (): number => Math.max(0, Math.round(deadline - (performance.now() - start)))
  // Workers that do not keep up, or have yet to start, get half of the time that is left.
  await Promise.race([rotation.emptied(), pause(left() / 2)])
  const report = await crew.stop({ grace, spread, deadline: left() })
  return { ...report, cut: report.cut + rotation.close() }
}

/** Accepts connections without reading a byte of them. */
interface Acceptor {
  readonly origin: string
  /** Takes the connections that have been accepted, then closes. */
  close(): Promise<void>
}

interface AcceptorSettings {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly onSocket: (socket: Socket) => void
  readonly report: (text: string) => void
}

function acceptConnections(settings: AcceptorSettings): Promise<Outcome<Acceptor, CliError>> {
  const { scheme, host, port, onSocket, report } = settings
  const server = createServer({ pauseOnConnect: true, noDelay: true }, onSocket)
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve(listenFailure(host, port, error) ?? fail('configuration', error.message)),
    )
    server.listen({ host, port, backlog: maxHeld }, () => {
      server.on('error', ({ message }) => report(`a connection was lost: ${message}`))
      const name = host.includes(':') ? `[${host}]` : host
      resolve({
        ok: true,
        value: {
          origin: `${scheme}://${name}:${(server.address() as AddressInfo).port}`,
          close: () => closeListener(server),
        },
      })
    })
  })
}
