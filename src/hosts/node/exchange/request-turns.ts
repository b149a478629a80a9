import { AsyncResource } from 'node:async_hooks'
import { Turns } from '../../../base/turns.js'

/**
 * What starts in a turn of the event loop of requests that a client can send by the hundred: those of HTTP/2, and those of
 * pipelines. They are counted for all connections.
 */
export const requestTurns: Turns = /* @__PURE__ */ new Turns(16, 16, 10)

/** Starts it in this turn, or in a later one, in the asynchronous context of now. */
export function startInTurn(start: () => void): void {
  if (requestTurns.isOver) {
    const request = new AsyncResource('WAITINGREQUEST')
    return requestTurns.wait({
      proceed: () => request.runInAsyncScope(startInTurn, undefined, start),
    })
  }
  requestTurns.note(1)
  start()
}
