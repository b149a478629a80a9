import type { Turns, TurnTaker } from './turns.js'

/** Work that waits in a line. */
export interface WaitingStart {
  run(this: void): void
  /** Whether it is no longer needed. */
  isGone(this: void): boolean
  /** Whether it waits for something else first, which then calls `proceed`. */
  isHeld?(this: void, proceed: () => void): boolean
  /** What it adds to the weight of its line. Default: 0. */
  readonly weight?: number
  /** Called instead of `run` if its line is too heavy. Work without it is never refused. */
  refuse?(this: void): void
}

interface TurnLine extends TurnTaker {
  starts: WaitingStart[]
  weight: number
}

/**
 * Queues of work for further turns of the event loop, such as one per client: in each round, one of each line starts. Once
 * all together weigh too much, the heaviest line of the heaviest owner is refused.
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

  /** Lines of the same owner take turns as one. */
  add(key: Key, start: WaitingStart, owner: unknown = key): void {
    const line = this.#lines.get(key) ?? this.#open(key, owner)
    line.starts.push(start)
    this.#weigh(line, start.weight ?? 0)
    if (this.#weight > this.#most) this.#refuseHeaviest()
  }

  /** Forgets what waits in a line. */
  drop(key: Key): void {
    const line = this.#lines.get(key)
    this.#lines.delete(key)
    while (line !== undefined && line.starts.length > 0) this.#shift(line)
  }

  #open(key: Key, owner: unknown): TurnLine {
    const line = { owner, starts: [], weight: 0, proceed: (): void => this.#proceed(key, line) }
    this.#lines.set(key, line)
    this.#turns.wait(line)
    return line
  }

  #proceed(key: Key, line: TurnLine): void {
    while (line.starts[0]?.isGone() === true) this.#shift(line)
    if (line.starts[0]?.isHeld?.(() => this.#turns.wait(line)) === true) return
    const start = this.#shift(line)
    if (line.starts.length > 0) this.#turns.wait(line)
    else this.#lines.delete(key)
    if (start === undefined) return
    this.#turns.note(1)
    start.run()
  }

  #shift(line: TurnLine): WaitingStart | undefined {
    const start = line.starts.shift()
    this.#weigh(line, -(start?.weight ?? 0))
    return start
  }

  #weigh(line: TurnLine, more: number): void {
    line.weight += more
    this.#weight += more
  }

  #refuseHeaviest(): void {
    const lines = [...this.#lines.values()]
    const byOwner = new Map<unknown, number>()
    for (const { owner, weight } of lines) byOwner.set(owner, (byOwner.get(owner) ?? 0) + weight)
    const ofOwner = ({ owner }: TurnLine): number => byOwner.get(owner) ?? 0
    const heaviest = lines.reduce((most, line) =>
      (ofOwner(line) - ofOwner(most) || line.weight - most.weight) > 0 ? line : most,
    )
    const refused = heaviest.starts.filter((start) => start.refuse !== undefined)
    heaviest.starts = heaviest.starts.filter((start) => start.refuse === undefined)
    for (const { weight = 0 } of refused) this.#weigh(heaviest, -weight)
    for (const start of refused) start.refuse?.()
  }
}
