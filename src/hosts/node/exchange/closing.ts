import { isEndUnclear, isHttp2, type Incoming, type Outgoing } from './incoming.js'

/**
 * The HTTP/1 connections whose last response has been sent or is being sent. One list for the whole process:
 * a server can have several listeners, and a connection that one of them has ended is over for all.
 */
export const lastAnswered: WeakSet<object> = new WeakSet()

/** Notes that the response to this request is the last of its connection. */
export function closeBehind(incoming: Incoming): void {
  lastAnswered.add(incoming.socket)
}

/**
 * Whether to serve a request on a server of your own: not after the last response (RFC 9112 section 9.6). If the end of the
 * request is unclear, its response closes the connection. Our servers know the state of each connection instead.
 */
export function mayServe(incoming: Incoming, outgoing: Outgoing): boolean {
  if (isHttp2(incoming)) return true
  if (lastAnswered.has(incoming.socket)) return false
  if ('shouldKeepAlive' in outgoing && isEndUnclear(incoming)) {
    closeBehind(incoming)
    outgoing.shouldKeepAlive = false
  }
  return true
}
