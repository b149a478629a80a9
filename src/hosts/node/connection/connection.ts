import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { follow, never, type Transitions } from '../../../base/transitions.js'
import { isStream } from '../streams/open-flows.js'
import type { Pipeline } from './pipeline.js'
import { dropInput, stopReading } from './reading.js'

/*
 * The life of an HTTP/1.1 connection, as far as it decides which requests are still served.
 *
 *             last              closeSent
 *     open ----------> closing -----------> over
 *      |  <----------     |                  |
 *      |   lastByItself   |                  |
 *      +------------------+------------------+---> faulty ---> refused
 *                                            fault     responsesSent
 *
 * open      Requests are served, and their responses keep the connection.
 * closing   The newest response will have `Connection: close`, and its head has not been sent. The client may send
 *           more requests before it reads that, and drops everything after a response that closes (RFC 9112
 *           section 9.6). So a request that still arrives is served, and the mark moves to its response.
 * over      That head has been sent. Requests after it are not served.
 * faulty    The parser failed, or the client requested a tunnel. The parser reports each further
 *           byte; one response is enough, and it waits until the responses before it have been sent.
 * refused   That response has been written, or could not be. The socket closes when the client has read it, or
 *           is destroyed a moment later.
 *
 * The events:
 *
 * last           The newest response must be the last: the server drains, or the connection has served as many
 *                requests as it may.
 * lastByItself   The same, but Node closes after that response anyway, since the client asked for it.
 * closeSent      The head of the response that closes has been sent. An event of Node for it would cost time of
 *                each request, so it is noticed when the next request arrives.
 * unclearEnd     Nobody knows where the newest request ends, so that later bytes may be the middle of a request.
 * fault          The parser failed, or CONNECT.
 * responsesSent  The responses before the fault have been sent.
 *
 * Requests are not events: they change the state nowhere, and an event for each would cost time. Nor is the
 * end of the socket: its connection is then forgotten, in any state. HTTP/2 needs none of this, as its
 * streams do not wait for each other: GOAWAY has been sent or not.
 */
export type ConnectionState = 'open' | 'closing' | 'over' | 'faulty' | 'refused'
export type ConnectionEvent =
  | 'last'
  | 'lastByItself'
  | 'closeSent'
  | 'unclearEnd'
  | 'fault'
  | 'responsesSent'

// oxfmt-ignore
export const connectionTransitions: Transitions<ConnectionState, ConnectionEvent> = {
  open:    { last: 'closing', lastByItself: 'open',    closeSent: never,  unclearEnd: 'over',    fault: 'faulty',  responsesSent: never },
  closing: { last: 'closing', lastByItself: 'open',    closeSent: 'over', unclearEnd: 'over',    fault: 'faulty',  responsesSent: never },
  over:    { last: 'over',    lastByItself: 'over',    closeSent: never,  unclearEnd: 'over',    fault: 'faulty',  responsesSent: never },
  faulty:  { last: 'faulty',  lastByItself: 'faulty',  closeSent: never,  unclearEnd: 'faulty',  fault: 'faulty',  responsesSent: 'refused' },
  refused: { last: 'refused', lastByItself: 'refused', closeSent: never,  unclearEnd: 'refused', fault: 'refused', responsesSent: never },
}

/** Whether a request that arrives in a state is served. */
export const servesRequests: { readonly [state in ConnectionState]: boolean } = {
  open: true,
  closing: true,
  over: false,
  faulty: false,
  refused: false,
}

const none: ServerResponse[] = []

/** A connection of HTTP/1.1 with its requests in flight; its life is the table above. */
export class Connection {
  readonly socket: Socket
  /** Who has opened it, for the share of each; undefined if that cannot be told. */
  readonly client: string | undefined
  /** How many requests it has carried. */
  requests = 0
  /** Whether it is never read again. */
  isStopped = false
  /** Its requests that wait for their turn; undefined until there was one. */
  pipeline: Pipeline | undefined
  #state: ConnectionState = 'open'
  /** The newest response, until it is sent and its request has ended. */
  #newest: ServerResponse | undefined
  /** The responses before it; only a pipeline has any. */
  #earlier = none
  /** The response that will have `Connection: close`, in the state `closing`. */
  #closing: ServerResponse | undefined
  #lastStream: ServerResponse | undefined
  #silentLooks = 0
  #sending: ServerResponse | undefined
  #sendingLooks = 0

  constructor(socket: Socket, client?: string) {
    this.socket = socket
    this.client = client
  }

  get state(): ConnectionState {
    if (this.#state === 'closing' && this.#closing?.headersSent === true) this.#on('closeSent')
    return this.#state
  }

  /** Whether closing would lose a request that is arriving, or a response that has not been sent. */
  get isBusy(): boolean {
    const isRefusing = this.#state === 'faulty' || this.#state === 'refused'
    const isHeld = this.pipeline?.isHeld === true
    return isHeld || isRefusing || this.inFlight.length > 0 || this.arriving !== undefined
  }

  /** The responses that have not been sent, in the order of their requests. */
  get inFlight(): readonly ServerResponse[] {
    this.#forgetSent()
    const responses = [...this.#earlier]
    if (this.#newest?.closed === false) responses.push(this.#newest)
    return responses
  }

  /** The response to the request that is still arriving. */
  get arriving(): ServerResponse | undefined {
    return this.#newest?.req.complete === false ? this.#newest : undefined
  }

  /** Stops reading for good. */
  stopReading(): void {
    this.isStopped = true
    stopReading(this.socket)
  }

  /** Drops what arrives from now on, since nothing of it would be served. While requests wait, the socket is not read anyway. */
  dropInput(): void {
    if (this.pipeline?.isHeld !== true) dropInput(this.socket)
  }

  /** Begins the response to the next request; whether that has to wait for its turn, behind another without response. */
  begin(outgoing: ServerResponse): boolean {
    this.requests += 1
    this.#forgetSent()
    if (this.#newest?.closed === false) {
      if (this.#earlier === none) this.#earlier = []
      this.#earlier.push(this.#newest)
    }
    this.#newest = outgoing
    return this.#earlier.length > 0 || this.pipeline?.isHeld === true
  }

  /** Makes the newest response the last, if its head has not been sent. */
  closeBehindNewest(): void {
    const newest = this.#newest
    if (newest === undefined || newest.headersSent || this.state === 'over') return
    // Only the last response of a pipeline may have it (HTTP/1.0 has none): clients drop what follows.
    if (this.#closing?.req.httpVersionMinor === 1) this.#closing.shouldKeepAlive = true
    this.#closing = newest.shouldKeepAlive ? newest : undefined
    newest.shouldKeepAlive = false
    this.#on(this.#closing === undefined ? 'lastByItself' : 'last')
  }

  /** Makes the newest response the last, and serves nothing that arrives after its request. */
  endBehindNewest(): void {
    this.closeBehindNewest()
    this.#on('unclearEnd')
  }

  /** Closes the connection once a stream that has ended is sent, unless another response follows. */
  closeBehindStream(): void {
    const stream = this.#newest
    if (stream === undefined || stream === this.#lastStream) return
    if (!stream.writableEnded || !isStream(stream)) return
    this.#lastStream = stream
    const close = (): void => {
      if (this.#newest === stream || this.#newest === undefined) this.socket.destroySoon()
    }
    if (stream.writableFinished) close()
    else stream.once('finish', close)
  }

  /** Records a parse error; false if it is not the first, whose response has been or will be sent. */
  fail(): boolean {
    const before = this.#state
    this.#on('fault')
    return before !== this.#state
  }

  /** Records that the response to the parse error may now be sent. */
  refuse(): void {
    this.#on('responsesSent')
  }

  /** For how many checks in a row the same response has been written, but not read by the client. */
  countSending(): number {
    const [first] = this.inFlight
    if (this.#sending !== first) this.#sendingLooks = 0
    this.#sending = first
    if (first?.writableEnded !== true) return 0
    this.#sendingLooks += 1
    return this.#sendingLooks
  }

  /** For how many checks in a row the client has not sent a byte. */
  countSilent(): number {
    this.#silentLooks = this.socket.bytesRead === 0 ? this.#silentLooks + 1 : 0
    return this.#silentLooks
  }

  #on(event: ConnectionEvent): void {
    this.#state = follow(connectionTransitions, this.#state, event)
  }

  /**
   * Finds out which responses have been sent, on demand: a listener for the `close` of each costs a quarter of a
   * microsecond of every request. They go out in the order of their requests.
   */
  #forgetSent(): void {
    while (this.#earlier[0]?.closed === true) this.#earlier.shift()
    if (this.#newest?.closed === true && this.#newest.req.complete) this.#newest = undefined
  }
}
