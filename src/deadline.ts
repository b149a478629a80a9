import type { Cancellation } from './engine/cancellation.js'
import type { RequestHead } from './http/message.js'
import type { CancelCause } from './refusal.js'

/** The reason that resolvers find on `signal.reason`. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
  readonly reason: CancelCause

  constructor(reason: CancelCause) {
    super(reason === 'timed-out' ? 'The operation took too long.' : 'The client went away.')
    this.reason = reason
  }
}

/**
 * The work, or what `cancelled` gives when the client goes away or time is up before it is done. The
 * answer does not wait for work that cannot be stopped. What then fails because of the cancellation
 * is expected; any other late failure still reaches `onBug`.
 */
export function withDeadline<Value>(
  work: PromiseLike<Value>,
  cancellation: Cancellation,
  limits: { readonly head: RequestHead; readonly timeout: number },
  cancelled: (cause: CancelCause) => Value,
  onBug: (bug: unknown) => void,
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
    const timer = setTimeout(stop, limits.timeout, 'timed-out')
    limits.head.onClientGone?.(() => stop('client-gone'))
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
