import { exitCodeOf } from '../cli-error.js'
import { exitCodes } from '../exit-codes.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'
import type { Plan } from './plan.js'
import { startServer } from './start-server.js'

// The entry of a worker process. The terminal's Ctrl-C reaches every process: the primary decides.
process.on('SIGINT', () => {})

const started = await startServer(JSON.parse(process.argv[2] ?? '') as Plan)
if (started.ok) {
  const { url, facts, close } = started.value
  const drain = async (): Promise<void> => {
    const closed = close()
    // The listener is given up before this is sent, so the primary hears of both in this order.
    await tell({ kind: 'draining' })
    await closed
    process.exit(exitCodes.ok.code)
  }
  process.on('SIGTERM', () => void drain())
  process.on('message', ({ kind }: PrimaryMessage) => void (kind === 'drain' && drain()))
  await tell({ kind: 'ready', url, facts })
} else {
  await tell({ kind: 'failed', error: started.reason })
  process.exit(exitCodeOf(started.reason))
}

function tell(message: WorkerMessage): Promise<void> {
  return new Promise((sent) => process.send?.(message, () => sent()))
}
