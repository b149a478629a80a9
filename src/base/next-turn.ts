const { navigator, setImmediate: later } = globalThis as {
  readonly navigator?: { readonly userAgent?: string }
  /** Taken once: tests that mock timers would stop the turns. */
  readonly setImmediate?: (work: () => void) => unknown
}

/**
 * Whether what all of a process do in a turn of the event loop can be counted and spread. In Workers, nothing of one request may
 * run for another. Without `setImmediate` a turn would cost a millisecond.
 */
export const sharesTurns: boolean =
  later !== undefined && navigator?.userAgent !== 'Cloudflare-Workers'

/** Calls the function in the next turn of the event loop. */
export const inNextTurn: (work: () => void) => void =
  later === undefined ? (work) => void setTimeout(work) : (work) => void later(work)
