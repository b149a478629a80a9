const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } }

/**
 * Whether what all of a process do in a turn of the event loop can be counted and spread. In Workers, nothing of one request may
 * run for another. Without `setImmediate` a turn would cost a millisecond.
 */
export const sharesTurns: boolean =
  'setImmediate' in globalThis && navigator?.userAgent !== 'Cloudflare-Workers'

/** Calls the function in the next turn of the event loop. */
export const inNextTurn: (work: () => void) => void =
  'setImmediate' in globalThis ? (work) => void setImmediate(work) : (work) => void setTimeout(work)
