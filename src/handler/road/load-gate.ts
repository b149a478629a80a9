import { Shares } from '../../base/shares.js'
import type { AddressReader } from '../../http/client-address.js'
import type { RequestHead } from '../../http/message.js'
import type { CancelCause, Refusal } from '../../over-http/refusals.js'
import { abortedWork } from './cancelled-error.js'
import type { Facts } from './facts.js'

/** Counts the requests that wait, and refuses further ones above a limit. */
export interface LoadGate {
  /** Refuses a request while the server is overloaded. Not for a request that is already counted. */
  check(head: RequestHead): Refusal | undefined
  /** A request begins to wait for something. Returns its client, which also leaves. */
  enter(head: RequestHead): string | undefined
  leave(client: string | undefined): void
}

export interface LoadLimits {
  readonly maxInFlight: number
  readonly maxEventLoopDelay: number
  readonly clientShare: number
  readonly clientOf: AddressReader
}

/** A request with an immediate response never waits, and is not counted. */
export function createLoadGate(limits: LoadLimits): LoadGate {
  const { maxInFlight, maxEventLoopDelay, clientShare, clientOf } = limits
  const delay = maxEventLoopDelay < Infinity ? createDelayMeter() : undefined
  const shares = new Shares(maxInFlight, clientShare)
  const hasShares = shares.most < maxInFlight
  let inFlight = 0
  return {
    check(head) {
      // No client holds more than all together: while few wait, the client is not looked up.
      if (inFlight >= shares.most) {
        const isFull = inFlight >= maxInFlight || !shares.hasRoomFor(clientOf(head))
        if (isFull) return { kind: 'overloaded', by: 'requests' }
      }
      return delay !== undefined && delay() > maxEventLoopDelay
        ? { kind: 'overloaded', by: 'event-loop' }
        : undefined
    },
    enter(head) {
      inFlight += 1
      const client = hasShares ? clientOf(head) : undefined
      shares.add(client)
      return client
    },
    leave(client) {
      inFlight -= 1
      shares.remove(client)
    },
  }
}

const sampleMs = 50

/**
 * Returns a function that returns how late the event loop was at the last measurement. The timer runs only while requests
 * come, and does not keep the process alive.
 */
function createDelayMeter(): () => number {
  let late = 0
  let state: 'idle' | 'sampling' | 'asked' = 'idle'
  const sample = (): void => {
    state = 'sampling'
    const expected = performance.now() + sampleMs
    const timer = setTimeout(() => {
      late = state === 'asked' ? Math.max(0, performance.now() - expected) : 0
      if (state === 'asked') sample()
      else state = 'idle'
    }, sampleMs)
    timer.unref?.()
  }
  return () => {
    if (state === 'idle') sample()
    else state = 'asked'
    return late
  }
}

/** The place of a request that waits: it counts, has a time limit, and is cancelled if its client leaves. */
export class WaitingPlace {
  readonly client: string | undefined
  readonly #gate: LoadGate
  readonly #cancel: (cause: CancelCause) => PromiseLike<unknown> | void
  #isTaken = true
  #timer: ReturnType<typeof setTimeout> | undefined
  #limit: number | undefined
  #stopWatching: (() => void) | void = undefined
  #onLeft: (() => void) | undefined

  constructor(
    { head }: Facts,
    gate: LoadGate,
    cancel: (cause: CancelCause) => PromiseLike<unknown> | void,
  ) {
    this.client = gate.enter(head)
    this.#gate = gate
    this.#cancel = cancel
  }

  watch({ head }: Facts): void {
    this.#stopWatching = head.onClientGone?.(() => {
      // Not every host can remove the listener.
      if (this.#isTaken) return this.#cancel('client-gone')
    })
  }

  /** A request may have waited, as for its credentials, before it turns out to have another limit. */
  limitTime(limit: number): void {
    if (limit === this.#limit) return
    clearTimeout(this.#timer)
    this.#limit = limit
    this.#timer = setTimeout(() => void this.#cancel('timed-out'), limit)
  }

  /**
   * The client has left, but what it asked for still runs, and counts until it ends or its time is up: otherwise clients that
   * leave at once could start any number of resolvers.
   */
  abandon(): Promise<void> {
    this.#stopWatching?.()
    this.#timer?.unref?.()
    return new Promise<void>((resolve) => (this.#onLeft = resolve))
  }

  leaveAfter(failure: unknown): void {
    const work = abortedWork(failure)
    const leave = (): void => this.leave()
    if (work === undefined) leave()
    else work.then(leave, leave)
  }

  leave(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    this.#gate.leave(this.client)
    clearTimeout(this.#timer)
    this.#stopWatching?.()
    this.#onLeft?.()
  }
}
