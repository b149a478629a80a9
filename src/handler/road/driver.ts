import { longTurns } from '../../base/long-turns.js'
import { TurnLines } from '../../base/turn-lines.js'
import { innermostError, isForClients } from '../../graphql/errors/show-error.js'
import { inThisContext } from '../../base/async-context.js'
import type { CancelCause } from '../../over-http/refusals.js'
import { reportBug } from '../../options/report.js'
import { showValue } from '../../shapes/show-value.js'
import type { Settings } from '../../options/settings.js'
import { CancelledError, isCancellation } from './cancelled-error.js'
import { WaitingPlace, type LoadGate } from './load-gate.js'
import { forgetRequest, type Facts } from './facts.js'
import { mistakenYield, workOf } from './road.js'
import type { Kinded, Pause, Road, Stop, Surface, Waiting } from './road.js'

export interface DriverTools {
  readonly settings: Settings
  readonly gate: LoadGate
}

export interface Trip<Out extends object, Why extends Kinded = Stop> {
  readonly road: Road<Out, Why>
  readonly surface: Surface<Out, Why>
  readonly facts: Facts
}

/**
 * Drives a road to its response. What applies to all roads is here, and only here: a bug becomes a masked error with an
 * id; waiting is counted and has a time limit; and nothing runs once the client has left. `done` is called once, in the
 * same tick if nothing waits; never if the body of the request does not arrive. `failed` is called instead if the surface
 * fails even for a bug.
 */
export function drive<Out extends object, Why extends Kinded = Stop>(
  trip: Trip<Out, Why>,
  tools: DriverTools,
  done: (out: Out) => void,
  failed?: (bug: unknown) => void,
): void {
  new Driver(trip, tools, done, failed).resume(undefined)
}

type Next<Out, Why> = IteratorResult<Waiting | Why, Out>

/**
 * Hundreds of requests may wait for the same, such as a timer, and then go on at once. A line for each client, so that one with
 * hundreds does not keep another waiting. Without a known address, a line per request.
 */
const roadLines = /* @__PURE__ */ new TurnLines<string | object>(longTurns)

class Driver<Out extends object, Why extends Kinded> {
  /** Undefined once it is over: it holds what the response needed, and a listener may hold the driver. */
  #road: Road<Out, Why> | undefined
  readonly #surface: Surface<Out, Why>
  readonly #facts: Facts
  readonly #tools: DriverTools
  readonly #done: (out: Out) => void
  readonly #failed: ((bug: unknown) => void) | undefined
  #isRunning = false
  /** Undefined while it does not wait. */
  #place: WaitingPlace | undefined
  #cancelled: Pause['cancelled']

  constructor(
    { road, surface, facts }: Trip<Out, Why>,
    tools: DriverTools,
    done: (out: Out) => void,
    failed: ((bug: unknown) => void) | undefined,
  ) {
    this.#road = road
    this.#surface = surface
    this.#facts = facts
    this.#tools = tools
    this.#done = done
    this.#failed = failed
  }

  /** Runs the road, with what it has waited for, until it waits again or ends. */
  resume(value: unknown, hasFailed = false): void {
    const road = this.#road as Road<Out, Why>
    let next: Next<Out, Why>
    this.#isRunning = true
    try {
      next = hasFailed ? road.throw(value) : road.next(value)
    } catch (bug) {
      return this.#fail(bug)
    } finally {
      this.#isRunning = false
    }
    if (this.#road === undefined) this.#letGo(road, next)
    else if (next.done === true) {
      this.#over()
      this.#finish(next.value, true)
    } else if (Object(next.value) !== next.value) this.resume(mistakenYield(next.value), true)
    else if ('then' in next.value) this.#wait(next.value, undefined)
    else if ('isArrival' in next.value) this.#pause(next.value)
    else this.#stop(next.value)
  }

  #pause({ work, isArrival, cancelled }: Pause): void {
    if (!isArrival) return this.#wait(work, cancelled)
    this.#place?.leave()
    this.#place = undefined
    work.then(
      (value) => this.resume(value),
      (bug: unknown) => this.#fail(bug),
    )
  }

  #wait(work: PromiseLike<unknown>, cancelled: Pause['cancelled']): void {
    this.#cancelled = cancelled
    this.#takePlace()
    work.then(
      (value) => {
        if (!longTurns.isLong) return this.#goOn(value)
        const run = inThisContext(() => this.#goOn(value))
        // It runs if the request is over, too: its place is given back then.
        roadLines.add(this.#place?.client ?? this, {
          run,
          isGone: () => false,
        })
      },
      (error: unknown) =>
        this.#road === undefined ? this.#endLate(error) : this.resume(error, true),
    )
  }

  #goOn(value: unknown): void {
    if (this.#road === undefined) return this.#place?.leave()
    longTurns.note(0)
    this.resume(value)
  }

  #takePlace(): void {
    const limit = this.#facts.timeout ?? this.#tools.settings.executionTimeout
    const before = this.#place
    const place =
      before ?? new WaitingPlace(this.#facts, this.#tools.gate, (cause) => this.#cancel(cause))
    this.#place = place
    place.limitTime(limit)
    if (before === undefined) place.watch(this.#facts)
  }

  #stop(why: Why): void {
    const road = this.#road
    this.#over()
    this.#end(true, () => {
      // First, since hooks that format an answer may throw: what the road holds open is closed all the same.
      road?.return(undefined as never)
      return this.#answer(why)
    })
  }

  /** The client has left, or the time is up. The response does not wait for work that cannot be stopped. */
  #cancel(cause: CancelCause): PromiseLike<unknown> | void {
    const place = this.#place
    if (this.#road === undefined) return place?.leave()
    let road = this.#isRunning ? undefined : this.#road
    const work = cause === 'client-gone' ? place?.abandon() : undefined
    this.#over(work !== undefined)
    this.#end(false, () => {
      const own = this.#cancelled?.(cause) as Out | undefined
      const out = own ?? this.#answer({ kind: 'cancelled', cause })
      this.#facts.cancellation.cancel(new CancelledError(cause))
      road?.return(out)
      // Errors that are made here, as graphql 17 does, keep the functions of their stack, and with those what they see.
      road = undefined
      return out
    })
    forgetRequest(this.#facts)
    return work
  }

  #fail(bug: unknown): void {
    if (this.#road === undefined) return this.#endLate(bug)
    this.#over()
    this.#mask(bug)
  }

  #end(isOwn: boolean, make: () => Out): void {
    let made: Out
    try {
      made = make()
    } catch (bug) {
      return this.#mask(bug)
    }
    this.#finish(made, isOwn)
  }

  #finish(made: Out, isOwn: boolean): void {
    let out: Out
    try {
      out = this.#surface.finish(made, isOwn)
    } catch (bug) {
      return this.#mask(bug)
    }
    this.#done(out)
  }

  #answer(why: Why | Stop): Out {
    const facts = this.#facts
    facts.stop = why
    facts.errors = []
    facts.hasData = false
    const out: unknown = this.#surface.toResponse(why)
    if (typeof out === 'object' && out !== null) return out as Out
    throw new TypeError(`toResponse: expected a response, got ${showValue(out)}.`)
  }

  #mask(bug: unknown): void {
    let out: Out
    try {
      const id = reportBug(this.#tools.settings, bug, this.#facts, this.#facts.at)
      out = this.#surface.finish(this.#answer({ kind: 'internal', id }), false)
    } catch (another) {
      if (this.#failed === undefined) throw another
      return this.#failed(another)
    }
    this.#done(out)
  }

  #over(isAbandoned = false): void {
    this.#road = undefined
    if (!isAbandoned) this.#place?.leave()
  }

  /** What a cancelled road yields or returns may hold something open, or fail. */
  #letGo(road: Road<Out, Why>, next: Next<Out, Why>): void {
    try {
      const work = next.done === true ? undefined : workOf(next.value)
      if (next.done === true) this.#surface.discard?.(next.value)
      else road.return(undefined as never)
      if (work === undefined) return this.#place?.leave()
      work.then(
        () => this.#place?.leave(),
        (error: unknown) => this.#endLate(error),
      )
    } catch (bug) {
      this.#endLate(bug)
    }
  }

  /** Failures caused by the cancellation are expected, and a late denial is not a bug either. */
  #endLate(error: unknown): void {
    const isExpected =
      isCancellation(error, this.#facts.cancellation.reason) || isForClients(innermostError(error))
    if (!isExpected) reportBug(this.#tools.settings, error, this.#facts)
    this.#place?.leaveAfter(error)
  }
}
