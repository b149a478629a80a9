import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createClientReader } from '../../../http/client-address.js'
import type { ConnectionSettings } from './connection-options.js'
import { bytesPerLine, requestLines, waitForTurn, weightOfHead } from '../exchange/request-turns.js'
import { isOpenStream } from '../streams/open-flows.js'
import { isStopped, readAgain, stopReading, type Connection } from './connection.js'

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
      if (!requestLines.has(socket) && !connection.isStopped) readAgain(socket)
    },
    isGone: () => socket.destroyed,
    isHeld: (proceed: () => void) => waitForRoom(connection, outgoing, proceed),
    // Node keeps a request and its response until the connection ends: of one read of 64 KB, it makes 2,400, which take 4 MB.
    weight: Math.max(32, weightOfHead(outgoing.req.rawHeaders) + weightOfBody(outgoing.req)),
    refuse: () => void socket.destroy(),
  }
  waitForTurn(socket, waiting, client)
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
  const { inFlight, late, socket } = connection
  const started = inFlight.slice(0, inFlight.indexOf(outgoing))
  if (late === undefined && hasRoom(started) && !started.some(isOpenStream)) return false
  if (isReadOn(connection) && !connection.isStopped) readAgain(socket)
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

/** How many requests behind others a client may send in a turn of the event loop; the read that exceeds it is parsed to its end. */
const mostInTurn = 1000

/** A client may have thousands of connections, and may hold few again after each read. */
const readAgainInTurn = 50

/**
 * Node parses 64 KB of each connection before anything else runs: 3,000 requests. So once a client has sent many in a turn,
 * its other connections are read in later turns.
 */
export class PipelineReads {
  readonly #open: ReadonlyMap<Socket, Connection>
  readonly #settings: ConnectionSettings
  readonly #clientOf = createClientReader(0)
  readonly #inTurn = new Map<string, number>()
  readonly #held: Connection[] = []
  #isScheduled = false

  constructor(open: ReadonlyMap<Socket, Connection>, settings: ConnectionSettings) {
    this.#open = open
    this.#settings = settings
  }

  /** Notes that a request has arrived behind another. */
  note({ socket }: Connection): void {
    const client = this.#clientOf({ raw: { socket }, headers: [] })
    // The connections of a proxy are not those of one client.
    if (client === undefined || this.#settings.trustedProxies > 0) return
    const count = (this.#inTurn.get(client) ?? 0) + 1
    this.#inTurn.set(client, count)
    if (count === mostInTurn) this.#hold(client)
    if (!this.#isScheduled) this.#schedule()
  }

  #hold(client: string): void {
    for (const connection of this.#open.values()) {
      const { socket } = connection
      if (!this.#isReadByHttp(connection)) continue
      if (this.#clientOf({ raw: { socket }, headers: [] }) !== client) continue
      stopReading(socket)
      this.#held.push(connection)
    }
  }

  #schedule(): void {
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#inTurn.clear()
      for (const { socket, isStopped: isOver } of this.#held.splice(0, readAgainInTurn)) {
        if (!isOver) readAgain(socket)
      }
      if (this.#held.length > 0) this.#schedule()
    })
  }

  /** With TLS, the decrypted side is read. Node pauses a socket for a body that is not read, and resumes it itself. */
  #isReadByHttp({ socket, isUpgraded }: Connection): boolean {
    const hasHttp = this.#settings.tls === undefined || 'encrypted' in socket
    return hasHttp && !isUpgraded && !isStopped(socket) && !socket.isPaused()
  }
}
