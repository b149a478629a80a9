import type { CancelCause } from '../../over-http/refusals.js'
import { abortedWork } from './cancelled-error.js'
import type { Facts } from './facts.js'
import type { LoadGate } from './load-gate.js'

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
