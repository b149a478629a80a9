import type { Turns, TurnTaker } from './turns.js'

/** What waits in a line. */
export interface WaitingStart {
  run(this: void): void
  /** Whether nobody needs it any more. */
  isGone(this: void): boolean
}

/** Lines of what waits for another turn of the event loop, such as one for each client: in each round, one of each line starts. */
export class TurnLines<Key> {
  readonly #turns: Turns
  readonly #lines = new Map<Key, TurnLine>()

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /** Whether something waits in this line. */
  has(key: Key): boolean {
    return this.#lines.has(key)
  }

  add(key: Key, start: WaitingStart): void {
    const line = this.#lines.get(key)
    if (line !== undefined) return line.add(start)
    const fresh = new TurnLine(this.#turns, start, () => this.#lines.delete(key))
    this.#lines.set(key, fresh)
  }
}

class TurnLine implements TurnTaker {
  readonly #turns: Turns
  readonly #starts: WaitingStart[]
  readonly #ended: () => void

  constructor(turns: Turns, first: WaitingStart, ended: () => void) {
    this.#turns = turns
    this.#starts = [first]
    this.#ended = ended
    turns.wait(this)
  }

  add(start: WaitingStart): void {
    this.#starts.push(start)
  }

  proceed(): void {
    while (this.#starts[0]?.isGone() === true) this.#starts.shift()
    const start = this.#starts.shift()
    if (this.#starts.length > 0) this.#turns.wait(this)
    else this.#ended()
    if (start === undefined) return
    this.#turns.note(1)
    start.run()
  }
}
