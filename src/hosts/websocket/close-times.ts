import { checkOptions, objectOf } from '../../shapes/shape.js'
import { maxInt32, wholeNumberFrom } from '../../shapes/shapes.js'
import type { SocketCloseTimes } from '../../websocket/sessions.js'

/** Times of `close`. */
export interface WebSocketCloseOptions {
  /** Close the sockets one after the other within this time, in milliseconds. Default: 5,000. */
  readonly spread?: number | undefined
  /** Cut sockets that are left after this time, in milliseconds. Default: 10,000. */
  readonly deadline?: number | undefined
}

const aTime = wholeNumberFrom(0, maxInt32)
const closeShape = objectOf<WebSocketCloseOptions>('{ spread, deadline }', {
  spread: aTime,
  deadline: aTime,
})

/** Checks the times, and fills in the defaults. */
export function resolveCloseTimes(options: WebSocketCloseOptions): SocketCloseTimes {
  checkOptions('close', options, closeShape)
  const { spread = 5000, deadline = 10_000 } = options
  return { spread, deadline }
}
