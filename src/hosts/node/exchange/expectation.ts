import { isGone, type Incoming, type Outgoing } from './incoming.js'

/**
 * Sends 100 Continue when the body begins to be read, so never to a request that is refused by its head
 * (RFC 9110 section 10.1.1). A client that did not get it may send its body or not, so an HTTP/1.1
 * connection cannot be used for another request.
 */
export function continueWhenRead(
  incoming: Incoming,
  outgoing: Outgoing,
  saysClose: () => boolean,
): void {
  const read = incoming.read.bind(incoming)
  const http1 = 'shouldKeepAlive' in outgoing ? outgoing : undefined
  const keepsAlive = http1?.shouldKeepAlive === true
  if (http1 !== undefined) http1.shouldKeepAlive = false
  // Every way of reading a stream ends up here, including `on('data')` and `for await`.
  incoming.read = (size) => {
    // Null: there is no reader, and Node fills the buffer of the stream. Once its client has left, a stream of HTTP/2 is
    // read by Node, and writing would throw.
    if (incoming.readableFlowing !== null && !outgoing.headersSent && !isGone(incoming, outgoing)) {
      incoming.read = read
      outgoing.writeContinue()
      if (http1 !== undefined) http1.shouldKeepAlive = keepsAlive && !saysClose()
    }
    return read(size) as unknown
  }
}
