import type { Facts } from './facts.js'
import { workOf, type Kinded, type Road, type Waiting } from './road.js'
import type { Surface } from './surface.js'

/**
 * Walks a part of a road that a driver drives with its time limit: inside a hook, or one of several parts. Failures are
 * thrown, and nothing runs once the whole is cancelled.
 */
export function walk<Out extends object, Why extends Kinded>(
  road: Road<Out, Why>,
  surface: Surface<Out, Why>,
  facts: Facts,
): Out | Promise<Out> {
  const { cancellation } = facts
  // A hook may begin the part when nothing waits for it any more.
  cancellation.throwIfAborted()
  return follow(road.next())

  function follow({ done, value }: IteratorResult<Waiting | Why, Out>): Out | Promise<Out> {
    if (done === true) return value
    const waiting = workOf(value)
    if (waiting === undefined) {
      const why = value as Why
      facts.stop = why
      const out = surface.toResponse(why)
      road.return(out)
      return out
    }
    return Promise.resolve(waiting).then(
      (late) => follow(cancellation.aborted ? road.throw(cancellation.reason) : road.next(late)),
      (error: unknown) => follow(road.throw(error)),
    )
  }
}
