import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionSettings } from './connection-options.js'
import { lastAnswered } from '../exchange/incoming.js'
import { requestLines } from '../exchange/request-turns.js'
import { isOpenStream, isStream } from '../streams/open-flows.js'

const none: ServerResponse[] = []

/**
 * A connection of HTTP/1.1 with its requests in flight. It serves requests until one of these:
 *
 * - The head of a response with `Connection: close` has been sent: its client drops everything behind that (RFC 9112 section
 *   9.6). Until then a client may send more requests, so the mark moves to the response of each that still arrives.
 * - The end of the newest request is unclear, so that later bytes may be the middle of a request.
 * - The parser failed, or the client requested a tunnel. The parser reports each further byte; one response is enough, and it
 *   waits until the responses before it have been sent.
 *
 * HTTP/2 needs none of this, as its streams do not wait for each other: GOAWAY has been sent or not.
 */
export class Connection {
  readonly socket: Socket
  requests = 0
  /** Whose connection it is, for `ClientReads`. */
  client: string | undefined
  /** How much it has sent lately. */
  weight = 0
  /** The response to a request that has to wait for another turn. The requests that follow it wait, too. */
  late: ServerResponse | undefined
  isStopped = false
  /** Whether it is not read for a while, in favour of others. */
  isHeld = false
  /** Whether the parser failed, and then whether the response to that has been written, or could not be. */
  fault: 'waiting' | 'refused' | undefined
  #isEnded = false
  /** The newest response, until it is sent and its request has ended. */
  #newest: ServerResponse | undefined
  /** The responses before it; only a pipeline has any. */
  #earlier = none
  /** The response that will have `Connection: close`, unless Node closes behind it anyway, since the client asked for it. */
  #closing: ServerResponse | undefined
  #lastStream: ServerResponse | undefined
  #isSilent = false
  /** The response that was written, but not read by the client, when it was last checked. */
  #sending: { readonly response: ServerResponse; readonly since: number } | undefined

  constructor(socket: Socket) {
    this.socket = socket
  }

  get isServing(): boolean {
    // Noticed only when the next request arrives: a listener would cost each request time.
    if (this.#closing?.headersSent === true) this.#isEnded = true
    return !this.#isEnded && this.fault === undefined && !lastAnswered.has(this.socket)
  }

  get carrier(): Socket {
    return this.socket
  }

  /** Whether closing would lose a request that is arriving, or a response that has not been sent. */
  get isBusy(): boolean {
    const isWaiting = requestLines.has(this.socket) || this.fault !== undefined
    return isWaiting || this.inFlight.length > 0 || this.arriving !== undefined
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

  /**
   * Stops reading for a while; false if it is not read. Others may have paused the socket, for a body that is not read; below TLS and
   * HTTP/2, it does not flow.
   */
  hold(): boolean {
    const { socket } = this
    if (socket.readableFlowing !== true || isStopped(socket)) return false
    stopReading(socket)
    return (this.isHeld = true)
  }

  /** Ends `hold`. A pipeline whose requests wait reads on by itself, unless they wait for a stream. */
  letRead(): void {
    this.isHeld = false
    if (!requestLines.has(this.socket) || this.inFlight.some(isOpenStream)) this.readAgain()
  }

  readAgain(): void {
    if (this.isStopped || this.isHeld) return
    delete (this.socket as { resume?: unknown }).resume
    this.socket.off('resume', pauseAgain)
    this.socket.resume()
  }

  /** Stops reading for good. */
  stopReading(): void {
    this.isStopped = true
    stopReading(this.socket)
  }

  /**
   * Drops what arrives from now on before it is parsed, since nothing of it would be served. Closing a socket with unread bytes
   * resets it, and the client could lose the last response. While requests wait, the socket is not read anyway.
   */
  dropInput(): void {
    const { socket } = this
    if (requestLines.has(socket) || socket.listeners('data').includes(drop)) return
    socket.removeAllListeners('data')
    socket.on('data', drop) // with a listener, Node does not pass the bytes to the parser itself
  }

  /** Begins the response to the next request. Returns whether it has to wait for an earlier response. */
  begin(outgoing: ServerResponse): boolean {
    this.requests += 1
    this.#forgetSent()
    if (this.#newest?.closed === false) {
      if (this.#earlier === none) {
        this.#earlier = []
        closeWithoutStacks(this.socket)
      }
      this.#earlier.push(this.#newest)
    }
    this.#newest = outgoing
    return this.#earlier.length > 0
  }

  /** Makes the newest response the last, if its head has not been sent. */
  closeBehindNewest(): void {
    const newest = this.#newest
    if (newest === undefined || newest.headersSent || !this.isServing) return
    // Only the last response of a pipeline may have it (HTTP/1.0 has none): clients drop what follows.
    if (this.#closing?.req.httpVersionMinor === 1) this.#closing.shouldKeepAlive = true
    this.#closing = newest.shouldKeepAlive ? newest : undefined
    newest.shouldKeepAlive = false
  }

  /** Makes the newest response the last, and serves nothing that arrives after its request. */
  endBehindNewest(): void {
    this.closeBehindNewest()
    this.#isEnded = true
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
    if (this.fault !== undefined) return false
    this.fault = 'waiting'
    return true
  }

  /** Ends it if its client has not read a response in time; to be called periodically. */
  look(now: number, { sendTimeout }: Pick<ConnectionSettings, 'sendTimeout'>): void {
    const [first] = this.inFlight
    if (first?.writableEnded !== true) this.#sending = undefined
    else if (this.#sending?.response !== first) this.#sending = { response: first, since: now }
    else if (now - this.#sending.since >= sendTimeout) this.destroy()
  }

  /** Ends it if its client has never sent a byte, not even since the last call. */
  closeIdle(): void {
    if (this.socket.bytesRead > 0) return
    if (this.#isSilent) this.destroy()
    this.#isSilent = true
  }

  destroy(): void {
    this.socket.destroy()
  }

  /**
   * Called when the socket has closed. A resolver that ignores its signal may still hold one request, but must not hold all
   * later ones, whose responses Node keeps in a list bound to listeners of the socket and of each response. The event that
   * is being emitted still calls its listeners; nothing else does.
   */
  release(): void {
    if (this.#earlier === none) return
    requestLines.drop(this.socket)
    for (const outgoing of this.inFlight) {
      outgoing.removeAllListeners('finish')
      Object.assign(outgoing, { _onPendingData: () => undefined })
    }
    for (const event of ['data', 'end', 'drain', 'close']) this.socket.removeAllListeners(event)
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

/** When a socket closes, Node makes an error for each of its requests. The stacks of thousands would take most of the time. */
function closeWithoutStacks(socket: Socket): void {
  let before = 0
  socket.prependListener('close', () => {
    before = Error.stackTraceLimit
    limitStacks(0)
  })
  socket.on('close', () => limitStacks(before))
}

/** An assignment would throw where `Error` is frozen. */
function limitStacks(limit: number): void {
  Reflect.set(Error, 'stackTraceLimit', limit)
}

function drop(): void {
  // The last request of the connection has arrived.
}

/** Stops reading a socket of an HTTP server, although Node resumes it whenever it has read a request. */
export function stopReading(socket: Socket): void {
  if (isStopped(socket)) return
  socket.pause()
  socket.resume = () => socket
  socket.on('resume', pauseAgain)
}

export function isStopped(socket: Socket): boolean {
  return Object.hasOwn(socket, 'resume')
}

/** A `resume` from before takes effect a tick later; at this event Node's server stops reading. */
function pauseAgain(this: Socket): void {
  this.emit('pause')
}
