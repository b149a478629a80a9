import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { follow, never, type Transitions } from '../../../base/transitions.js'

/*
 * The life of a connection of HTTP/1.1, as far as it decides what is still served on it.
 *
 *             last              closeSent
 *     open ----------> closing -----------> over
 *      |  <----------     |                  |
 *      |   lastByItself   |                  |
 *      +------------------+------------------+---> faulty ---> refused
 *                                            fault     faultAnswered
 *
 * open      Requests are served, and their answers keep the connection.
 * closing   The newest answer will say `Connection: close`, and its head has not been sent. The client may send
 *           more requests before it reads that, and drops everything after an answer that closes (RFC 9112
 *           section 9.6). So a request that still arrives is served, and the mark moves to its answer.
 * over      That head has been sent. Requests after it are not served.
 * faulty    The parser gave up, or the client wants a tunnel. The parser complains again about each further
 *           byte; one answer is enough, and it waits until the answers before it have been sent.
 * refused   That answer has been written, or could not be. The socket closes when the client has read it, or
 *           is destroyed a moment later.
 *
 * The events:
 *
 * last           The newest answer must be the last: the server drains, or the connection has served as many
 *                requests as it may.
 * lastByItself   The same, but Node closes after that answer anyway, since the client asked for it.
 * closeSent      The head of the answer that closes has been sent. An event of Node for it would cost time of
 *                each request, so it is noticed when the next request arrives.
 * fault          The parser gave up, or CONNECT.
 * faultAnswered  The answers before the fault have been sent.
 *
 * Requests are not events: they change the state nowhere, and an event for each would cost time. Nor is the
 * end of the socket: its connection is then forgotten, in any state. HTTP/2 needs none of this, as its
 * streams do not wait for each other: GOAWAY has been sent or not.
 */
export type ConnectionState = 'open' | 'closing' | 'over' | 'faulty' | 'refused'
export type ConnectionEvent = 'last' | 'lastByItself' | 'closeSent' | 'fault' | 'faultAnswered'

// oxfmt-ignore
export const connectionTransitions: Transitions<ConnectionState, ConnectionEvent> = {
  open:    { last: 'closing', lastByItself: 'open',    closeSent: never,  fault: 'faulty',  faultAnswered: never },
  closing: { last: 'closing', lastByItself: 'open',    closeSent: 'over', fault: 'faulty',  faultAnswered: never },
  over:    { last: 'over',    lastByItself: 'over',    closeSent: never,  fault: 'faulty',  faultAnswered: never },
  faulty:  { last: 'faulty',  lastByItself: 'faulty',  closeSent: never,  fault: 'faulty',  faultAnswered: 'refused' },
  refused: { last: 'refused', lastByItself: 'refused', closeSent: never,  fault: 'refused', faultAnswered: never },
}

/** Whether a request that comes in a state is served. */
export const servesRequests: { readonly [state in ConnectionState]: boolean } = {
  open: true,
  closing: true,
  over: false,
  faulty: false,
  refused: false,
}

/** A connection of HTTP/1.1 with its requests in flight; its life is the table above. */
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
