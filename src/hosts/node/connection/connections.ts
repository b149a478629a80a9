import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { longTurns } from '../../../base/long-turns.js'
import { Shares } from '../../../base/shares.js'
import { isReset } from '../../../http/client-address.js'
import { ClientReads, weightOfLook, weightOfRequest } from './client-reads.js'
import { Connection } from './connection.js'
import { startInPipeline } from './pipeline.js'
import type { ConnectionSettings } from './connection-options.js'
import type { Http2Session } from './http2-session.js'
import { isEndUnclear } from '../exchange/incoming.js'
import { isLate, waitForTurn } from '../exchange/request-turns.js'
import { isProbe, type Respond } from './serve-request.js'
import { flowsOf, isStream, type OpenFlow } from '../streams/open-flows.js'

/**
 * How a server treats its connections. Once it does not serve any more, readiness is 503, and responses are counted. While it
 * is closing, they have `Connection: close`. At the cut, new connections are closed at once.
 */
export type Phase = 'serving' | 'calm' | 'closing' | 'cut'

export class Connections {
  readonly settings: ConnectionSettings
  phase: Phase = 'serving'
  size = 0
  /** How many requests were answered since draining began. */
  finished = 0
  /** How many connections exceeded `maxSockets`. */
  refused = 0
  /** Called when the last connection has closed. */
  onEmpty: (() => void) | undefined
  readonly #open = new Map<Socket, Connection>()
  readonly #sessions = new Map<object, Http2Session>()
  readonly #shares: Shares
  readonly reads: ClientReads

  constructor(settings: ConnectionSettings) {
    this.settings = settings
    const { maxSockets, trustedProxies, clientShare } = settings
    this.reads = new ClientReads(trustedProxies)
    this.#shares = new Shares(maxSockets, clientShare)
  }

  /** The connection of a socket; undefined if it was refused or has closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  /** Registers a new connection, or closes it if it exceeds `maxSockets`. */
  take(socket: Socket): void {
    // Node removes its own listener in some cases, such as CONNECT; an error would then end the process.
    socket.on('error', ignore)
    if (isReset({ raw: { socket } })) return void socket.destroy()
    const client = this.reads.clientOf({ socket })
    if (this.phase === 'cut' || !this.#hasRoomFor(client)) {
      this.refused += 1
      socket.destroy()
      return
    }
    this.size += 1
    this.#shares.add(client)
    const forget = this.#register(socket)
    // One listener for all: Node makes room for 19 when an event gets a third one.
    socket.on('close', () => {
      this.#shares.remove(client)
      forget()
      this.size -= 1
      if (this.size === 0) this.onEmpty?.()
    })
  }

  /** The last tenth of many is for clients that hold less than their share. */
  #hasRoomFor(client: string | undefined): boolean {
    const left = this.settings.maxSockets - this.size
    const reserved = Math.floor(this.settings.maxSockets / 100) * 10
    return left > reserved || (left > 0 && this.#shares.hasRoomFor(client))
  }

  /** Returns what forgets it. */
  #register(socket: Socket): () => void {
    const connection = new Connection(socket)
    this.#open.set(socket, connection)
    this.reads.add(connection)
    return () => {
      connection.release()
      this.#open.delete(socket)
      this.reads.remove(connection)
    }
  }

  /** Registers the decrypted side of a connection that is already counted. */
  takeDecrypted(socket: Socket): void {
    socket.on('error', ignore)
    socket.on('close', this.#register(socket))
  }

  /** Registers the session on a connection of HTTP/2 that is already counted. */
  takeSession(session: Http2Session): void {
    this.#sessions.set(session.carrier, session)
    this.reads.add(session)
    session.socket.once('close', () => {
      this.#sessions.delete(session.carrier)
      this.reads.remove(session)
    })
  }

  /** The session of a request of HTTP/2; undefined if it has closed. */
  sessionOf(carrier: object): Http2Session | undefined {
    return this.#sessions.get(carrier)
  }

  /** Registers each request and responds to it, now or in its turn, unless its connection serves no further ones. */
  admit(respond: Respond): RequestListener {
    const { maxRequestsPerSocket, clientOf } = this.settings
    return (incoming, outgoing) => {
      const connection = this.#open.get(incoming.socket)
      if (connection === undefined) return respond(incoming, outgoing) // only in tests
      if (!connection.isServing || connection.requests >= maxRequestsPerSocket) {
        return connection.dropInput()
      }
      const mustWait = connection.begin(outgoing)
      if (this.phase !== 'serving') this.#countAnswer(outgoing)
      if (this.phase === 'closing' || connection.requests >= maxRequestsPerSocket)
        connection.closeBehindNewest()
      if (isEndUnclear(incoming)) connection.endBehindNewest()
      const { headers, rawHeaders, socket } = incoming
      const weight = weightOfRequest + rawHeaders.length
      connection.weight += weight
      this.reads.weight += weight
      if (this.reads.weight > weightOfLook) this.reads.look(connection)
      // Here the client decides how small the pieces of a body are: in chunks, and in records of TLS.
      if ('transfer-encoding' in headers || ('content-length' in headers && 'encrypted' in socket))
        this.reads.notePieces(incoming, connection, 1)
      const start = (): void => respond(incoming, outgoing)
      if (mustWait) return startInPipeline(connection, clientOf(incoming), outgoing, start)
      // Health checks do not wait for other connections.
      const isNow = !longTurns.isBegun || !isLate(incoming) || isProbe(incoming, this.settings)
      if (isNow) return respond(incoming, outgoing)
      connection.late = outgoing
      waitForTurn(clientOf(incoming) ?? connection, {
        run() {
          connection.late = undefined
          start()
        },
        isGone: () => connection.socket.destroyed,
      })
    }
  }

  /** Enters a phase, for requests in flight as well. */
  enter(phase: Phase): void {
    if (this.phase === 'serving') {
      for (const { inFlight } of this.#open.values()) {
        for (const outgoing of inFlight) this.#countAnswer(outgoing)
      }
    }
    this.phase = phase
    if (phase !== 'closing') return
    for (const connection of this.#all()) connection.closeBehindNewest()
  }

  /** Closes the connections that wait for another request, and those that never sent a byte. */
  closeIdle(server: Server): void {
    const busy = [...this.#open.values()].filter(({ isBusy }) => isBusy)
    // Only Node knows which connections are in the middle of a head. But it counts a response that is
    // written as sent.
    for (const { socket } of busy) socket.destroy = () => socket
    server.closeIdleConnections()
    for (const { socket } of busy) delete (socket as { destroy?: unknown }).destroy
    for (const connection of this.#all()) connection.closeIdle()
  }

  /** Enforces the time limits of clients; to be called periodically. */
  look(): void {
    const now = performance.now()
    for (const connection of this.#all()) connection.look(now, this.settings)
  }

  /** What is open on its connections, oldest first. */
  *flows(): Generator<OpenFlow> {
    for (const { carrier } of this.#all()) yield* flowsOf(carrier)
  }

  /** Closes the connections whose last response was a stream that has ended. */
  closeBehindStreams(): void {
    for (const connection of this.#open.values()) connection.closeBehindStream()
  }

  /** Closes all connections at once, and returns what was in flight. */
  cut(): Cut {
    const cut = { requests: 0, streams: 0, sockets: 0 }
    for (const connection of this.#all()) {
      addLost(cut, connection)
      connection.destroy()
    }
    return cut
  }

  *#all(): Generator<Connection | Http2Session> {
    yield* this.#open.values()
    yield* this.#sessions.values()
  }

  #countAnswer(outgoing: ServerResponse): void {
    outgoing.on('close', () => {
      if (!outgoing.writableFinished || isStream(outgoing)) return
      if (this.#open.has(outgoing.req.socket)) this.finished += 1
    })
  }
}

interface Cut {
  /** Requests whose response was not sent. */
  requests: number
  streams: number
  sockets: number
}

/** Counts what is lost if a connection is cut now. */
function addLost(cut: Cut, { carrier, socket, inFlight }: Connection | Http2Session): void {
  let streams = 0
  for (const { state } of flowsOf(carrier)) {
    if (state === undefined) streams += 1
    // A socket that was closed loses nothing, if its client has read the close frame.
    else if (state !== 'closed' || socket.writableLength > 0) cut.sockets += 1
  }
  // A stream that has ended may not have been sent.
  const unsent = inFlight.filter(isStream).length
  cut.requests += inFlight.length - unsent
  cut.streams += Math.max(unsent, streams)
}

function ignore(): void {
  // `close` notifies code that uses the socket.
}
