import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { bytesPerLine, requestLines, waitForTurn, weightOfHead } from '../exchange/request-turns.js'
import { isOpenStream } from '../streams/open-flows.js'
import { isStopped, stopReading, type Connection } from './connection.js'

/** How many requests of a pipeline may have started without their responses having been sent; as many as in HTTP/2. */
const maxUnsent = 100

/** How many bytes of these responses may be unsent before another request starts; what their heads take counts, too. */
const maxUnsentBytes = 1024 * 1024
const bytesPerWeight = 36

/**
 * Starts a request that arrived while an earlier one of its connection had no response yet. From one read, Node parses
 * thousands of small requests in the same turn, and it may read 32 times in a turn. So these wait in line, a few start in
 * each turn, and the socket is read again only when all have started and few responses are unsent. None starts behind a
 * stream, which may stay open for hours.
 */
export function startInPipeline(
  connection: Connection,
  client: string | undefined,
  outgoing: ServerResponse,
  start: () => void,
): void {
  const { socket } = connection
  if (socket.destroyed) return
  // In one read thousands may follow the first, for which this is decided.
  if (!isStopped(socket) && !isReadOn(connection)) stopReading(socket)
  const waiting = {
    run() {
      start()
      if (!requestLines.has(socket)) connection.readAgain()
    },
    isGone: () => socket.destroyed,
    isHeld: (proceed: () => void) => waitForRoom(connection, outgoing, proceed),
    // Node keeps a request and its response until the connection ends: of one read of 64 KB, it makes 2,400, which take 4 MB.
    weight: Math.max(32, weightOfHead(outgoing.req.rawHeaders) + weightOfBody(outgoing.req)),
    refuse: () => void socket.destroy(),
  }
  waitForTurn(socket, waiting, client)
}

/**
 * While responses of a pipeline are unsent, Node pauses the socket, and its parser, which then rejects what TLS has decrypted
 * already. Parsers are used again by other connections, which need no pause either: a paused socket passes on nothing else.
 */
export function keepParsing({ parser }: Socket & { readonly parser?: object }): void {
  Object.assign(parser ?? {}, { pause: () => undefined })
}

/** What Node reads at once may have as much of a body. */
const maxRead = 65_536

function weightOfBody({ headers }: IncomingMessage): number {
  const length = headers['transfer-encoding'] === undefined ? headers['content-length'] : maxRead
  return Math.min(Number(length ?? 0), maxRead) / bytesPerLine
}

/** Whether a request has to wait until an earlier response has been sent; `proceed` is called then. */
function waitForRoom(
  connection: Connection,
  outgoing: ServerResponse,
  proceed: () => void,
): boolean {
  const { inFlight, late } = connection
  const started = inFlight.slice(0, inFlight.indexOf(outgoing))
  if (late === undefined && hasRoom(started) && !started.some(isOpenStream)) return false
  if (isReadOn(connection)) connection.readAgain()
  started[0]?.once('close', proceed)
  return true
}

/** While few requests wait behind a stream, the socket is read, so that the server notices when the client leaves. */
function isReadOn({ inFlight }: Connection): boolean {
  return inFlight.some(isOpenStream) && hasRoom(inFlight)
}

function hasRoom(responses: readonly ServerResponse[]): boolean {
  if (responses.length >= maxUnsent) return false
  const unsent = responses.reduce(
    (sum, { writableLength, req }) =>
      sum + writableLength + bytesPerWeight * weightOfHead(req.rawHeaders),
    0,
  )
  return unsent < maxUnsentBytes
}
