/** npm passes on what the terminal sends, which has reached us already: two of them are one. */
const echoMs = 200

/** What else signals do. */
export interface SignalOptions {
  /** Makes something else of SIGHUP, which stops like the others. */
  readonly onHangup?: (() => void) | undefined
  /** The exit code of a process that is told twice, and ends at once. Default: 130. */
  readonly secondCode?: number | undefined
}

/** Resolves at the first SIGTERM, SIGINT or SIGHUP; a second signal ends the process at once. */
export function untilSignal({ onHangup, secondCode = 130 }: SignalOptions = {}): Promise<void> {
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
      if (!echo) process.exit(secondCode)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    process.on('SIGHUP', onHangup ?? onSignal)
  })
}
