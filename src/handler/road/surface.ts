import type { Kinded, Stop } from './road.js'

/** How one request becomes a response. It is made for each request, and knows what that has found out. */
export interface Surface<Out, Why extends Kinded = Stop> {
  /** The response that a stop stands for; also for bugs, and if the client has left or the time is up. */
  toResponse(why: Why | Stop): Out
  /** Called with each response, also those for bugs and cancelled requests: these are not the road's own. */
  finish(out: Out, isOwn: boolean): Out
  /** Gets a response that nobody will send, and that may hold something open. */
  discard?(late: Out): void
}
