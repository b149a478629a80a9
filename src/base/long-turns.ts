import { Turns } from './turns.js'

/** A turn of the event loop begins nothing more once it has taken 10 ms. */
export const longTurns: Turns = /* @__PURE__ */ new Turns(Infinity, 16, 10)

/** Whether this turn has taken long, so that work has to wait. What asks first in a turn begins its clock. */
export function isTurnLong(): boolean {
  const { isLong } = longTurns
  longTurns.note(0)
  return isLong
}
