import { isPromise } from '../../base/promise.js'
import type { CancelCause } from '../../over-http/refusals.js'
import type { EndCause } from '../../streams/end-cause.js'

/** The reason that resolvers find in `signal.reason`. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
  readonly reason: CancelCause | EndCause

  constructor(reason: CancelCause | EndCause) {
    super(reasons[reason])
    this.reason = reason
    // Until its stack is read, an error keeps what was running, the request: for as long as a resolver has the signal.
    void this.stack
  }
}

const reasons: { readonly [reason in CancelCause | EndCause]: string } = {
  'timed-out': 'The operation took too long.',
  'client-gone': 'The client disconnected.',
  'client-complete': 'The client ended the subscription.',
  'slow-reader': 'The client did not read the stream.',
  'too-long': 'The stream has reached its maximum duration.',
  expired: 'The credentials have expired.',
  shutdown: 'The server is shutting down.',
  'source-failed': 'The source failed.',
  interrupted: 'The source was interrupted.',
  complete: 'The subscription is complete.',
}

/** graphql 17 rejects at once when it is aborted; its error has the result that resolvers still work on. */
export function abortedWork(failure: unknown): Promise<unknown> | undefined {
  const { abortedResult } = (failure ?? {}) as { readonly abortedResult?: unknown }
  return isPromise(abortedResult) ? Promise.resolve(abortedResult) : undefined
}

/** graphql 17 wraps the reason in an error of its own, as its cause. */
export function isCancellation(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && error.cause === reason)
}
