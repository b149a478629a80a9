import { STATUS_CODES } from 'node:http'
import { fieldLines, type HttpResponse } from '../../http/message.js'
import { badRequest, hostError } from '../host-error.js'
import type { Connection } from './connection.js'
import type { ConnectionSettings } from './connection-options.js'

/** How long a client has to read why it was refused. */
const farewellMs = 500

/** What the parser of Node says, when it says why. */
type ParserError = Error & { readonly code?: string }

/** Whether the connection itself broke: nobody is there to read an answer. */
export function isBroken({ code }: ParserError): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** The answer to what Node could not read as a request. It repeats nothing of it. */
export function refuseFault({ code }: ParserError, settings: ConnectionSettings): HttpResponse {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return hostError(
        431,
        `The head of the request is longer than ${settings.maxHeaderBytes} bytes.`,
        { code: 'HEAD_TOO_LARGE' },
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return hostError(413, 'The extensions of the chunks are longer than 16384 bytes.', {
        code: 'CHUNK_EXTENSIONS_TOO_LARGE',
      })
    case timedOut:
      return hostError(
        408,
        `The head of a request may take ${settings.headersTimeout} ms, and the whole of it ` +
          `${settings.requestTimeout} ms.`,
        { code: 'REQUEST_TIMEOUT' },
      )
    case 'HPE_INVALID_EOF_STATE':
      return badRequest('The connection ended in the middle of a request.')
    default:
      return badRequest('This is no request of HTTP/1.1, or its framing is broken.')
  }
}

/** The answer to CONNECT: nothing here is a way to somewhere else. */
export const refuseTunnel: HttpResponse = hostError(
  405,
  'This server is no proxy.',
  { code: 'METHOD_NOT_ALLOWED' },
  ['Allow', ''], // RFC 9110 section 10.2.1: of this target no method is allowed
)

const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * Answers a fault and closes: after the answers to what came before it, in the order of the
 * pipeline, and once, however often the parser complains.
 */
export function answerFault(
  connection: Connection,
  response: HttpResponse,
  fault?: ParserError,
): void {
  if (connection.isFaulty) return
  const { socket, arriving } = connection
  // The parser would take what still comes for the rest of the request, and it would run.
  if (fault?.code === timedOut) stopReading(connection)
  let isOver = false
  const proceed = (): void => {
    const [first] = connection.inFlight
    if (isOver || (first !== undefined && first !== arriving)) return
    isOver = true
    // Where the faulty request has been answered already, this would be the answer to none.
    if (arriving?.headersSent !== true && socket.writable) socket.end(toBytes(response))
    const timer = setTimeout(() => socket.destroy(), farewellMs)
    socket.once('close', () => clearTimeout(timer))
  }
  connection.isFaulty = true
  for (const answer of connection.inFlight) answer.once('close', proceed)
  proceed()
}

function stopReading({ socket }: Connection): void {
  socket.pause()
  socket.resume = () => socket
}

function toBytes({ status, headers, body }: HttpResponse): string {
  const lines = [...fieldLines(headers)].map(([name, value]) => `${name}: ${value}`)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
    '',
    body,
  ].join('\r\n')
}
