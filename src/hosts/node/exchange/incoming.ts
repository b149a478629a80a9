import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'

/** A request of node:http, node:https or node:http2. */
export type Incoming = IncomingMessage | Http2ServerRequest

/** A response of node:http, node:https or node:http2. */
export type Outgoing = ServerResponse | Http2ServerResponse

/** Whether the request came over HTTP/2; the version alone does not tell, as an HTTP/1 request line can name it. */
export function isHttp2(incoming: Incoming): incoming is Http2ServerRequest {
  return incoming.httpVersionMajor >= 2 && 'stream' in incoming
}

/** Whether the client has disconnected. */
export function isGone(incoming: Incoming, outgoing: Outgoing): boolean {
  if (isHttp2(incoming)) return incoming.stream.destroyed || incoming.stream.closed
  // While earlier responses of a pipeline are being sent, only the socket tells; some adapters have none.
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
  if (isHttp2(incoming)) {
    // Node does not close the response to a HEAD.
    const { stream } = incoming
    stream.once('close', listener)
    return () => void stream.off('close', listener)
  }
  if (outgoing.socket !== null) {
    outgoing.once('close', listener)
    return () => void outgoing.off('close', listener)
  }
  return onceSocketGone(incoming, outgoing as ServerResponse, listener)
}

/**
 * Calls a listener when the client of a stream has left, also if it only sent FIN: closing a socket and half-closing it look
 * alike, and a source must not wait for a write to fail. Returns the function that stops watching.
 */
export function onceLeft(incoming: Incoming, outgoing: Outgoing, listener: () => void): () => void {
  const socket = isHttp2(incoming) ? undefined : (incoming.socket as Socket | undefined)
  const halfClosed = (): void => {
    listener()
    outgoing.destroy()
  }
  onceGone(incoming, outgoing, listener)
  if (socket?.readableEnded === true) halfClosed()
  else socket?.once('end', halfClosed)
  return () => void socket?.off('end', halfClosed)
}

/** What carries the request: the socket of HTTP/1, or the session of HTTP/2. */
export function connectionOf(incoming: Incoming): object {
  return (isHttp2(incoming) ? incoming.stream.session : incoming.socket) ?? incoming
}

/** A response that waits for its turn in a pipeline has no socket yet, and Node never closes it. */
function onceSocketGone(
  { socket }: IncomingMessage,
  outgoing: ServerResponse,
  listener: () => void,
): () => void {
  socket.setMaxListeners(0) // one per request of the pipeline, which is not a leak
  const forget = (): void => {
    socket.off('close', listener)
    outgoing.off('close', forget)
  }
  socket.once('close', listener)
  outgoing.once('close', forget)
  return forget
}
