import { AsyncResource } from 'node:async_hooks'
import { TurnLines, type WaitingStart } from '../../../base/turn-lines.js'
import { Turns } from '../../../base/turns.js'

/**
 * What starts in a turn of the event loop, of all connections: at most 16 of the requests that a client can send by the
 * hundred in one packet, those of HTTP/2 and of pipelines, and none once the turn has taken 10 ms.
 */
export const requestTurns: Turns = /* @__PURE__ */ new Turns(16, 16, 10)

/** A line for each connection. */
const lines = /* @__PURE__ */ new TurnLines<object>(requestTurns)

/** Starts what a connection brings, in this turn, or in its own in a later one, unless it is gone by then. */
export function startInTurn(connection: object, { run, isGone }: WaitingStart): void {
  if (!requestTurns.isOver && !lines.has(connection)) {
    requestTurns.note(1)
    return run()
  }
  const request = new AsyncResource('WAITINGREQUEST')
  lines.add(connection, { run: () => request.runInAsyncScope(run), isGone })
}
