import type { ServerResponse } from 'node:http'
import { isHttp2, type Incoming, type Outgoing } from './incoming.js'

/**
 * Disconnects a client that does not read the response that was just ended. Costs nothing if the system took
 * all of it at once.
 */
export function boundSending(incoming: Incoming, outgoing: Outgoing, sendTimeout: number): void {
  if (outgoing.writableLength === 0) return
  if (isHttp2(incoming)) {
    // Only the stream: the connection serves others.
    return cutAfter(sendTimeout, outgoing, () => incoming.stream.close(cancel))
  }
  const cut = (): void => void outgoing.destroy()
  if (outgoing.socket !== null) return cutAfter(sendTimeout, outgoing, cut)
  // In a pipeline the time counts from its turn, after the earlier responses.
  const turn = (): void => cutAfter(sendTimeout, outgoing, cut)
  ;(outgoing as ServerResponse).once('socket', turn)
}

/** CANCEL of RFC 9113 section 7. */
export const cancel = 8

function cutAfter(sendTimeout: number, outgoing: Outgoing, cut: () => void): void {
  const timer = setTimeout(cut, sendTimeout)
  timer.unref()
  outgoing.once('close', () => clearTimeout(timer))
}
