import type { ServerResponse } from 'node:http'
import { releaseBody } from './held-body.js'
import { isHttp2, onceGone } from './incoming.js'
import type { NodeExchange } from './node-host-options.js'

/**
 * Disconnects a client that does not read the ended response in time, or when unread responses exceed their budget. To be
 * called unless the system took all of it at once.
 */
export function boundSending(exchange: NodeExchange): void {
  const { incoming, outgoing, settings } = exchange
  onceGone(incoming, outgoing, holdUnread(exchange))
  const start = (): void => {
    // With HTTP/2 only the stream is cut: the connection serves others.
    const timer = setTimeout(() => cutResponse(exchange), settings.sendTimeout)
    timer.unref()
    outgoing.once('close', () => clearTimeout(timer))
  }
  if (isHttp2(incoming) || outgoing.socket !== null) return start()
  // In a pipeline the time counts from its turn, after the earlier responses. One of these may be a stream that stays open.
  ;(outgoing as ServerResponse).once('socket', start)
  releaseBody(incoming)
}

/** Counts what a client has not read of a response, until the returned function is called. */
export function holdUnread(exchange: NodeExchange): () => void {
  const { incoming, outgoing, settings } = exchange
  const { unread, clientOf } = settings
  const held = unread.add(
    // All clients without an address count as one.
    clientOf(incoming) ?? '',
    () => outgoing.writableLength,
    () => cutResponse(exchange),
  )
  return () => unread.release(held)
}

/** CANCEL of RFC 9113 section 7. */
export const cancel = 8

/**
 * Aborts a response. Without an error, a client of HTTP/2 would take the reset for the end of the body. One that its client has
 * reset with NO_ERROR is closed already, but Node keeps what was not sent of it. One that waits for its turn in a pipeline cannot be
 * cut without its connection.
 */
export function cutResponse({ incoming, outgoing }: NodeExchange): void {
  if (isHttp2(incoming) && incoming.stream.closed) incoming.stream.destroy()
  else if (isHttp2(incoming)) incoming.stream.close(cancel)
  else if (outgoing.socket === null) incoming.socket.destroy()
  else outgoing.destroy()
}
