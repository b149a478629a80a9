import type { ServerResponse } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { isHttp2 } from './incoming.js'
import type { NodeExchange } from './node-host-options.js'
import { boundSending, cutResponse, holdUnread } from './send-timeout.js'

/**
 * Sends the whole response, then reads and drops what the client is still sending, and only then closes:
 * closing with unread bytes resets the connection, and the client would lose the response.
 */
export function linger(content: string | Uint8Array, exchange: NodeExchange): void {
  const outgoing = exchange.outgoing as ServerResponse
  if (content === '') outgoing.flushHeaders()
  else outgoing.write(content)
  const release = outgoing.writableLength > 0 ? holdUnread(exchange) : undefined
  readOn(exchange, () => {
    release?.()
    outgoing.end()
    if (outgoing.writableLength > 0) boundSending(exchange)
  })
}

/**
 * Lingers for a framework that writes the response, which `deliver` hands over. If Node would then close
 * the connection, the rest is read first; if not, the connection is closed only if the client goes on
 * beyond the limits, and not before the response is out.
 */
export function lingerBehind(exchange: NodeExchange, deliver: () => void): void {
  const { incoming } = exchange
  const outgoing = exchange.outgoing as ServerResponse
  if (!outgoing.shouldKeepAlive) return readOn(exchange, deliver)
  deliver()
  readOn(exchange, () => {
    // For a request that has ended, this destroys only the object.
    if (outgoing.writableFinished) incoming.destroy()
    else outgoing.once('finish', () => incoming.destroy())
  })
}

/**
 * Lingers while a stream is open, which does not wait for the body: a socket that is not read would not show that its client
 * has left. The connection is cut if the client goes on beyond the limits.
 */
export function lingerWhileOpen(exchange: NodeExchange): void {
  const { incoming } = exchange
  if (isHttp2(incoming) && incoming.stream.endAfterHeaders) return
  if (incoming.complete) return
  readOn(exchange, () => {
    if (!incoming.complete) cutResponse(exchange)
  })
}

/** What a chunk counts at least, in bytes: small ones cost more to receive than what they hold. */
const leastCost = 1024

/** Reads and drops up to the limits; `done` runs once, also if the client disconnects. */
function readOn({ incoming, settings }: NodeExchange, done: () => void): void {
  const { lingerBytes, lingerTimeout } = settings
  if (incoming.destroyed) return done()
  let dropped = 0
  const finish = (): void => {
    clearTimeout(timer)
    incoming.off('data', drop)
    incoming.off('end', finish)
    incoming.off('close', finish)
    done()
  }
  const drop = (chunk: Uint8Array): void => {
    dropped += Math.max(chunk.length, leastCost)
    if (dropped > lingerBytes) finish()
  }
  const timer = setTimeout(finish, lingerTimeout)
  incoming.on('data', drop)
  incoming.on('end', finish)
  incoming.on('close', finish)
  incoming.resume()
}

/**
 * HTTP/2 has a signal for this: the end of the response, then RST_STREAM with NO_ERROR (RFC 9113 section
 * 8.1). Node sends it for a body whose reading has not begun. The unread part of any other would hold the
 * flow-control window of the whole connection; one of which nothing has arrived, the stream.
 */
export function closeUnread(incoming: Http2ServerRequest): void {
  const { stream, complete, readableDidRead, readableFlowing } = incoming
  if (complete || (!readableDidRead && readableFlowing === null)) return
  stream.once('wantTrailers', () => {
    // The frame that ends the response leaves after this event; closing any sooner would swallow it.
    setImmediate(() => {
      stream.close()
      incoming.resume() // Node 20 does not release a stream that still has data
    })
  })
}
