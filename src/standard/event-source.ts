/**
 * What a source does next: an event, or undefined at its end. `closing` is aborted when the consumer has closed the
 * source; the promise must then settle at once.
 */
export type NextEvent<Event> = (closing: AbortSignal) => Promise<Event | undefined>

/** The sources that are open. */
export interface OpenSources {
  readonly size: number
  add(source: object): unknown
  delete(source: object): unknown
}

/**
 * Opens a source of events. It counts as open until it ends, fails or is closed, and `return()` closes it at once, even
 * while it waits: an async generator would wait with it.
 */
export function openSource<Event>(
  open: OpenSources,
  nextEvent: NextEvent<Event>,
): AsyncIterableIterator<Event> {
  const closing = new AbortController()
  const { signal } = closing
  const close = (): void => {
    open.delete(closing)
    closing.abort()
  }
  open.add(closing)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      try {
        const event = signal.aborted ? undefined : await nextEvent(signal)
        if (event !== undefined && !signal.aborted) return { value: event, done: false }
      } catch (error) {
        close()
        throw error
      }
      close()
      return done()
    },
    return() {
      close()
      return Promise.resolve(done())
    },
  }
}

function done(): { readonly value: undefined; readonly done: true } {
  return { value: undefined, done: true }
}

/** Waits; less long if the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return untilCalled(signal, (resume) => {
    const timer = setTimeout(resume, ms)
    return () => clearTimeout(timer)
  })
}

/** Waits until the function is called that `start` gets, or the signal is aborted; then what `start` returned is called. */
export function untilCalled(
  signal: AbortSignal,
  start: (resume: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve) => {
    const resume = (): void => {
      stop()
      signal.removeEventListener('abort', resume)
      resolve()
    }
    const stop = start(resume)
    signal.addEventListener('abort', resume)
  })
}
