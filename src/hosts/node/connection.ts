import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection of a server, and what is going on in it. */
export class Connection {
  readonly socket: Socket
  /** The answers that are not out yet, in the order of their requests. */
  readonly inFlight: Set<ServerResponse> = new Set()
  /** The newest answer, until it is out and its request has come to its end. */
  newest: ServerResponse | undefined
  /** How many requests it has carried. */
  requests = 0
  /** Goes on with the answer to a fault when an answer before it is out; nothing is served any more. */
  onAnswered: (() => void) | undefined
  /** Whether it was found without a byte at the last look. */
  #silent = false
  #closing: ServerResponse | undefined
  #sending: ServerResponse | undefined
  #sendingLooks = 0

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Whether nothing more is served: a fault was found, or the client was told that it will close. */
  get isOver(): boolean {
    return this.onAnswered !== undefined || this.#closing?.headersSent === true
  }

  /** Whether there is something to lose: a request that is arriving or whose answer is not out. */
  get isBusy(): boolean {
    return this.inFlight.size > 0 || this.onAnswered !== undefined || this.arriving !== undefined
  }

  /** The answer to the request that is not whole yet. */
  get arriving(): ServerResponse | undefined {
    return this.newest?.req.complete === false ? this.newest : undefined
  }

  /** Lets the newest answer be the last, if its head is not out. */
  closeBehindNewest(): void {
    const { newest } = this
    if (newest === undefined || newest.headersSent) return
    // In a pipeline, which HTTP/1.0 has not, only the last may say it: what comes behind it is lost.
    if (this.#closing?.req.httpVersionMinor === 1) this.#closing.shouldKeepAlive = true
    this.#closing = newest.shouldKeepAlive ? newest : undefined
    newest.shouldKeepAlive = false
  }

  /** An answer is out, or will never be. */
  settle(outgoing: ServerResponse): boolean {
    if (!this.inFlight.delete(outgoing)) return false
    if (this.newest === outgoing && outgoing.req.complete) this.newest = undefined
    if (this.#sending === outgoing) this.#sending = undefined
    this.onAnswered?.()
    return true
  }

  /** How many times in a row the same answer was found written, but not taken by the client. */
  countSending(): number {
    const [first] = this.inFlight
    if (first?.writableEnded !== true) return 0
    if (this.#sending !== first) this.#sendingLooks = 0
    this.#sending = first
    this.#sendingLooks += 1
    return this.#sendingLooks
  }

  /** Whether the client has sent nothing yet, and had not at the last look. */
  isSilent(): boolean {
    const before = this.#silent
    this.#silent = this.socket.bytesRead === 0
    return before && this.#silent
  }
}
