import { never, type Transitions } from '../../../base/transitions.js'
import { whileServing, type ConnectionPolicy } from '../connection/connections.js'

/*
 * How a server ends without losing a request. A load balancer takes time to notice, a client may be sending
 * while the server closes, and the system may have accepted connections that the server has not seen.
 *
 *     serving --> leaving --> calm --> closing ------> grace --> sweeping --> cutting --> ended
 *        |           |         ^  |       |                                     ^
 *        +-----------|---------+  |       | deadline                            |
 *                    +------------+-------+------------> hurried ---------------+
 *
 * serving   Not closing.
 * leaving   /readyz answers 503, and a load balancer has the delay to notice. Responses say
 *           `Connection: close`, so that clients reconnect through it and reach another server.
 * calm      The last moment of the delay. Responses keep their connections: a client that must reconnect does so
 *           at once, and the system resets what waits in its queue when the listener closes.
 * closing   The listener is being closed, which waits until no connection has come in for a moment.
 * hurried   As closing, after the deadline: all streams are ended at once.
 * grace     The listener is closed. Responses say `Connection: close`. Idle connections stay, since a request
 *           may be on its way. Open streams are ended in waves from now on: earlier, their clients would only
 *           connect to this server again.
 * sweeping  As in grace, and idle connections are closed periodically.
 * cutting   The deadline has passed, or no connection is left. Those that are left are destroyed.
 * ended     The last connection has closed.
 *
 * The events:
 *
 * close           `close` was called with a delay no longer than the calm.
 * closeLater      `close` was called with a longer delay, or on a server that does not listen: its connections
 *                 come from another process, so that there is no queue to take care of.
 * waited          The time of the state is over.
 * listenerClosed  The listener has closed, or there was none.
 * empty           The last connection has closed. It only matters when no other can come.
 * deadline        The time for everything is over. An open listener is still closed with care.
 *
 * Streams are not events either: they end in waves, whatever else the server waits for, and a response to a request
 * takes the time that it needs. What is left of both at the deadline is cut.
 *
 * A second call of `close` is not an event: it returns the promise of the first.
 */
export type DrainState =
  | 'serving'
  | 'leaving'
  | 'calm'
  | 'closing'
  | 'hurried'
  | 'grace'
  | 'sweeping'
  | 'cutting'
  | 'ended'

export type DrainEvent = 'close' | 'closeLater' | 'waited' | 'listenerClosed' | 'empty' | 'deadline'

// oxfmt-ignore
export const drainTransitions: Transitions<DrainState, DrainEvent> = {
  serving:  { close: 'calm', closeLater: 'leaving', waited: never,      listenerClosed: never,     empty: 'serving',  deadline: never },
  leaving:  { close: never,  closeLater: never,     waited: 'calm',     listenerClosed: never,     empty: 'leaving',  deadline: 'hurried' },
  calm:     { close: never,  closeLater: never,     waited: 'closing',  listenerClosed: never,     empty: 'calm',     deadline: 'hurried' },
  closing:  { close: never,  closeLater: never,     waited: never,      listenerClosed: 'grace',   empty: 'closing',  deadline: 'hurried' },
  hurried:  { close: never,  closeLater: never,     waited: never,      listenerClosed: 'cutting', empty: 'hurried',  deadline: never },
  grace:    { close: never,  closeLater: never,     waited: 'sweeping', listenerClosed: never,     empty: 'cutting',  deadline: 'cutting' },
  sweeping: { close: never,  closeLater: never,     waited: never,      listenerClosed: never,     empty: 'cutting',  deadline: 'cutting' },
  cutting:  { close: never,  closeLater: never,     waited: never,      listenerClosed: never,     empty: 'ended',    deadline: never },
  ended:    { close: never,  closeLater: never,     waited: never,      listenerClosed: never,     empty: 'ended',    deadline: never },
}

/** What each state means for connections. */
// oxfmt-ignore
export const policies: { readonly [state in DrainState]: ConnectionPolicy } = {
  serving:  whileServing,
  leaving:  { isDraining: true,  saysClose: true,  takesNew: true },
  calm:     { isDraining: true,  saysClose: false, takesNew: true },
  closing:  { isDraining: true,  saysClose: false, takesNew: true },
  hurried:  { isDraining: true,  saysClose: false, takesNew: true },
  grace:    { isDraining: true,  saysClose: true,  takesNew: true },
  sweeping: { isDraining: true,  saysClose: true,  takesNew: true },
  cutting:  { isDraining: true,  saysClose: true,  takesNew: false },
  ended:    { isDraining: true,  saysClose: true,  takesNew: false },
}
