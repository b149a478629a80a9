import { exitCodes } from './exit-codes.js'

/** npm passes on what the terminal sends, which has reached us already: two of them are one. */
const echoMs = 200

/**
 * Resolves at the first SIGTERM or SIGINT; a second signal ends the process at once. SIGHUP is one of
 * them, unless `onHangup` makes something else of it.
 */
export function untilSignal(onHangup?: () => void): Promise<void> {
  return new Promise((resolve) => {
    let first: { readonly signal: string; readonly at: number } | undefined
    const onSignal = (signal: string): void => {
      const at = performance.now()
      if (first === undefined) {
        first = { signal, at }
        resolve()
        return
      }
      const echo = signal !== 'SIGTERM' && first.signal === signal && at - first.at < echoMs
      if (!echo) process.exit(exitCodes.interrupted.code)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    process.on('SIGHUP', onHangup ?? onSignal)
  })
}
