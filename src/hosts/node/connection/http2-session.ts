import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { closeSoon, farewellMs } from './client-fault.js'
import type { ConnectionSettings } from './connection-options.js'
import { cancel } from '../exchange/send-timeout.js'

/** A stream whose response has not been sent. */
export interface OpenStream {
  readonly incoming: Http2ServerRequest
  readonly outgoing: Http2ServerResponse
  readonly since: number
  /** Since when the response has been written, but not read by the client. */
  sendingSince: number | undefined
}

interface Handle {
  readStop(): void
  readStart(): void
}

/** What reads a socket. Node offers no other way to stop it at once. */
export function handleOf(socket: Duplex): Handle | undefined {
  const { _handle: handle } = socket as Duplex & { readonly _handle?: Handle | null }
  return handle ?? undefined
}

/** A connection of HTTP/2 with its requests in flight. */
export class Http2Session {
  readonly carrier: ServerHttp2Session
  readonly socket: Socket
  requests = 0
  /** Whose connection it is, for `ClientReads`. */
  client: string | undefined
  /** How much it has sent lately. */
  weight = 0
  /** Whether GOAWAY has been sent, so that no further request is served. */
  isClosed = false
  #held: Handle | undefined
  readonly #refuseSlow: (openStream: OpenStream) => void
  readonly #streams = new Set<OpenStream>()
  #idleSince: number
  #bytesWritten = 0
  /** When its socket was last found to have taken bytes. */
  #movedAt: number
  /** Since when something should have been sent. */
  #expectedSince: number | undefined
  /** How long its socket may then take no byte, in milliseconds. */
  #patience = Infinity

  /** `refuseSlow` responds to a request that takes too long to arrive. */
  constructor(
    carrier: ServerHttp2Session,
    socket: Socket,
    refuseSlow: (openStream: OpenStream) => void,
  ) {
    this.carrier = carrier
    this.socket = socket
    this.#refuseSlow = refuseSlow
    this.#idleSince = this.#movedAt = performance.now()
  }

  /** Stops reading; false if it has already. */
  hold(): boolean {
    const handle = handleOf(this.socket)
    if (this.#held !== undefined || handle === undefined) return false
    handle.readStop()
    this.#held = handle
    return true
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  letRead(): void {
    const handle = this.#held
    this.#held = undefined
    this.#idleSince = performance.now()
    if (!this.socket.destroyed) handle?.readStart()
  }

  get inFlight(): readonly Http2ServerResponse[] {
    return Array.from(this.#streams, ({ outgoing }) => outgoing)
  }

  /** Registers a request; `done` runs when its stream has closed. */
  begin(incoming: Http2ServerRequest, outgoing: Http2ServerResponse, done: () => void): void {
    const since = performance.now()
    const openStream: OpenStream = { incoming, outgoing, since, sendingSince: undefined }
    this.requests += 1
    this.#streams.add(openStream)
    incoming.stream.once('close', () => {
      this.#streams.delete(openStream)
      this.#idleSince = performance.now()
      done()
    })
  }

  /**
   * Ends after the requests that it serves now, or else the next one. Node has no way to send the first of the two frames
   * that RFC 9113 section 6.8 advises, which would leave time for requests on their way. Their clients learn that these
   * were not begun.
   */
  closeBehindNewest(): void {
    if (this.#streams.size > 0) this.closeIdle()
  }

  /** Finishes the requests that have begun and then ends; GOAWAY tells the client to send others elsewhere. */
  closeIdle(): void {
    if (this.isClosed) return
    this.isClosed = true
    // Once everything is sent, Node leaves closing to the client, which may never do it.
    this.socket.once('finish', () => closeSoon(this.socket))
    if (!this.carrier.destroyed) this.carrier.close()
  }

  destroy(): void {
    this.carrier.destroy()
    this.socket.destroy()
  }

  /** Enforces the time limits of its client; to be called periodically. */
  look(now: number, settings: ConnectionSettings): void {
    const { headersTimeout, keepAliveTimeout, sendTimeout } = settings
    if (this.#isStuck(now)) return this.destroy()
    if (this.#streams.size === 0 && !this.isHeld) {
      const patience = this.requests === 0 ? headersTimeout : keepAliveTimeout
      if (now - this.#idleSince >= patience) this.closeIdle()
      if (this.isClosed) this.#expectMove(now, sendTimeout)
    }
    for (const openStream of this.#streams) this.#lookAt(openStream, now, settings)
  }

  #lookAt(openStream: OpenStream, now: number, settings: ConnectionSettings): void {
    const { requestTimeout, sendTimeout } = settings
    const { incoming, outgoing, since } = openStream
    // Ended by a limit or by its client, it still waits for bytes to be sent or read: for ever, if that was with NO_ERROR.
    if (incoming.stream.closed) {
      incoming.stream.destroy()
      return this.#expectMove(now, sendTimeout)
    }
    if (outgoing.writableEnded) {
      openStream.sendingSince ??= now
      if (now - openStream.sendingSince < sendTimeout) return
      incoming.stream.close(cancel)
      this.#expectMove(now, sendTimeout)
    } else if (now - since >= requestTimeout && !isWhole(incoming)) {
      this.#refuseSlow(openStream)
      this.#expectMove(now, requestTimeout)
    }
  }

  /**
   * Notes that the end of a stream or of the connection was sent, after a limit of `patience` milliseconds. The shortest
   * limit that the client has broken counts.
   */
  #expectMove(now: number, patience: number): void {
    this.#expectedSince ??= now
    this.#patience = Math.min(this.#patience, patience)
  }

  /**
   * Whether the socket has taken nothing for as long as that limit, so that a short disturbance of the network costs no
   * other request of the connection. Node does not notice by itself, not even when a client resets a connection of TLS while
   * the server writes: all that is sent afterwards waits for ever, and nothing more is read.
   */
  #isStuck(now: number): boolean {
    const { bytesWritten } = this.socket
    if (bytesWritten !== this.#bytesWritten) {
      this.#bytesWritten = bytesWritten
      this.#movedAt = now
      this.#expectedSince = undefined
    }
    if (this.#expectedSince === undefined) return false
    return now - this.#expectedSince >= farewellMs && now - this.#movedAt >= this.#patience
  }
}

/** Whether the client has sent the last byte, read or not. */
function isWhole({ stream }: Http2ServerRequest): boolean {
  return stream.endAfterHeaders || stream.state.remoteClose === 1
}
