import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { fieldLines, mostHeaderLines, type TextResponse } from '../../../http/message.js'
import { badRequest, hostError, methodNotAllowed } from '../../host-error.js'
import { reasonPhrases } from '../../reason-phrase.js'
import { isOpenStream } from '../streams/open-flows.js'
import type { Connection } from './connection.js'
import type { ConnectionSettings } from './connection-options.js'

/** How long a client has to read a refusal before its connection is closed. */
export const farewellMs = 500

/** Closes a connection once its client has had that time. */
export function closeSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), farewellMs)
  socket.once('close', () => clearTimeout(timer))
}

type ParserError = Error & { readonly code?: string }

/** The response to a request that Node could not parse. It does not repeat any of the input. */
export function refuseFault({ code }: ParserError, settings: ConnectionSettings): TextResponse {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headTooLarge(settings)
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return hostError(
        413,
        'CHUNK_EXTENSIONS_TOO_LARGE',
        'The chunk extensions exceed 16384 bytes.',
      )
    case timedOut:
      return tooSlow(settings)
    case 'HPE_INVALID_EOF_STATE':
      return badRequest('The connection was closed before the request was complete.')
    default:
      return badRequest('Malformed HTTP/1.1 request.')
  }
}

export function headTooLarge({ maxHeaderBytes }: ConnectionSettings): TextResponse {
  return hostError(
    431,
    'HEAD_TOO_LARGE',
    `The request line and headers exceed ${maxHeaderBytes} bytes or ${mostHeaderLines} lines.`,
  )
}

export function tooSlow({ headersTimeout, requestTimeout }: ConnectionSettings): TextResponse {
  return hostError(
    408,
    'REQUEST_TIMEOUT',
    `The request took too long: the limit is ${headersTimeout} ms for the headers and ${requestTimeout} ms in total.`,
  )
}

export const refuseTunnel: TextResponse = methodNotAllowed('CONNECT is not supported.', '')

const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * Responds to a parse error and closes the connection: once, however many errors the parser reports, and after the
 * responses to the requests before it in the pipeline.
 */
export function sendRefusal(
  connection: Connection,
  response: TextResponse,
  fault?: ParserError,
): void {
  if (!connection.fail()) return
  const { socket, arriving } = connection
  // The parser would treat later bytes as the rest of the request, which would then run.
  if (fault?.code === timedOut) {
    // What has arrived of it would be kept for as long as a stream before it is open.
    const isBehindStream = connection.inFlight.some((one) => one !== arriving && isOpenStream(one))
    if (isBehindStream) return connection.destroy()
    connection.stopReading()
  }
  const proceed = (): void => {
    const [first] = connection.inFlight
    if (connection.fault === 'refused' || (first !== undefined && first !== arriving)) return
    connection.fault = 'refused'
    // A request that already has its response gets no second one.
    if (arriving?.headersSent !== true && socket.writable) {
      socket.end(toBytes(response))
      if (arriving !== undefined) abandon(arriving, socket)
    }
    closeSoon(socket)
  }
  for (const outgoing of connection.inFlight) outgoing.once('close', proceed)
  proceed()
}

/** An upload runs while it arrives, and must not go on until the client has read the refusal. */
function abandon(arriving: ServerResponse, socket: Socket): void {
  arriving.detachSocket(socket)
  arriving.destroy()
  // Node does this where a socket closes.
  arriving.emit('close')
}

/** A whole response as it is on the wire, for where there is no response object of Node. */
export function toBytes({ status, headers, body }: TextResponse): string {
  const lines = [...fieldLines(headers)].map(([name, value]) => `${name}: ${value}`)
  return [
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? STATUS_CODES[status] ?? ''}`,
    ...lines,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
    '',
    body,
  ].join('\r\n')
}
