import { fieldValue, type HttpResponse } from '../../http/message.js'
import { badRequest, hostError } from '../host-error.js'
import { isHttp2, type Incoming, type Outgoing } from './exchange.js'

/**
 * The answer to a request line without a version, which Node takes for HTTP/0.9 (RFC 9112 section 3.2
 * wants a 400), or with that of a protocol that the connection does not speak.
 */
export function refuseVersion(incoming: Incoming): HttpResponse | undefined {
  if (isHttp2(incoming) || incoming.httpVersionMajor === 1) return undefined
  return incoming.httpVersionMajor === 0 ? noVersion : otherVersion
}

const noVersion = badRequest('The request line names no version of HTTP.')
const otherVersion = hostError(505, 'This connection speaks HTTP/1.1.', {
  code: 'HTTP_VERSION_NOT_SUPPORTED',
})

/** HTTP/1.0 has no chunks: the framing of a request in them is faulty, and nothing may follow it (RFC 9112 section 6.1). */
export function closeBehindFaultyFraming(incoming: Incoming, outgoing: Outgoing): void {
  if (incoming.httpVersionMinor !== 0 || isHttp2(incoming) || !('shouldKeepAlive' in outgoing)) {
    return
  }
  if (fieldValue(incoming.rawHeaders, 'transfer-encoding') !== undefined) {
    outgoing.shouldKeepAlive = false
  }
}
