import type { ServerResponse } from 'node:http'
import { waitForTurn, waitsInLine } from '../exchange/request-turns.js'
import type { Connection } from './connection.js'
import { readAgain, stopReading } from './reading.js'

/** How many requests of a pipeline may have started without their responses having been sent; as many as in HTTP/2. */
const maxUnsent = 100

/** How many bytes of theirs may be unsent, before another starts. */
const maxUnsentBytes = 1024 * 1024

/** Node keeps a request and its response until the connection ends: of one read of 64 KB, it makes 2,400, which take 4 MB. */
const weight = 32

/**
 * Starts a request that arrived while an earlier one of its connection had no response yet. From one read, Node parses
 * thousands of small requests in the same turn, and it may read 32 times in a turn. So these wait in line, a few start in
 * each turn, and the socket is read again only when all have started and few responses are unsent.
 */
export function startInPipeline(
  connection: Connection,
  outgoing: ServerResponse,
  start: () => void,
): void {
  const { socket } = connection
  if (!waitsInLine(socket)) stopReading(socket)
  waitForTurn(socket, {
    run() {
      start()
      if (!waitsInLine(socket) && !connection.isStopped) readAgain(socket)
    },
    isGone: () => socket.destroyed,
    isHeld: (proceed) => waitForRoom(connection, outgoing, proceed),
    weight,
    refuse: () => socket.destroy(),
  })
}

/** Whether a request may not start before an earlier response has been sent. Then it proceeds. */
function waitForRoom(
  { inFlight }: Connection,
  outgoing: ServerResponse,
  proceed: () => void,
): boolean {
  const started = inFlight.slice(0, inFlight.indexOf(outgoing))
  const unsent = started.reduce((sum, { writableLength }) => sum + writableLength, 0)
  if (started.length < maxUnsent && unsent < maxUnsentBytes) return false
  started[0]?.once('close', proceed)
  return true
}
