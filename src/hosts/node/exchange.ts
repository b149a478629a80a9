import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/** A request of node:http, node:https or node:http2. */
export type Incoming = IncomingMessage | Http2ServerRequest

/** A response of node:http, node:https or node:http2. */
export type Outgoing = ServerResponse | Http2ServerResponse

/** Whether the request came by HTTP/2; a line of HTTP/1 can name that version, too. */
export function isHttp2(incoming: Incoming): incoming is Http2ServerRequest {
  return incoming.httpVersionMajor >= 2 && 'stream' in incoming
}

/** Whether nobody is there any more to read an answer. */
export function isGone(incoming: Incoming, outgoing: Outgoing): boolean {
  if (isHttp2(incoming)) return incoming.stream.destroyed || incoming.stream.closed
  // While earlier answers of a pipeline are under way, only the socket knows; some adapters have none.
  return (outgoing as ServerResponse).destroyed || incoming.socket?.destroyed
}

/** Calls the listener once when the connection or stream closes, or at once when it has. */
export function onceGone(incoming: Incoming, outgoing: Outgoing, listener: () => void): void {
  if (isGone(incoming, outgoing)) listener()
  else if (isHttp2(incoming) || outgoing.socket !== null) outgoing.once('close', listener)
  else onceSocketGone(incoming, outgoing as ServerResponse, listener)
}

/** A response that waits for its turn in a pipeline has no socket yet, and Node never closes it. */
function onceSocketGone(
  { socket }: IncomingMessage,
  outgoing: ServerResponse,
  listener: () => void,
): void {
  socket.setMaxListeners(0) // one for each request of the pipeline is no leak
  socket.once('close', listener)
  outgoing.once('close', () => socket.off('close', listener))
}
