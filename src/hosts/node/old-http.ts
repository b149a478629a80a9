import { fieldValue } from '../../http/message.js'
import { isHttp2, type Incoming, type Outgoing } from './exchange.js'

/**
 * Whether the request line names no version. Node takes it for HTTP/0.9 and answers; an invalid
 * request line should be a 400 (RFC 9112 section 3.2).
 */
export function hasNoVersion(incoming: Incoming): boolean {
  return incoming.httpVersionMajor === 0
}

/** HTTP/1.0 has no chunks: the framing of a request in them is faulty, and nothing may follow it (RFC 9112 section 6.1). */
export function closeBehindFaultyFraming(incoming: Incoming, outgoing: Outgoing): void {
  if (incoming.httpVersionMinor !== 0 || isHttp2(incoming) || !('shouldKeepAlive' in outgoing)) {
    return
  }
  if (fieldValue(incoming.rawHeaders, 'transfer-encoding') !== undefined) {
    outgoing.shouldKeepAlive = false
  }
}
