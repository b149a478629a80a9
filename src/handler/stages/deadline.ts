import type { Cancellation } from '../../graphql/execute/cancellation.js'
import type { RequestHead } from '../../http/message.js'
import type { CancelCause } from '../../over-http/refusal.js'
import type { EndCause } from '../../streams/end-cause.js'

/** The reason that resolvers find in `signal.reason`. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
  readonly reason: CancelCause | EndCause

  constructor(reason: CancelCause | EndCause) {
    super(reasons[reason])
    this.reason = reason
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
  complete: 'The subscription is complete.',
}

/** The signal and time limit of some work. */
interface Deadline<Value> {
  readonly timeout: number
  readonly cancelled: (cause: CancelCause) => Value
  /** Gets a value that came too late, and may hold something open. */
  readonly discard: (late: Value) => void
  readonly onBug: (bug: unknown) => void
}

/**
 * Returns the work, or the result of `cancelled` if the client disconnects or time runs out first. The
 * response does not wait for work that cannot be stopped. Later failures caused by the cancellation are
 * expected; any others still reach `onBug`.
 */
export function withDeadline<Value>(
  work: PromiseLike<Value>,
  { head, cancellation }: { readonly head: RequestHead; readonly cancellation: Cancellation },
  { timeout, cancelled, discard, onBug }: Deadline<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let settled = false
    let stopWatching: (() => void) | void = undefined
    const stop = (cause: CancelCause): void => {
      if (settled) return
      settle()
      resolve(cancelled(cause))
      cancellation.cancel(new CancelledError(cause))
    }
    const settle = (): void => {
      settled = true
      clearTimeout(timer)
      stopWatching?.()
    }
    const timer = setTimeout(stop, timeout, 'timed-out')
    stopWatching = head.onClientGone?.(() => stop('client-gone'))
    work.then(
      (value) => {
        if (settled) return discard(value)
        settle()
        resolve(value)
      },
      (error: unknown) => {
        if (settled) {
          if (!isCancellation(error, cancellation.reason)) onBug(error)
          return
        }
        settle()
        reject(error)
      },
    )
  })
}

/**
 * The same for a part of such work: the whole has the time limit, and does not wait for its parts. One that is cancelled
 * never settles, if it fails because of that.
 */
export function withinDeadline<Value>(
  work: Promise<Value>,
  cancellation: Cancellation,
  onBug: (bug: unknown) => void,
): Promise<Value> {
  return work.catch((error: unknown) => {
    if (!cancellation.aborted) throw error
    if (!isCancellation(error, cancellation.reason)) onBug(error)
    return new Promise<Value>(() => undefined)
  })
}

/** graphql 17 wraps the reason in an error of its own, as its cause. */
function isCancellation(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && error.cause === reason)
}
