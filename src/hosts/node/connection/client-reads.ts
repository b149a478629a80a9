import type { Socket } from 'node:net'
import { createClientReader } from '../../../http/client-address.js'
import type { ConnectionSettings } from './connection-options.js'
import { isStopped, readAgain, stopReading, type Connection } from './connection.js'
import type { Http2Session } from './http2-session.js'

/** How much a client may send in a turn of the event loop, as requests of a pipeline; the read that exceeds it is parsed to its end. */
const mostInTurn = 1000

/** What Node does for a request of HTTP/2, as requests of a pipeline. */
const weightOfHttp2 = 5

/** A client may have thousands of connections, and may hold few again after each read. */
const readAgainInTurn = 50

/**
 * Node parses 64 KB of each connection before anything else runs: 3,000 requests. So once a client has sent many in a turn,
 * its other connections are read in later turns.
 */
export class ClientReads {
  readonly #open: ReadonlyMap<Socket, Connection>
  readonly #sessions: ReadonlyMap<object, Http2Session>
  readonly #settings: ConnectionSettings
  readonly #clientOf = createClientReader(0)
  readonly #inTurn = new Map<string, number>()
  readonly #held: (() => void)[] = []
  #isScheduled = false

  constructor(
    open: ReadonlyMap<Socket, Connection>,
    sessions: ReadonlyMap<object, Http2Session>,
    settings: ConnectionSettings,
  ) {
    this.#open = open
    this.#sessions = sessions
    this.#settings = settings
  }

  /** A request has arrived behind another of its connection. */
  notePipelined(connection: Connection): void {
    this.#note(connection, 1)
  }

  noteHttp2(session: Http2Session): void {
    this.#note(session, weightOfHttp2)
  }

  #note(from: Connection | Http2Session, weight: number): void {
    const client = this.#addressOf(from)
    // The connections of a proxy are not those of one client.
    if (client === undefined || this.#settings.trustedProxies > 0) return
    const before = this.#inTurn.get(client) ?? 0
    this.#inTurn.set(client, before + weight)
    if (before < mostInTurn && before + weight >= mostInTurn) this.#hold(client)
    if (!this.#isScheduled) this.#schedule()
  }

  #addressOf({ socket }: Connection | Http2Session): string | undefined {
    return this.#clientOf({ raw: { socket }, headers: [] })
  }

  #hold(client: string): void {
    for (const connection of this.#open.values()) {
      if (!this.#isReadByHttp(connection) || this.#addressOf(connection) !== client) continue
      const { socket } = connection
      stopReading(socket)
      this.#held.push(() => {
        if (!connection.isStopped) readAgain(socket)
      })
    }
    for (const session of this.#sessions.values()) {
      if (this.#addressOf(session) !== client || !session.hold()) continue
      this.#held.push(() => session.readAgain())
    }
  }

  #schedule(): void {
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#inTurn.clear()
      for (const release of this.#held.splice(0, readAgainInTurn)) release()
      if (this.#held.length > 0) this.#schedule()
    })
  }

  /** Others may have paused a socket, for a body that is not read; and one without a parser belongs to a WebSocket, or to TLS. */
  #isReadByHttp({ socket }: Connection): boolean {
    const { parser } = socket as ParsedSocket
    return parser != null && socket.readableFlowing === true && !isStopped(socket)
  }
}

/** Node sets the parser, and forgets it with an upgrade. */
type ParsedSocket = Socket & { readonly parser?: object | null }
