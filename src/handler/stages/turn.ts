/** How long work may go on before other work gets its turn, in milliseconds. */
const maxTurn = 20

/** A turn of the event loop, for work in many steps: together they would keep everything else waiting, even timers. */
export class Turn {
  readonly #startedAt = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#startedAt > maxTurn
  }
}

/** Waits for the next turn. */
export function nextTurn(): Promise<Turn> {
  return new Promise((resolve) => later(() => resolve(new Turn())))
}

const later: (work: () => void) => unknown =
  'setImmediate' in globalThis ? (work) => setImmediate(work) : (work) => setTimeout(work)
