import { AsyncResource } from 'node:async_hooks'
import { Turns, type TurnTaker } from '../../../base/turns.js'

/**
 * What starts in a turn of the event loop, of all connections: at most 16 of the requests that a client can send by the
 * hundred in one packet, those of HTTP/2 and of pipelines, and none once the turn has taken 10 ms.
 */
export const requestTurns: Turns = /* @__PURE__ */ new Turns(16, 16, 10)

/** What waits on a connection, of which one starts in each round. */
class WaitingStarts implements TurnTaker {
  readonly #starts: (() => void)[] = []

  add(start: () => void): void {
    const request = new AsyncResource('WAITINGREQUEST')
    this.#starts.push(() => request.runInAsyncScope(start))
    if (this.#starts.length === 1) requestTurns.wait(this)
  }

  get isEmpty(): boolean {
    return this.#starts.length === 0
  }

  proceed(): void {
    const [start] = this.#starts
    requestTurns.note(1)
    start?.()
    this.#starts.shift()
    if (!this.isEmpty) requestTurns.wait(this)
  }
}

const waiting = new WeakMap<object, WaitingStarts>()

/** Starts what a connection brings, in this turn, or in its own in a later one. */
export function startInTurn(connection: object, start: () => void): void {
  const before = waiting.get(connection)
  if (!requestTurns.isOver && before?.isEmpty !== false) {
    requestTurns.note(1)
    return start()
  }
  const starts = before ?? new WaitingStarts()
  waiting.set(connection, starts)
  starts.add(start)
}
