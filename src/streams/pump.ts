import { inThisContext } from '../base/async-context.js'
import { isPromise } from '../base/promise.js'
import { follow, never, type Transitions } from '../base/transitions.js'
import { Turns } from '../base/turns.js'
import { isInterruption, type EndCause } from './end-cause.js'
import type { Outlet } from './outlet.js'
import { isPolled, type Program } from './program.js'
import { ResumableEvent } from '../base/resumable.js'

/*
 * The life of a stream, the same for all transports. A stream holds at most one event: the next one is not
 * pulled before the client has read enough of those before.
 *
 *     pulling ---event---> working ---result---> pulling
 *        ^                    |
 *        |                    | resultFull
 *        +------drained------ blocked
 *
 * pulling  The source has been asked for its next event.
 * working  The event is being executed.
 * blocked  The result was written, but the client reads too slowly.
 * ended    Nothing is read or written any more. The source was returned in the same tick; what it still does is
 *          watched by the registry.
 *
 * The events:
 *
 * event       The source has an event.
 * result      Its result was written.
 * resultFull  Its result was written, but the client reads too slowly.
 * drained     The client has read enough.
 * end         Any of the causes in `end-cause.ts`.
 */
export type PumpState = 'pulling' | 'working' | 'blocked' | 'ended'
export type PumpEvent = 'event' | 'result' | 'resultFull' | 'drained' | 'end'

// oxfmt-ignore
export const pumpTransitions: Transitions<PumpState, PumpEvent> = {
  pulling: { event: 'working', result: never,     resultFull: never,     drained: 'pulling', end: 'ended' },
  working: { event: never,     result: 'pulling', resultFull: 'blocked', drained: 'working', end: 'ended' },
  blocked: { event: never,     result: never,     resultFull: never,     drained: 'pulling', end: 'ended' },
  ended:   { event: 'ended',   result: 'ended',   resultFull: 'ended',   drained: 'ended',   end: 'ended' },
}

/** Called once for each stream, when it ends. */
export type PumpListener = (pump: Pump, cause: EndCause, work: Promise<void> | undefined) => void

/** How many events are pulled before other work gets its turn. */
const maxInARow = 16

/** A long event counts as several. */
const charactersPerEvent = 4096

/** All streams of a process send 256 events in a turn, at most for 10 ms, and one of each client in each round. Pure: bundles without streams leave it out. */
const turns = /* @__PURE__ */ new Turns(256, 1, 10)

/** Plays a program into an outlet, at the pace of its host. Streams are many, so each has as few closures as possible. */
export class Pump {
  readonly program: Program
  readonly openedAt: number = performance.now()
  /** How many results were written. */
  events = 0
  #state: PumpState = 'pulling'
  readonly #outlet: Outlet
  readonly #listener: PumpListener
  /** How many looks of the clock it has been blocked, or its heartbeat unread. */
  #blockedLooks = 0
  #isBeatUnread = false
  #quietLooks = 0
  #pulledInARow = 0
  #isResting = false
  /** Resolvers see the asynchronous context in which the stream began, not that of a publisher or of another stream. */
  readonly #pullInContext: () => void
  readonly #onNext: (next: IteratorResult<unknown>) => void
  readonly #onFailed: (bug: unknown) => void

  constructor(program: Program, outlet: Outlet, listener: PumpListener) {
    this.program = program
    this.#outlet = outlet
    this.#listener = listener
    this.#pullInContext = inThisContext(() => this.#pull())
    this.#onNext = (next) => this.#take(next)
    this.#onFailed = (bug) => this.#fail(bug)
  }

  get state(): PumpState {
    return this.#state
  }

  get owner(): unknown {
    return this.program.client
  }

  start(): void {
    const { source } = this.program
    try {
      if (isPolled(source)) source.onReady(this.#pullInContext)
    } catch (bug) {
      return this.#fail(bug)
    }
    this.#pull()
  }

  /** The client has read enough for the next event. */
  resume(): void {
    this.#isBeatUnread = false
    if (this.#state !== 'blocked') return
    this.#on('drained')
    // A client that reads may be behind again at the next look of the clock.
    this.#blockedLooks = 0
    // What the system takes at once is drained in the same turn, and a client that reads fast would take all turns.
    this.#rest()
  }

  gone(): void {
    this.end('client-gone')
  }

  shutDown(): void {
    this.end('shutdown')
  }

  /** Ends the stream, once, whatever it is waiting for. Its source is returned by the listener. */
  end(cause: EndCause, errors: string | undefined = this.program.describeEnd(cause)): void {
    if (this.#state === 'ended') return
    this.#on('end')
    // Sources that wait for the signal wake up before they are returned.
    const work = cause === 'complete' ? undefined : this.program.stop(cause)
    this.#listener(this, cause, work)
    this.#outlet.end(cause, errors)
  }

  /** Called once per second: counts for how long the client has not read, or the stream has been quiet. */
  look(heartbeatLooks: number, sendLooks: number): void {
    const isUnread = this.#state === 'blocked' || this.#isBeatUnread
    this.#blockedLooks = isUnread ? this.#blockedLooks + 1 : 0
    if (this.#blockedLooks > sendLooks && this.#outlet.seesSlowReaders !== true) {
      return this.end('slow-reader')
    }
    this.#quietLooks += 1
    if (this.#quietLooks < heartbeatLooks || isUnread) return
    this.#quietLooks = 0
    this.#isBeatUnread = !this.#outlet.heartbeat()
  }

  #on(event: PumpEvent): void {
    this.#state = follow(pumpTransitions, this.#state, event)
  }

  /** Pulls until the source has no event yet, an event takes time, or the client reads too slowly. */
  #pull(): void {
    while (this.#state === 'pulling' && !this.#isResting) {
      if (this.#pulledInARow === maxInARow || turns.isOver) return this.#rest()
      this.#pulledInARow += 1
      const next = this.#read()
      if (next === undefined) return
      this.#handle(next)
    }
  }

  /** A source that always has an event would keep everything else from running. */
  #rest(): void {
    if (this.#isResting) return
    this.#isResting = true
    turns.wait(this)
  }

  /** Goes on in its next turn. */
  proceed(): void {
    this.#pulledInARow = 0
    this.#isResting = false
    this.#pullInContext()
  }

  /** The next event if it is there; otherwise `#take` gets it, or the source calls `#pull`. */
  #read(): IteratorResult<unknown> | undefined {
    const { source } = this.program
    try {
      if (isPolled(source)) return source.poll()
      Promise.resolve(source.next()).then(this.#onNext, this.#onFailed)
    } catch (bug) {
      this.#fail(bug)
    }
    return undefined
  }

  #take(next: IteratorResult<unknown>): void {
    if (this.#state === 'ended') return
    if (turns.isLong) return void turns.another(this.owner).then(() => this.#take(next))
    this.#handle(next)
    this.#pull()
  }

  #handle(next: IteratorResult<unknown>): void {
    let value: unknown
    try {
      if (next.done === true) return this.end('complete')
      ;({ value } = next)
    } catch (bug) {
      // It is not an object, or a Proxy that throws.
      return this.#fail(bug)
    }
    this.#on('event')
    const resumed = value instanceof ResumableEvent ? value : undefined
    if (resumed !== undefined && resumed.event === undefined) {
      // The position from which the client can resume, without an event.
      return this.#on(this.#outlet.position?.(resumed.id) === false ? 'resultFull' : 'result')
    }
    const id = resumed?.id
    const result = this.program.play(resumed === undefined ? value : resumed.event)
    if (!isPromise(result)) return this.#write(result, id)
    void result.then((late) => {
      this.#write(late, id)
      this.#pull()
    })
  }

  #write(result: string, id: string | undefined): void {
    if (this.#state === 'ended') return
    this.events += 1
    turns.note(1 + result.length / charactersPerEvent)
    this.#quietLooks = 0
    this.#on(this.#outlet.next(result, id) ? 'result' : 'resultFull')
  }

  #fail(bug: unknown): void {
    if (this.#state === 'ended') return
    if (isInterruption(bug)) this.end('interrupted')
    else this.end('source-failed', this.program.describeFailure(bug))
  }
}
