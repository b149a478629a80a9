import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { follow } from '../../../base/transitions.js'
import {
  connectionTransitions,
  servesRequests,
  type ConnectionEvent,
  type ConnectionState,
} from './connection-state.js'

/** A connection of HTTP/1.1 with its requests in flight; its life is the table of connection-state.ts. */
export class Connection {
  readonly socket: Socket
  /** How many requests it has carried. */
  requests = 0
  #state: ConnectionState = 'open'
  /** The newest answer, until it is out and its request has come to its end. */
  #newest: ServerResponse | undefined
  /** The answers before it, which only a pipeline has. */
  readonly #earlier = new Set<ServerResponse>()
  /** The answer that will say `Connection: close`, in the state `closing`. */
  #closing: ServerResponse | undefined
  #silentLooks = 0
  #sending: ServerResponse | undefined
  #sendingLooks = 0

  constructor(socket: Socket) {
    this.socket = socket
  }

  get state(): ConnectionState {
    if (this.#state === 'closing' && this.#closing?.headersSent === true) this.#on('closeSent')
    return this.#state
  }

  /** Whether a request that comes now is served. */
  get serves(): boolean {
    return servesRequests[this.state]
  }

  /** Whether there is something to lose: a request that is arriving, or an answer that is not out. */
  get isBusy(): boolean {
    const isRefusing = this.#state === 'faulty' || this.#state === 'refused'
    return this.inFlight.length > 0 || isRefusing || this.arriving !== undefined
  }

  /** The answers that are not out yet, in the order of their requests. */
  get inFlight(): readonly ServerResponse[] {
    this.#forgetAnswered()
    const answers = [...this.#earlier]
    if (this.#newest?.closed === false) answers.push(this.#newest)
    return answers
  }

  /** The answer to the request that is not whole yet. */
  get arriving(): ServerResponse | undefined {
    return this.#newest?.req.complete === false ? this.#newest : undefined
  }

  /** Begins the answer to the next request. */
  begin(outgoing: ServerResponse): void {
    this.requests += 1
    this.#forgetAnswered()
    if (this.#newest?.closed === false) this.#earlier.add(this.#newest)
    this.#newest = outgoing
  }

  /** Lets the newest answer be the last, if its head is not out. */
  closeBehindNewest(): void {
    const newest = this.#newest
    if (newest === undefined || newest.headersSent || this.state === 'over') return
    // Only the last answer of a pipeline may say it (HTTP/1.0 has none): clients drop what follows.
    if (this.#closing?.req.httpVersionMinor === 1) this.#closing.shouldKeepAlive = true
    this.#closing = newest.shouldKeepAlive ? newest : undefined
    newest.shouldKeepAlive = false
    this.#on(this.#closing === undefined ? 'lastByItself' : 'last')
  }

  /** Notes a fault; false where it is not the first, which is answered already or is about to be. */
  fail(): boolean {
    const before = this.#state
    this.#on('fault')
    return before !== this.#state
  }

  /** Notes that the fault has had its turn. */
  refuse(): void {
    this.#on('faultAnswered')
  }

  /** How many times in a row the same answer was found written, but not taken by the client. */
  countSending(): number {
    const [first] = this.inFlight
    if (this.#sending !== first) this.#sendingLooks = 0
    this.#sending = first
    if (first?.writableEnded !== true) return 0
    this.#sendingLooks += 1
    return this.#sendingLooks
  }

  /** How many times in a row the client was found not to have sent a byte yet. */
  countSilent(): number {
    this.#silentLooks = this.socket.bytesRead === 0 ? this.#silentLooks + 1 : 0
    return this.#silentLooks
  }

  #on(event: ConnectionEvent): void {
    this.#state = follow(connectionTransitions, this.#state, event)
  }

  /**
   * Finds out which answers are out, on demand: a listener for the `close` of each costs a quarter of a
   * microsecond of every request. They go out in the order of their requests.
   */
  #forgetAnswered(): void {
    for (const answer of this.#earlier) {
      if (!answer.closed) break
      this.#earlier.delete(answer)
    }
    if (this.#newest?.closed === true && this.#newest.req.complete) this.#newest = undefined
  }
}
