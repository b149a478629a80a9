import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { closeSoon, farewellMs } from '../connection/client-fault.js'
import type { ConnectionSettings } from '../connection/connection-options.js'
import { cancel } from '../exchange/send-timeout.js'
import { addCuts, cutOf, type Cut } from '../streams/cut.js'
import { flowsOf, isStream, type OpenFlow } from '../streams/open-flows.js'
import { whileServing, type ConnectionPolicy } from '../connection/connections.js'

/** REFUSED_STREAM of RFC 9113 section 7. */
export const refusedStream = 7

type Http2Respond = (incoming: Http2ServerRequest, outgoing: Http2ServerResponse) => void

/** The HTTP/2 connections of a server, with their requests in flight. */
export class Http2Sessions {
  /** How many requests were answered since draining began. */
  finished = 0
  readonly #settings: ConnectionSettings
  readonly #refuseSlow: (openStream: OpenStream) => void
  readonly #open = new Map<ServerHttp2Session, Http2Session>()
  #policy = whileServing

  /** `refuseSlow` responds to a request that takes too long to arrive. */
  constructor(settings: ConnectionSettings, refuseSlow: (openStream: OpenStream) => void) {
    this.#settings = settings
    this.#refuseSlow = refuseSlow
  }

  take(session: ServerHttp2Session, socket: Socket): void {
    this.#open.set(session, new Http2Session(session, socket, performance.now()))
    socket.once('close', () => this.#open.delete(session))
  }

  /** Registers each request and responds to it, unless its connection serves no further ones. */
  admit(respond: Http2Respond): Http2Respond {
    return (incoming, outgoing) => {
      const { session } = incoming.stream
      const taken = session && this.#open.get(session as ServerHttp2Session)
      // It arrived before the GOAWAY frame was sent.
      if (taken?.isClosed === true) return incoming.stream.close(refusedStream)
      // In tests, a request may have no connection.
      if (taken !== undefined) this.#begin(taken, incoming, outgoing)
      respond(incoming, outgoing)
    }
  }

  #begin(taken: Http2Session, incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void {
    taken.begin(incoming, outgoing, () => {
      if (!this.#policy.isDraining || isStream(outgoing)) return
      if (outgoing.writableEnded && !incoming.aborted && incoming.stream.rstCode === 0) {
        this.finished += 1
      }
    })
    // Before the response: a client that sends one request after another has none on its way.
    if (this.#policy.saysClose || taken.requests >= this.#settings.maxRequestsPerSocket)
      taken.close()
  }

  /**
   * Applies a policy to all connections from now on: one that closes them ends each after the request that it
   * serves now or next. Node has no way to send the first of the two frames that RFC 9113 section 6.8
   * advises, which would leave time for requests on their way. Their clients learn that these were not
   * begun.
   */
  obey(policy: ConnectionPolicy): void {
    const before = this.#policy
    this.#policy = policy
    if (!policy.saysClose || before.saysClose) return
    for (const session of this.#open.values()) if (session.size > 0) session.close()
  }

  /** Ends the connections that wait for another request. */
  closeIdle(): void {
    for (const session of this.#open.values()) session.close()
  }

  /** Enforces the time limits of clients; to be called periodically. */
  look(): void {
    const { headersTimeout, keepAliveTimeout, sendTimeout } = this.#settings
    const now = performance.now()
    for (const session of this.#open.values()) {
      if (session.isStuck(now)) {
        session.cut()
        continue
      }
      const patience = session.requests === 0 ? headersTimeout : keepAliveTimeout
      if (session.idleFor(now) >= patience) session.close()
      if (session.isClosed && session.size === 0) session.expectMove(now, sendTimeout)
      for (const openStream of session.inFlight) this.#lookAt(session, openStream, now)
    }
  }

  /** What is open on its connections, oldest first. */
  *flows(): Generator<OpenFlow> {
    for (const session of this.#open.keys()) yield* flowsOf(session)
  }

  /** Closes all connections at once, and returns what was in flight. */
  cut(): Cut {
    return addCuts(...Array.from(this.#open.values(), (session) => session.cut()))
  }

  #lookAt(session: Http2Session, openStream: OpenStream, now: number): void {
    const { requestTimeout, sendTimeout, connectionsCheckingInterval } = this.#settings
    const { incoming, outgoing } = openStream
    // Ended by a limit or by its client, it still waits for bytes to be sent or read.
    if (incoming.stream.closed) return session.expectMove(now, sendTimeout)
    if (outgoing.writableEnded) {
      openStream.sendingLooks += 1
      const looks = Math.ceil(sendTimeout / connectionsCheckingInterval)
      if (openStream.sendingLooks <= looks) return
      incoming.stream.close(cancel)
      session.expectMove(now, sendTimeout)
    } else if (now - openStream.since >= requestTimeout && !isWhole(incoming)) {
      this.#refuseSlow(openStream)
      session.expectMove(now, requestTimeout)
    }
  }
}

/** Whether the client has sent the last byte, read or not. */
function isWhole({ stream }: Http2ServerRequest): boolean {
  return stream.endAfterHeaders || stream.state.remoteClose === 1
}

/** A stream whose response has not been sent. */
export interface OpenStream {
  readonly incoming: Http2ServerRequest
  readonly outgoing: Http2ServerResponse
  readonly since: number
  /** For how many checks in a row the response has been written, but not read by the client. */
  sendingLooks: number
}

/** A connection of HTTP/2 with its requests in flight. */
class Http2Session {
  /** How many requests it has carried. */
  requests = 0
  readonly #session: ServerHttp2Session
  readonly #socket: Socket
  readonly #streams = new Set<OpenStream>()
  #idleSince: number
  #isClosed = false
  #bytesWritten = 0
  /** When its socket was last found to have taken bytes. */
  #movedAt: number
  /** Since when something should have been sent. */
  #expectedSince: number | undefined
  /** How long its socket may then take no byte, in milliseconds. */
  #patience = Infinity

  constructor(session: ServerHttp2Session, socket: Socket, now: number) {
    this.#session = session
    this.#socket = socket
    this.#idleSince = now
    this.#movedAt = now
  }

  /** The requests whose responses have not been sent. */
  get inFlight(): Iterable<OpenStream> {
    return this.#streams
  }

  get size(): number {
    return this.#streams.size
  }

  /** Registers a request; `done` runs when its stream has closed. */
  begin(incoming: Http2ServerRequest, outgoing: Http2ServerResponse, done: () => void): void {
    const since = performance.now()
    const openStream: OpenStream = { incoming, outgoing, since, sendingLooks: 0 }
    this.requests += 1
    this.#streams.add(openStream)
    incoming.stream.once('close', () => {
      this.#streams.delete(openStream)
      this.#idleSince = performance.now()
      done()
    })
  }

  /** How long it has been idle, in milliseconds; 0 while it has a request. */
  idleFor(now: number): number {
    return this.#streams.size > 0 ? 0 : now - this.#idleSince
  }

  /** Whether GOAWAY has been sent, so that no further request is served. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * Notes that the end of a stream or of the connection was sent, after a limit of `patience` milliseconds. The shortest
   * limit that the client has broken counts.
   */
  expectMove(now: number, patience: number): void {
    this.#expectedSince ??= now
    this.#patience = Math.min(this.#patience, patience)
  }

  /**
   * Whether the socket has taken nothing for as long as that limit, so that a short disturbance of the network costs no
   * other request of the connection. Node does not notice by itself, not even when a client resets a connection of TLS while
   * the server writes: all that is sent afterwards waits for ever, and nothing more is read.
   */
  isStuck(now: number): boolean {
    const { bytesWritten } = this.#socket
    if (bytesWritten !== this.#bytesWritten) {
      this.#bytesWritten = bytesWritten
      this.#movedAt = now
      this.#expectedSince = undefined
    }
    if (this.#expectedSince === undefined) return false
    return now - this.#expectedSince >= farewellMs && now - this.#movedAt >= this.#patience
  }

  /** Finishes the requests that have begun and then ends; GOAWAY tells the client to send others elsewhere. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // Once everything is sent, Node leaves closing to the client, which may never do it.
    this.#socket.once('finish', () => closeSoon(this.#socket))
    if (!this.#session.destroyed) this.#session.close()
  }

  /** Ends at once, and returns what was in flight. */
  cut(): Cut {
    const outgoing = Array.from(this.#streams, (openStream) => openStream.outgoing)
    const cut = cutOf(outgoing, this.#session)
    this.#session.destroy()
    this.#socket.destroy()
    return cut
  }
}
