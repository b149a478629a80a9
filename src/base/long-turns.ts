import { Turns } from './turns.js'

/**
 * A turn of the event loop begins nothing more once it has taken 10 ms. Only what may take a good part of a millisecond notes its
 * beginning: to look at a clock for each request costs more than most checks of a head.
 */
export const longTurns: Turns = /* @__PURE__ */ new Turns(Infinity, 16, 10)
