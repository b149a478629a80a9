import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { closeListener } from '../../../hosts/node/server/close-listener.js'
import type { CloseSettings } from '../../../hosts/node/server/close-options.js'
import type { Fact } from '../start/banner.js'
import { filesOf, type Plan } from '../flags/plan.js'
import { pollFiles, watchFiles } from '../watch-files.js'
import { refuseStart, runUntilStopped, type RunningServer } from '../start/run-until-stopped.js'
import { Crew } from './crew.js'
import { WorkerProcess } from './fork-worker.js'
import { HandOver } from './hand-over.js'
import { fail, type Exit } from '../../process/exit.js'
import type { Terminal } from '../../process/terminal.js'

const debounceMs = 100

/** How many connections may wait in this process, and as many again in the queue of the system. */
const maxHeld = 4096

/** Serves with worker processes until a signal; this process only accepts connections. */
export function runWorkers(plan: Plan, terminal: Terminal): Promise<Exit> {
  const report = (text: string): void => terminal.err(`${text}\n`)
  const rotation = new HandOver(maxHeld)
  const crew: Crew = new Crew({
    size: plan.workers.value,
    watches: watchOf(plan) !== 'off',
    fork: () =>
      new WorkerProcess(plan, {
        collect: () => crew.collect(),
        arrived: (member, id) => rotation.arrived(member, id),
      }),
    rotation,
    times: plan.stop,
    patience: 10_000,
    report,
    now: () => performance.now(),
  })
  // A worker in an endless loop would outlive this process at the second signal, or at a bug here.
  process.on('exit', () => crew.kill())
  return runUntilStopped({
    terminal,
    async start() {
      // Before the start: a change while the files are read must not be lost.
      watch(plan, crew, report)
      return startWorkers(plan, crew, rotation, report)
    },
    abandon: () => crew.stop(plan.stop),
    onHangup: () => void crew.renew(),
  })
}

function watchOf(plan: Plan): 'on' | 'documents' | 'off' {
  return plan.watch.value ? 'on' : plan['watch-documents'].value ? 'documents' : 'off'
}

/** Renews the workers when a file changes. */
function watch(plan: Plan, crew: Crew, report: (text: string) => void): void {
  const documents = plan.documents.value
  const changed = (): void => void crew.renew()
  if (watchOf(plan) === 'documents') pollFiles(documents, changed)
  if (watchOf(plan) === 'on') {
    watchFiles({ files: [...filesOf(plan), ...documents], debounceMs, changed, report })
  }
}

/** Accepts connections once the workers are ready, without reading a byte of them. */
async function startWorkers(
  plan: Plan,
  crew: Crew,
  rotation: HandOver,
  report: (text: string) => void,
): Promise<RunningServer> {
  const started = await crew.start()
  if (!started.ok) fail(started.reason.kind, started.reason.message)
  const [host, port] = [plan.host.value, plan.port.value]
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) =>
    rotation.hand(socket),
  )
  try {
    await once(server.listen({ host, port, backlog: maxHeld }), 'listening')
  } catch (error) {
    refuseStart(plan, error)
  }
  server.on('error', ({ message }) => report(`a connection was lost: ${message}`))
  const { path, isSecure, facts } = started.value
  const name = host.includes(':') ? `[${host}]` : host
  const origin = `${isSecure ? 'https' : 'http'}://${name}:${(server.address() as AddressInfo).port}`
  const watching = watchOf(plan)
  const ownFacts: Fact[] = [['workers', String(plan.workers.value)]]
  if (watching !== 'off') ownFacts.push(['watch', watching])
  return {
    url: `${origin}${path}`,
    facts: [...facts, ...ownFacts],
    failed: crew.gaveUp.then(() =>
      fail('configuration', 'Workers ended 5 times within 10 s: giving up.'),
    ),
    stop: () => stop(crew, server, rotation, plan.stop),
  }
}

/** Workers get every accepted connection before they must end, so that none is lost. */
async function stop(crew: Crew, server: Server, rotation: HandOver, times: CloseSettings) {
  const { delay, grace, spread, deadline } = times
  const start = performance.now()
  crew.leave()
  if (delay > 0) await pause(delay)
  await closeListener(server)
  const left = (): number => Math.max(0, Math.round(deadline - (performance.now() - start)))
  // Workers that do not keep up, or have yet to start, get half of the time that is left.
  await Promise.race([rotation.emptied(), pause(left() / 2)])
  const report = await crew.stop({ grace, spread, deadline: left() })
  return { ...report, cut: report.cut + rotation.close() }
}
