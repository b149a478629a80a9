import type { IncomingMessage, ServerResponse } from 'node:http'
import { fieldValue } from '../../../http/message.js'
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

/**
 * Whether nobody knows where the next request begins, so that the response must be the last. Node's parser drops what arrives
 * together with an `Upgrade` that is ignored, since it could be another protocol already, and would read what follows as a
 * request, even from the middle of a body. HTTP/1.0 has no chunked coding: a request that uses it has invalid framing
 * (RFC 9112 section 6.1).
 */
export function isEndUnclear({ headers, httpVersionMinor, rawHeaders }: Incoming): boolean {
  if (headers.upgrade !== undefined && isUpgrade(headers)) return true
  return httpVersionMinor === 0 && fieldValue(rawHeaders, 'transfer-encoding') !== undefined
}

/** A WebSocket does not get here. Node has read `headers` already, and its parser takes `Proxy-Connection` for `Connection`. */
function isUpgrade(headers: Incoming['headers']): boolean {
  return /upgrade/i.test(`${headers.connection} ${String(headers['proxy-connection'])}`)
}

/**
 * Whether a request on a server of your own is to be served; its response closes the connection if the end of the request is
 * unclear. Our servers know the state of each connection instead.
 */
export function mayServe(incoming: Incoming, outgoing: Outgoing): boolean {
  if (isBehindLast(incoming)) return false
  if ('shouldKeepAlive' in outgoing && isEndUnclear(incoming)) {
    closeBehind(incoming)
    outgoing.shouldKeepAlive = false
  }
  return true
}

/** Up to this size, the rest of a body that was answered early is read to keep the connection. */
const maxUnreadBytes = 64 * 1024

/**
 * Whether the client may still be sending so much of the body that the connection must end. Of a small rest, Node reads and
 * drops what comes to find the next request; on a connection without a next one it would close at once.
 */
export function isStillSending(
  { complete, rawHeaders }: IncomingMessage,
  { shouldKeepAlive }: ServerResponse,
): boolean {
  if (complete) return false
  if (fieldValue(rawHeaders, 'transfer-encoding') !== undefined) return true
  const length = Number(fieldValue(rawHeaders, 'content-length') ?? 0)
  return length > (shouldKeepAlive ? maxUnreadBytes : 0)
}
