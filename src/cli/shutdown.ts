import { exitCodes } from './exit-codes.js'

/** npm passes on the terminal's Ctrl-C, which has reached us already: two of them are one. */
const echoMs = 200

/** Resolves at the first SIGTERM or SIGINT; a second signal ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: { readonly signal: string; readonly at: number } | undefined
    const onSignal = (signal: string): void => {
      const at = performance.now()
      if (first === undefined) {
        first = { signal, at }
        resolve()
        return
      }
      const echo = signal === 'SIGINT' && first.signal === 'SIGINT' && at - first.at < echoMs
      if (!echo) process.exit(exitCodes.interrupted.code)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}
