import { inNextTurn, sharesTurns } from './next-turn.js'

/** Work that waits for another turn. */
export interface TurnTaker {
  /** Those with the same owner take turns as one. Default: each has its own. */
  readonly owner?: unknown
  /** Goes on, now. */
  proceed(): void
}

/**
 * Limits how much work of one kind a process does in a turn of the event loop. Otherwise hundreds of pieces would keep
 * everything else waiting: a new connection even for seconds, since Node accepts one per turn.
 */
export class Turns {
  readonly #most: number
  readonly #visits: number
  readonly #longest: number
  /** Whether something was done in this turn. Public, so that a request need call nothing to learn that. */
  isBegun = false
  #begunAt = 0
  /** By their owners, the next one first. */
  readonly #waiting = new Map<unknown, Set<TurnTaker>>()
  #done = 0
  #scheduled = 0
  #isVisiting = false

  /**
   * `most` is the amount per turn, and `visits` how often work that waits again at once may go on in a turn. After `longest`
   * milliseconds a turn begins nothing more.
   */
  constructor(most: number, visits: number, longest: number = Infinity) {
    this.#most = most
    this.#visits = visits
    this.#longest = longest
  }

  /** Whether further work has to wait for another turn. */
  get isOver(): boolean {
    return this.isBegun && (this.#done >= this.#most || this.isLong)
  }

  /** Whether this turn has taken long enough, however much was done. */
  get isLong(): boolean {
    if (!this.isBegun || this.#longest === Infinity) return false
    return performance.now() - this.#begunAt > this.#longest
  }

  /** Counts what was done. */
  note(amount: number): void {
    if (!sharesTurns) return
    if (!this.isBegun) this.#begin()
    this.#done += amount
  }

  #begin(): void {
    this.isBegun = true
    this.#done = 0
    if (this.#longest < Infinity) this.#begunAt = performance.now()
    inNextTurn(this.#end)
  }

  readonly #end = (): void => {
    this.isBegun = false
  }

  /** Proceeds in another turn, behind those that wait already. */
  wait(one: TurnTaker): void {
    if (!sharesTurns) return inNextTurn(() => one.proceed())
    const { owner = one } = one
    const others = this.#waiting.get(owner)
    if (others === undefined) this.#waiting.set(owner, new Set([one]))
    else others.add(one)
    if (this.#scheduled === 0) this.#schedule()
  }

  /** Another turn, as a promise whose callbacks keep their asynchronous context. */
  another(owner?: unknown): Promise<void> {
    return new Promise((proceed) => this.wait({ owner, proceed }))
  }

  /** A callback for each visit, so that what a visit has started continues before the next one. */
  #schedule(): void {
    let takers = 0
    for (const { size } of this.#waiting.values()) takers += size
    this.#scheduled = Math.min(Math.max(this.#waiting.size * this.#visits, takers), this.#most)
    for (let at = 0; at < this.#scheduled; at += 1) inNextTurn(this.#visitNext)
  }

  readonly #visitNext = (): void => {
    // Waiting work gets a part of each turn, however much new work has arrived in it.
    if (!this.#isVisiting) this.#begin()
    this.#isVisiting = true
    this.#scheduled -= 1
    try {
      if (!this.isOver) this.#takeNext()?.proceed()
    } finally {
      if (this.#scheduled === 0) this.#endVisits()
    }
  }

  /** Takes the next one of the next owner, who then comes last. */
  #takeNext(): TurnTaker | undefined {
    const [next] = this.#waiting
    if (next === undefined) return undefined
    const [owner, takers] = next
    const [one] = takers
    if (one !== undefined) takers.delete(one)
    this.#waiting.delete(owner)
    if (takers.size > 0) this.#waiting.set(owner, takers)
    return one
  }

  #endVisits(): void {
    this.#isVisiting = false
    if (this.#waiting.size > 0) this.#schedule()
  }
}
