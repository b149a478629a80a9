import { Turns } from './turns.js'

/**
 * A turn of the event loop begins nothing more once it has taken 10 ms, and visits at most 1,024 of those that wait, since each
 * visit costs a little. Only what may take a good part of a millisecond notes its beginning: a look at a clock costs more than
 * most checks of a head.
 */
export const longTurns: Turns = /* @__PURE__ */ new Turns(1024, 16, 10)
