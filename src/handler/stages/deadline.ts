import type { Cancellation } from '../../graphql/execute/cancellation.js'
import type { RequestHead } from '../../http/message.js'
import type { CancelCause } from '../../over-http/refusal.js'

/** The reason that resolvers find in `signal.reason`. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
  readonly reason: CancelCause

  constructor(reason: CancelCause) {
    super(reason === 'timed-out' ? 'The operation took too long.' : 'The client disconnected.')
    this.reason = reason
  }
}

/** The signal and time limit of some work. */
interface Deadline<Value> {
  readonly timeout: number
  readonly cancelled: (cause: CancelCause) => Value
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
  { timeout, cancelled, onBug }: Deadline<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let settled = false
    const stop = (cause: CancelCause): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      resolve(cancelled(cause))
      cancellation.cancel(new CancelledError(cause))
    }
    const timer = setTimeout(stop, timeout, 'timed-out')
    head.onClientGone?.(() => stop('client-gone'))
    work.then(
      (value) => {
        if (settled) return
        settled = true
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        if (settled) {
          if (!isCancellation(error, cancellation.reason)) onBug(error)
          return
        }
        settled = true
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** graphql 17 wraps the reason in an error of its own, as its cause. */
function isCancellation(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && error.cause === reason)
}
