import { isHostValue } from '../../../http/host.js'
import { memo } from '../../../http/memo.js'
import { fieldValue, type HttpResponse } from '../../../http/message.js'
import { badRequest, hostError } from '../../host-error.js'
import { isHttp2, type Incoming, type Outgoing } from './incoming.js'

/** Creates the check of a head by the rules of HTTP/1.1, for all paths. */
export function createHttp1HeadCheck(): (incoming: Incoming) => HttpResponse | undefined {
  // Clients name the same few hosts again and again.
  const refusalOfHost = memo((host) => {
    if (host === undefined) return noHost
    return isHostValue(host) ? undefined : invalidHost
  })
  return (incoming) => {
    const refused = refuseVersion(incoming)
    if (refused !== undefined) return refused
    // RFC 9112 section 3.2. Two lines are joined by a comma, which no valid value has; Node's `headers`
    // drop the second.
    const host = fieldValue(incoming.rawHeaders, 'host')
    // HTTP/1.0 may leave it out.
    if (host === undefined && incoming.httpVersionMinor === 0) return undefined
    return refusalOfHost(host)
  }
}

/**
 * The refusal of a request line without a version, which Node treats as HTTP/0.9 (RFC 9112 section 3.2
 * requires a 400), or with the version of a protocol that the connection does not use.
 */
export function refuseVersion(incoming: Incoming): HttpResponse | undefined {
  if (isHttp2(incoming) || incoming.httpVersionMajor === 1) return undefined
  return incoming.httpVersionMajor === 0 ? noVersion : otherVersion
}

const noVersion = badRequest('The request line has no HTTP version.')
const otherVersion = hostError(505, 'This connection uses HTTP/1.1.', {
  code: 'HTTP_VERSION_NOT_SUPPORTED',
})
const noHost = badRequest('HTTP/1.1 requests need a Host header.')
const invalidHost = hostError(400, 'The request needs exactly one Host header with a valid host.', {
  code: 'INVALID_HOST',
})

/** HTTP/1.0 has no chunked coding: a request that uses it has invalid framing, and nothing may follow it (RFC 9112 section 6.1). */
export function closeBehindFaultyFraming(incoming: Incoming, outgoing: Outgoing): void {
  if (incoming.httpVersionMinor !== 0 || isHttp2(incoming) || !('shouldKeepAlive' in outgoing)) {
    return
  }
  if (fieldValue(incoming.rawHeaders, 'transfer-encoding') !== undefined) {
    outgoing.shouldKeepAlive = false
  }
}
