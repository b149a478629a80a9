const { navigator, setImmediate: later } = globalThis as {
  readonly navigator?: { readonly userAgent?: string }
  /** Read once, so that tests that mock timers do not stop the turns. */
  readonly setImmediate?: (work: () => void) => unknown
}

/**
 * Whether the work of several requests can share turns of the event loop. Workers forbid that one request runs code of
 * another; without `setImmediate` a turn would cost a millisecond.
 */
export const sharesTurns: boolean =
  later !== undefined && navigator?.userAgent !== 'Cloudflare-Workers'

/** Calls the function in the next turn of the event loop. */
export const inNextTurn: (work: () => void) => void =
  later === undefined ? (work) => void setTimeout(work) : (work) => void later(work)
