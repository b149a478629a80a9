import type { ServerResponse } from 'node:http'
import { isHttp2, type Incoming, type Outgoing } from './exchange.js'

/**
 * Cuts off a client that does not read its answer, which has just been ended. Costs nothing where the
 * system took all of it at once.
 */
export function boundSending(incoming: Incoming, outgoing: Outgoing, sendTimeout: number): void {
  if (outgoing.writableLength === 0) return
  if (isHttp2(incoming)) {
    // Not the connection, which serves other streams.
    return cutAfter(sendTimeout, outgoing, () => incoming.stream.close(cancel))
  }
  const cut = (): void => void outgoing.destroy()
  if (outgoing.socket !== null) return cutAfter(sendTimeout, outgoing, cut)
  // In a pipeline it is not the client's fault that earlier answers take their time.
  const turn = (): void => cutAfter(sendTimeout, outgoing, cut)
  ;(outgoing as ServerResponse).once('socket', turn)
}

/** The code of HTTP/2 for a stream that is no longer needed (RFC 9113 section 7). */
const cancel = 8

function cutAfter(sendTimeout: number, outgoing: Outgoing, cut: () => void): void {
  const timer = setTimeout(cut, sendTimeout)
  timer.unref()
  outgoing.once('close', () => clearTimeout(timer))
}
