import { untilSignal } from '../../../hosts/node/server/until-signal.js'
import { exitCodes } from '../../process/exit-codes.js'
import type { Environment } from '../../arguments/read-flags.js'

export interface StopSettings {
  readonly env: Environment
  /** Replaces what SIGHUP does; by default it stops like other signals. */
  readonly onHangup: (() => void) | undefined
  readonly report: (text: string) => void
}

/** Resolves when the server must stop: at a signal, or when the npm that started it has ended. */
export function untilStopped({ env, onHangup, report }: StopSettings): Promise<'stopped'> {
  const secondCode = exitCodes.interrupted.code
  return new Promise((resolve) => {
    void untilSignal({ onHangup, secondCode }).then(() => resolve('stopped'))
    whenOrphaned(env, () => {
      report('npm, which started this server, has ended: stopping')
      resolve('stopped')
    })
  })
}

/** How often the parent process is checked. */
const checkMs = 500

/**
 * Calls `orphaned` when npm has ended without this process. At SIGTERM `npx` and `npm start` end at once
 * and forward nothing, so that a supervisor would take the server for stopped. A process that was started
 * in another way, or whose parent had already ended at its start, may live on without one.
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
