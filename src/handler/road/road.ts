import { longTurns } from '../../base/long-turns.js'
import { isPromise } from '../../base/promise.js'
import type { RequestError } from '../../graphql/errors/request-error.js'
import type { Cancellation } from '../../graphql/execute/cancellation.js'
import type { MaybePromise } from '../../http/message.js'
import type { CancelCause, Refusal } from '../../over-http/refusals.js'
import { showValue } from '../../shapes/show-value.js'

/**
 * A way to a value, in the order in which things happen. It yields what it waits for, or why it ends early: only `wait`,
 * `stop` and `receiveBody` do that, and the driver gives them back what they asked for.
 */
export type Road<Value, Why extends Kinded = Stop> = Generator<Waiting | Why, Value, unknown>

/** Why a request goes no further: it was rejected by HTTP, or by GraphQL. */
export type Stop = Refusal | RequestError

/** Responses have no `kind`. */
export interface Kinded {
  readonly kind: string
}

/** The work that a road waits for; undefined if it ends. A promise of a hook may have a `kind`, too. */
export function workOf(yielded: Waiting | Kinded): PromiseLike<unknown> | undefined {
  if ('then' in yielded) return yielded
  return 'isArrival' in yielded ? yielded.work : undefined
}

export type Waiting = PromiseLike<unknown> | Pause

/** What a road gets that has yielded no object, since `wait` was forgotten. */
export function mistakenYield(yielded: unknown): TypeError {
  return new TypeError(`A road yielded ${showValue(yielded)}. Use \`yield* wait(value)\`.`)
}

/** Waiting of a special kind. */
export interface Pause {
  readonly work: PromiseLike<unknown>
  /** Whether the road waits for the client, which is not counted, and whose time limit is that of the host. */
  readonly isArrival: boolean
  /** The response, if the client leaves or the time is up in the meantime. */
  readonly cancelled?: ((cause: CancelCause) => object) | undefined
}

/** Waits for a value, unless it is there. `cancelled` makes a response of its own, if the wait is cut short. */
export function* wait<Value>(
  value: MaybePromise<Value>,
  cancelled?: Pause['cancelled'],
): Road<Value, never> {
  if (!isPromise(value)) return value
  // The `then` of a foreign thenable may do anything.
  const work = Promise.resolve(value)
  return (yield cancelled === undefined ? work : { work, isArrival: false, cancelled }) as Value
}

/** Ends the road: nothing behind it runs. */
export function* stop<Why extends Kinded>(why: Why): Road<never, Why> {
  return (yield why) as never
}

/** Makes the response of one request, with what was found out about it. */
export interface Surface<Out, Why extends Kinded = Stop> {
  /** The response that a stop stands for; also for bugs, and if the client has left or the time is up. */
  toResponse(why: Why | Stop): Out
  /** Called with each response. `isOwn` is false for those to bugs and cancelled requests, which the road did not make. */
  finish(out: Out, isOwn: boolean): Out
  /** Gets a response that will not be sent, and that may hold something open. */
  discard?(late: Out): void
}

/** The part of the facts that a walk writes or reads. */
interface WalkedFacts {
  stop: Kinded | undefined
  readonly cancellation: Cancellation
  readonly isStreamDropped: boolean
  readonly head: object
  readonly request: { readonly client: string | undefined } | undefined
}

/**
 * Walks a part of a road that a driver drives with its time limit: inside a hook, or one of several parts. Failures are
 * thrown, and nothing runs once the whole is cancelled, unless `around` has dropped its stream. What goes on late, as after a
 * wait, leaves long turns to other clients, as what a driver drives does.
 */
export function walk<Out extends object, Why extends Kinded>(
  road: Road<Out, Why>,
  surface: Surface<Out, Why>,
  facts: WalkedFacts,
  isLate = false,
): Out | Promise<Out> {
  const { cancellation } = facts
  return isLate ? proceed(undefined) : step(undefined)

  function proceed(given: unknown): Out | Promise<Out> {
    if (!longTurns.isLong) return step(given)
    return longTurns.another(facts.request?.client ?? facts.head).then(() => step(given))
  }

  function step(given: unknown): Out | Promise<Out> {
    longTurns.note(0)
    // A hook may begin the part when nothing waits for it any more.
    const isOver = cancellation.aborted && !facts.isStreamDropped
    return follow(isOver ? road.throw(cancellation.reason) : road.next(given))
  }

  function follow({ done, value }: IteratorResult<Waiting | Why, Out>): Out | Promise<Out> {
    if (done === true) return value
    if (Object(value) !== value) return follow(road.throw(mistakenYield(value)))
    const waiting = workOf(value)
    if (waiting === undefined) {
      const why = value as Why
      facts.stop = why
      const out = surface.toResponse(why)
      road.return(out)
      return out
    }
    return Promise.resolve(waiting).then(
      (late) => proceed(late),
      (error: unknown) => follow(road.throw(error)),
    )
  }
}
