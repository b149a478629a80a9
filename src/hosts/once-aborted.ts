/**
 * Calls a listener when the signal fires, or at once if it has. Returns the function that removes it. Not every runtime
 * provides a signal.
 */
export function onceAborted(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener()
  else signal?.addEventListener('abort', listener, { once: true })
  return () => signal?.removeEventListener('abort', listener)
}
