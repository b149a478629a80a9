import type { Turns, TurnTaker } from './turns.js'

/** What waits in a line. */
export interface WaitingStart {
  run(this: void): void
  /** Whether it is no longer needed. */
  isGone(this: void): boolean
  /** Whether it waits for something else first, which then calls `proceed`. */
  isHeld?(this: void, proceed: () => void): boolean
  /** What it adds to the weight of its line. Default: 0. */
  readonly weight?: number
  /** Called instead of `run` if its line is too heavy. One without it stays. */
  refuse?(this: void): void
}

/**
 * Lines of what waits for another turn of the event loop, such as one for each client: in each round, one of each line starts.
 * Once all weigh too much, the heaviest line is refused.
 */
export class TurnLines<Key> {
  readonly #turns: Turns
  readonly #most: number
  readonly #lines = new Map<Key, TurnLine>()
  #weight = 0

  constructor(turns: Turns, most: number = Infinity) {
    this.#turns = turns
    this.#most = most
  }

  /** Whether something waits in this line. */
  has(key: Key): boolean {
    return this.#lines.has(key)
  }

  add(key: Key, start: WaitingStart): void {
    const line = this.#lines.get(key)
    if (line === undefined) this.#open(key, start)
    else line.add(start)
    this.#weight += start.weight ?? 0
    if (this.#weight > this.#most) this.#refuseHeaviest()
  }

  /** Forgets what waits in a line. */
  drop(key: Key): void {
    this.#lines.get(key)?.drop()
    this.#lines.delete(key)
  }

  #open(key: Key, first: WaitingStart): void {
    const ended = (): void => void this.#lines.delete(key)
    this.#lines.set(key, new TurnLine(this.#turns, first, this.#left, ended))
  }

  readonly #left = ({ weight = 0 }: WaitingStart): void => {
    this.#weight -= weight
  }

  #refuseHeaviest(): void {
    const lines = [...this.#lines.values()]
    lines.reduce((most, line) => (line.weight > most.weight ? line : most)).refuse()
  }
}

class TurnLine implements TurnTaker {
  weight = 0
  readonly #turns: Turns
  #starts: WaitingStart[] = []
  readonly #left: (start: WaitingStart) => void
  readonly #ended: () => void

  constructor(
    turns: Turns,
    first: WaitingStart,
    left: (start: WaitingStart) => void,
    ended: () => void,
  ) {
    this.#turns = turns
    this.#left = left
    this.#ended = ended
    this.add(first)
    turns.wait(this)
  }

  add(start: WaitingStart): void {
    this.#starts.push(start)
    this.weight += start.weight ?? 0
  }

  refuse(): void {
    const refused = this.#starts.filter((start) => start.refuse !== undefined)
    this.#starts = this.#starts.filter((start) => start.refuse === undefined)
    for (const start of refused) this.#leave(start)
    for (const start of refused) start.refuse?.()
  }

  drop(): void {
    for (const start of this.#starts.splice(0)) this.#leave(start)
  }

  proceed(): void {
    while (this.#starts[0]?.isGone() === true) this.#leave(this.#starts.shift())
    if (this.#starts[0]?.isHeld?.(() => this.#turns.wait(this)) === true) return
    const start = this.#starts.shift()
    this.#leave(start)
    if (this.#starts.length > 0) this.#turns.wait(this)
    else this.#ended()
    if (start === undefined) return
    this.#turns.note(1)
    start.run()
  }

  #leave(start: WaitingStart | undefined): void {
    if (start === undefined) return
    this.weight -= start.weight ?? 0
    this.#left(start)
  }
}
