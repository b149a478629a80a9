import { once } from 'node:events'
import { exitCodes } from '../process/exit-codes.js'

/** A signal to stop early. */
export interface Interruption {
  readonly happened: Promise<'interrupted'>
  readonly signal: AbortSignal
  /** Removes the signal handlers. */
  readonly release: () => void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits for a signal; a second one ends the process at once. */
export function awaitInterruption(): Interruption {
  const controller = new AbortController()
  const happened = once(controller.signal, 'abort').then(() => 'interrupted' as const)
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted.code)
    controller.abort()
  }
  for (const signal of signals) process.on(signal, onSignal)
  const release = (): void => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  return { happened, signal: controller.signal, release }
}
