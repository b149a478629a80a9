import { checkOptions, objectOf } from '../../../shapes/shape.js'
import { aFunction, wholeNumberFrom } from '../../../shapes/shapes.js'

/** npm forwards signals of the terminal, which the process also gets directly: two within this time count as one. */
const echoMs = 200

export interface SignalOptions {
  /** Replaces what SIGHUP does; by default it stops like the others. */
  readonly onHangup?: (() => void) | undefined
  /** The exit code after a second signal, which ends the process at once. Default: 130. */
  readonly secondCode?: number | undefined
}

const signalShape = objectOf<SignalOptions>('{ secondCode: 130 }', {
  onHangup: aFunction,
  secondCode: wholeNumberFrom(0, 255),
})

/** Resolves at the first SIGTERM, SIGINT or SIGHUP; a second signal ends the process at once. */
export function untilSignal(options: SignalOptions = {}): Promise<void> {
  checkOptions('untilSignal', options, signalShape)
  const { onHangup, secondCode = 130 } = options
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
