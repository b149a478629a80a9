import type { EndCause } from './end-cause.js'

/** What a stream plays: a source, and how its events become results. */
export interface Program {
  /** The name of the root field. */
  readonly field: string
  readonly operationName: string | undefined
  /** Streams of one client take turns as one. */
  readonly client: string | undefined
  readonly source: AsyncIterator<unknown>
  /** Executes an event. Neither throws nor rejects, and ends in time: faults are results, too. */
  play(event: unknown): string | Promise<string>
  /** The errors of a source that failed, as a JSON list. */
  describeFailure(bug: unknown): string
  /** The errors of a stream that ends early, if its clients should see why. */
  describeEnd(cause: EndCause): string | undefined
  /** The last part of a result that ends early, from such a list of errors; undefined if its format has none. */
  readonly close?: (errors: string) => string | undefined
  /**
   * Cancels what still waits: the event that is being executed, and sources that listen to the signal. What resolvers still do
   * is returned: it ends in time, and never rejects.
   */
  stop(cause: EndCause): Promise<void> | undefined
}

/** A source that can be read without a promise for each event, such as a channel of `@graphwire/pubsub`. */
interface PolledSource extends AsyncIterator<unknown> {
  /** The next event; undefined if there is none yet. */
  poll(): IteratorResult<unknown> | undefined
  /** Sets what is called when there is one again. */
  onReady(listener: () => void): void
}

export function isPolled(source: AsyncIterator<unknown>): source is PolledSource {
  const { poll, onReady } = source as Partial<PolledSource>
  return typeof poll === 'function' && typeof onReady === 'function'
}
