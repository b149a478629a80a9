import type { Kinded, Stop } from './road.js'

/** Makes the response of one request, with what was found out about it. */
export interface Surface<Out, Why extends Kinded = Stop> {
  /** The response that a stop stands for; also for bugs, and if the client has left or the time is up. */
  toResponse(why: Why | Stop): Out
  /** Called with each response. `isOwn` is false for those to bugs and cancelled requests, which the road did not make. */
  finish(out: Out, isOwn: boolean): Out
  /** Gets a response that will not be sent, and that may hold something open. */
  discard?(late: Out): void
}
