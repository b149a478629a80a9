import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { fieldValue, mostHeaderLines } from '../../../http/message.js'

/** A request of node:http, node:https or node:http2. */
export type Incoming = IncomingMessage | Http2ServerRequest

/** A response of node:http, node:https or node:http2. */
export type Outgoing = ServerResponse | Http2ServerResponse

/** Whether the request came over HTTP/2. The version alone does not show it, since an HTTP/1 request line can name any. */
export function isHttp2(incoming: Incoming): incoming is Http2ServerRequest {
  return incoming.httpVersionMajor >= 2 && 'stream' in incoming
}

export function isGone(incoming: Incoming, outgoing: Outgoing): boolean {
  if (isHttp2(incoming)) return incoming.stream.destroyed || incoming.stream.closed
  // While earlier responses of a pipeline are being sent, only the socket shows it; some adapters have none.
  return (outgoing as ServerResponse).destroyed || incoming.socket?.destroyed
}

/**
 * Calls the listener once the connection or stream closes, or at once if it has. Returns the function that removes it,
 * unless it was called.
 */
export function onceGone(
  incoming: Incoming,
  outgoing: Outgoing,
  listener: () => void,
): (() => void) | void {
  if (isGone(incoming, outgoing)) return listener()
  if (!isHttp2(incoming) && outgoing.socket === null) {
    return onceSocketGone(incoming, outgoing as ServerResponse, listener)
  }
  // Of HTTP/2, Node does not close the response to a HEAD.
  const closing: EventEmitter = isHttp2(incoming) ? incoming.stream : outgoing
  closing.once('close', listener)
  return () => void closing.off('close', listener)
}

/** What carries the request: the socket of HTTP/1, or the session of HTTP/2. */
export function connectionOf(incoming: Incoming): object {
  return (isHttp2(incoming) ? incoming.stream.session : incoming.socket) ?? incoming
}

/** A response that waits for its turn in a pipeline has no socket yet: Node closes it once it has had its turn, or never. */
function onceSocketGone(
  { socket }: IncomingMessage,
  outgoing: ServerResponse,
  listener: () => void,
): () => void {
  socket.setMaxListeners(0) // one per request of the pipeline, which is not a leak
  const forget = (): void => {
    socket.off('close', gone)
    outgoing.off('close', gone)
  }
  const gone = (): void => {
    forget()
    listener()
  }
  socket.on('close', gone)
  outgoing.on('close', gone)
  return forget
}

/**
 * Whether it is unclear where the next request begins, so that the response must be the last. Node's parser drops what
 * arrives together with an `Upgrade` that is ignored, since it could be another protocol already, and would read what
 * follows as a request, even from the middle of a body. HTTP/1.0 has no chunked coding: a request that uses it has invalid
 * framing (RFC 9112 section 6.1). Of a head with too many lines, Node has dropped some, perhaps these.
 */
export function isEndUnclear({ headers, httpVersionMinor, rawHeaders }: Incoming): boolean {
  if (rawHeaders.length > 2 * mostHeaderLines) return true
  if (headers.upgrade !== undefined && isUpgrade(headers)) return true
  return httpVersionMinor === 0 && fieldValue(rawHeaders, 'transfer-encoding') !== undefined
}

/** A WebSocket does not get here. Node has read `headers` already, and its parser takes `Proxy-Connection` for `Connection`. */
function isUpgrade(headers: Incoming['headers']): boolean {
  return /upgrade/i.test(`${headers.connection} ${String(headers['proxy-connection'])}`)
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

/**
 * The HTTP/1 connections whose last response has been sent or is being sent. One list for the whole process:
 * a server can have several listeners, and a connection that one of them has ended is over for all.
 */
export const lastAnswered: WeakSet<object> = new WeakSet()

/**
 * Sends 100 Continue when the body begins to be read, so never to a request that is refused by its head
 * (RFC 9110 section 10.1.1). A client that did not get it may send its body or not, so an HTTP/1.1
 * connection cannot be used for another request. Afterwards it can, and `sent` is called.
 */
export function continueWhenRead(incoming: Incoming, outgoing: Outgoing, sent?: () => void): void {
  const read = incoming.read.bind(incoming)
  const http1 = 'shouldKeepAlive' in outgoing ? outgoing : undefined
  const keepsAlive = http1?.shouldKeepAlive === true
  if (http1 !== undefined) http1.shouldKeepAlive = false
  // Every way of reading a stream ends up here, including `on('data')` and `for await`.
  incoming.read = (size) => {
    // Null: nothing reads it yet, and Node fills the buffer of the stream. Once the client has left, Node reads a stream of
    // HTTP/2 by itself, and writing would throw.
    if (incoming.readableFlowing !== null && !outgoing.headersSent && !isGone(incoming, outgoing)) {
      incoming.read = read
      outgoing.writeContinue()
      if (http1 !== undefined) http1.shouldKeepAlive = keepsAlive
      sent?.()
    }
    return read(size) as unknown
  }
}
