import { isHttp2, type Incoming, type Outgoing } from './incoming.js'

/**
 * The HTTP/1 connections whose last response has been sent or is being sent. One list for the whole process:
 * a server can have several listeners, and a connection that one of them has ended is over for all.
 */
const closing = new WeakSet<object>()

/** Notes that the response to this request is the last of its connection. */
export function closeBehind(incoming: Incoming): void {
  closing.add(incoming.socket)
}

/** Whether the request came after the last response, and must not be served (RFC 9112 section 9.6). */
export function isBehindLast(incoming: Incoming): boolean {
  return !isHttp2(incoming) && closing.has(incoming.socket)
}

/** Whether the request asked for another protocol; a WebSocket does not get here. Node has read `headers` already. */
export function isIgnoredUpgrade({ headers }: Incoming): boolean {
  return headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? '')
}

/**
 * Makes the response to an ignored `Upgrade` the last. Node's parser drops what arrives together with such a request, since it
 * could be another protocol already, and would read what follows as a new request, even from the middle of a body.
 */
export function closeBehindIgnoredUpgrade(incoming: Incoming, outgoing: Outgoing): void {
  if (!('shouldKeepAlive' in outgoing) || !isIgnoredUpgrade(incoming)) return
  outgoing.shouldKeepAlive = false
  closeBehind(incoming)
}
