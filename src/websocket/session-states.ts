import { follow, never, type Transitions } from '../base/transitions.js'
import type { CloseKind } from './close-reasons.js'
import type { ClientMessage } from './messages.js'

/*
 * The life of a socket of graphql-transport-ws.
 *
 *     opened ---init---> authenticating ---admitted---> acknowledged ---shutDownBusy---> leaving
 *
 * opened          The handshake is done, and the client has to send `connection_init`.
 * authenticating  It has, and its credentials are being checked.
 * acknowledged    Operations run.
 * leaving         The server is shutting down. Streams have ended without a word, so that clients start them again
 *                 elsewhere, and operations with a single result run to their end. New ones are not begun: the
 *                 client will repeat them on its next connection.
 * closed          Nothing is read or sent any more, even if it came in the same packet. All operations were
 *                 stopped in the same tick.
 *
 * The events:
 *
 * init, ping, pong, subscribe, complete
 *               The client has sent such a message.
 * duplicate     A `subscribe` with the id of an operation that is running.
 * invalid       The client has sent something else.
 * waited        The time for `connection_init` is over.
 * admitted, denied
 *               Its credentials have been checked.
 * overloaded    The server is too busy to check them.
 * idle          The last operation has ended.
 * shutDown      The server is shutting down.
 * shutDownBusy  The server is shutting down, while operations run that end soon by themselves.
 * expired       The credentials have expired or were revoked.
 * stalled       The client has not read for too long.
 * flooded       The client sends faster than it may, and does not stop.
 * failed        There was a bug.
 * gone          The socket is closing or has closed.
 *
 * A cell is the next state, or why the socket is closed.
 */
export type SessionState = 'opened' | 'authenticating' | 'acknowledged' | 'leaving' | 'closed'
export type SessionEvent =
  | MessageEvent
  | 'waited'
  | 'admitted'
  | 'denied'
  | 'overloaded'
  | 'idle'
  | EndEvent
type MessageEvent = ClientMessage['type'] | 'duplicate' | 'invalid'
type EndEvent = 'shutDown' | 'shutDownBusy' | 'expired' | 'stalled' | 'flooded' | 'failed' | 'gone'

// oxfmt-ignore
export const sessionTransitions: Transitions<SessionState, SessionEvent, SessionState | CloseKind> = {
  opened: {
    connection_init: 'authenticating', ping: 'opened', pong: 'opened', invalid: 'invalid-message',
    subscribe: 'not-acknowledged', duplicate: never, complete: 'opened',
    waited: 'init-timeout', admitted: never, denied: never, overloaded: never, idle: never,
    shutDown: 'shutdown', shutDownBusy: never, expired: 'expired', stalled: 'slow-reader', flooded: 'flooded', failed: 'internal', gone: 'closed',
  },
  authenticating: {
    connection_init: 'second-init', ping: 'authenticating', pong: 'authenticating', invalid: 'invalid-message',
    subscribe: 'not-acknowledged', duplicate: never, complete: 'authenticating',
    waited: 'authenticating', admitted: 'acknowledged', denied: 'denied', overloaded: 'overloaded', idle: never,
    shutDown: 'shutdown', shutDownBusy: never, expired: 'expired', stalled: 'slow-reader', flooded: 'flooded', failed: 'internal', gone: 'closed',
  },
  acknowledged: {
    connection_init: 'second-init', ping: 'acknowledged', pong: 'acknowledged', invalid: 'invalid-message',
    subscribe: 'acknowledged', duplicate: 'duplicate-id', complete: 'acknowledged',
    waited: 'acknowledged', admitted: never, denied: never, overloaded: never, idle: 'acknowledged',
    shutDown: 'shutdown', shutDownBusy: 'leaving', expired: 'expired', stalled: 'slow-reader', flooded: 'flooded', failed: 'internal', gone: 'closed',
  },
  leaving: {
    connection_init: 'second-init', ping: 'leaving', pong: 'leaving', invalid: 'invalid-message',
    subscribe: 'leaving', duplicate: 'duplicate-id', complete: 'leaving',
    waited: 'leaving', admitted: never, denied: never, overloaded: never, idle: 'shutdown',
    shutDown: 'shutdown', shutDownBusy: 'leaving', expired: 'expired', stalled: 'slow-reader', flooded: 'flooded', failed: 'internal', gone: 'closed',
  },
  closed: {
    connection_init: 'closed', ping: 'closed', pong: 'closed', invalid: 'closed',
    subscribe: 'closed', duplicate: 'closed', complete: 'closed',
    waited: 'closed', admitted: 'closed', denied: 'closed', overloaded: 'closed', idle: 'closed',
    shutDown: 'closed', shutDownBusy: 'closed', expired: 'closed', stalled: 'closed', flooded: 'closed', failed: 'closed', gone: 'closed',
  },
}

export function nextState(state: SessionState, event: SessionEvent): SessionState | CloseKind {
  return follow(sessionTransitions, state, event)
}

/** Whether a cell of the table is the next state, not why the socket is closed. */
export function isState(way: SessionState | CloseKind): way is SessionState {
  return Object.hasOwn(sessionTransitions, way)
}
