import type { Socket } from 'node:net'
import { hostListener } from '../../../hosts/node/server/host-server.js'
import { CliError, exitCodes, refuseEarlyExit } from '../../process/exit.js'
import type { Plan } from '../flags/plan.js'
import type { Samples } from '../metrics/samples.js'
import { exitOfStop } from '../start/stop-report.js'
import { assemble, type DrainTimes } from '../start/assemble.js'
import { screenOf } from '../../process/terminal.js'
import type { PrimaryMessage, WorkerMessage } from './fork-worker.js'

// The entry of a worker process. Signals of a terminal reach every process: the primary decides.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
// The process that reads our output may end before us.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const plan = JSON.parse(process.argv[2] ?? '') as Plan
process.once('exit', refuseEarlyExit)
let isReady = false
let isLeaving = false
// Without a primary there are no new connections, and a worker that is not ready has none.
process.once('disconnect', () => {
  if (!isReady) process.exit(exitCodes.interrupted.code)
})

let collected: (metrics: Samples) => void = () => {}
// `createMetricsHandler` collects once at a time.
const collect = (): Promise<Samples> =>
  new Promise((resolve, reject) => {
    if (!process.connected) return reject(new Error('The primary process has ended.'))
    collected = resolve
    void tell({ kind: 'collect' })
  })
const write = (text: string): void => void process.stderr.write(text)

const stderr = screenOf(process.stderr, process.env)
const { host, path, isSecure, facts, metrics, close } = await assemble(
  plan,
  { err: write, stderr, collect },
  (listener, settings) =>
    hostListener(listener, { ...settings, ready: () => !isLeaving && settings.ready() }),
).catch(async (error: unknown) => {
  if (!(error instanceof CliError)) throw error
  const { kind, message } = error
  await tell({ kind: 'failed', reason: { kind, message } })
  process.exit(exitCodes[kind].code)
})
let isDraining = false
const drain = async (times: DrainTimes): Promise<void> => {
  // The primary may be killed while this process drains.
  if (isDraining) return
  isDraining = true
  const closeReport = await close(times)
  await tell({ kind: 'metrics', metrics: metrics() })
  await tell({ kind: 'drained', report: closeReport })
  process.off('exit', refuseEarlyExit)
  process.exit(exitCodes[exitOfStop(closeReport)].code)
}
process.on('message', (message: PrimaryMessage, socket: Socket | undefined) => {
  switch (message.kind) {
    case 'socket':
      if (socket !== undefined) host.adopt(socket)
      return void tell({ kind: 'took', id: message.id })
    case 'unready':
      isLeaving = true
      return
    case 'count':
      return void tell({ kind: 'metrics', metrics: metrics() })
    case 'collected':
      return collected(message.metrics)
    case 'drain':
      return void drain(message.times)
  }
})
// Connections may be on their way: the primary stops sending them before it allows this process to end.
process.on('SIGTERM', () => void tell({ kind: 'leaving' }))
process.once('disconnect', () => void drain(plan.stop))
isReady = true
await tell({ kind: 'ready', path, isSecure, facts })

function tell(message: WorkerMessage): Promise<void> {
  return new Promise((sent) => process.send?.(message, () => sent()))
}
