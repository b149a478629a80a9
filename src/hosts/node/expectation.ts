import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Sends 100 Continue when somebody begins to read the body, and never to a request that is refused by
 * its head (RFC 9110 section 10.1.1). A client that was not told to go on may send its body or not:
 * nothing can follow it on this connection.
 */
export function continueWhenRead(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  saysClose: () => boolean,
): void {
  const { shouldKeepAlive } = outgoing
  const read = incoming.read.bind(incoming)
  outgoing.shouldKeepAlive = false
  // Whatever reads a stream comes here, `on('data')` and `for await` too.
  incoming.read = (size) => {
    // Null is a stream that nobody reads, which Node fills by itself as far as its buffer goes.
    if (incoming.readableFlowing !== null && !outgoing.headersSent) {
      incoming.read = read
      outgoing.writeContinue()
      outgoing.shouldKeepAlive = shouldKeepAlive && !saysClose()
    }
    return read(size) as unknown
  }
}
