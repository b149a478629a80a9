import { isHttp2, type Incoming } from './incoming.js'

/**
 * The connections of HTTP/1 whose last answer is out or on its way. It is one list for the whole process:
 * a server can have several listeners, and what one of them has ended is over for all.
 */
const closing = new WeakSet<object>()

/** Notes that the answer to this request is the last of its connection. */
export function closeBehind(incoming: Incoming): void {
  closing.add(incoming.socket)
}

/** Whether the request came behind the last answer, and is not to be served (RFC 9112 section 9.6). */
export function isBehindLast(incoming: Incoming): boolean {
  return !isHttp2(incoming) && closing.has(incoming.socket)
}
