import type { Socket } from 'node:net'
import { exitCodeOf } from '../cli-error.js'
import { exitCodes } from '../exit-codes.js'
import type { DrainTimes, PrimaryMessage, WorkerMessage } from './messages.js'
import type { Plan } from './plan.js'
import { startHost } from './start-host.js'

// The entry of a worker process. What a terminal sends reaches every process: the primary decides.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
// The reader of our output may end before us.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const plan = JSON.parse(process.argv[2] ?? '') as Plan
let isReady = false
let isLeaving = false
// Without a primary nobody gives us connections, and before we are ready we have none.
process.once('disconnect', () => {
  if (!isReady) process.exit(exitCodes.interrupted.code)
})

const started = await startHost(plan, () => isLeaving)
if (started.ok) {
  const { host, path, facts } = started.value
  const drain = async (times: DrainTimes): Promise<void> => {
    const report = await host.close(times)
    await tell({ kind: 'drained', report })
    process.exit(report.cut === 0 ? exitCodes.ok.code : exitCodes.cut.code)
  }
  process.on('message', (message: PrimaryMessage, socket: Socket | undefined) => {
    switch (message.kind) {
      case 'socket':
        if (socket !== undefined) host.adopt(socket)
        return void tell({ kind: 'took', id: message.id })
      case 'unready':
        isLeaving = true
        return
      case 'drain':
        return void drain(message.times)
    }
  })
  // The primary has connections under way to us, and stops sending them before it lets us go.
  process.on('SIGTERM', () => void tell({ kind: 'leaving' }))
  process.once('disconnect', () => void drain(plan.stop))
  isReady = true
  await tell({ kind: 'ready', path, facts })
} else {
  await tell({ kind: 'failed', error: started.reason })
  process.exit(exitCodeOf(started.reason))
}

function tell(message: WorkerMessage): Promise<void> {
  return new Promise((sent) => process.send?.(message, () => sent()))
}
