import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { requestTurns } from '../exchange/request-turns.js'
import { readAgain, stopReading } from './reading.js'
import type { WaitingPipelines } from './waiting-pipelines.js'

/** How many requests of a pipeline may have started without their responses having been sent; as many as in HTTP/2. */
const maxUnsent = 100

/** How many bytes of theirs may be unsent, before another starts. */
const maxUnsentBytes = 1024 * 1024

/** The parts of a connection that matter here. */
interface Pipelined {
  readonly socket: Socket
  /** Whether it is never read again. */
  readonly isStopped: boolean
  /** The responses that have not been sent, those of waiting requests included. */
  readonly inFlight: readonly ServerResponse[]
}

/**
 * The requests of a connection that arrived while an earlier one had no response yet. From one read, Node parses
 * thousands of small requests in the same turn, and it may read 32 times in a turn. So these wait here, a few start in
 * each turn, and the socket is read again only when all have started and few responses are unsent.
 */
export class Pipeline {
  readonly #connection: Pipelined
  readonly #all: WaitingPipelines
  readonly #waiting: (() => void)[] = []
  #isHeld = false

  constructor(connection: Pipelined, all: WaitingPipelines) {
    this.#connection = connection
    this.#all = all
  }

  /** Whether requests wait, so that others must wait behind them. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Starts a request in a later turn, in the asynchronous context of its own arrival. */
  add(start: () => void): void {
    const request = new AsyncResource('PIPELINEDREQUEST')
    this.#waiting.push(() => request.runInAsyncScope(start))
    this.#all.set(this.#connection.socket, this.#waiting.length)
    if (this.#isHeld) return
    this.#isHeld = true
    stopReading(this.#connection.socket)
    requestTurns.wait(this)
  }

  /**
   * The socket has closed. What still holds a request of it, such as a resolver that ignores its signal, must not hold all that
   * came behind: Node keeps their responses in a list, which it has bound to listeners of the socket and of each response. Nothing
   * calls those any more but the event that is being emitted, which calls all that it had at its start.
   */
  release(): void {
    const { socket, inFlight } = this.#connection
    this.#all.set(socket, 0)
    this.#waiting.length = 0
    for (const outgoing of inFlight) {
      outgoing.removeAllListeners('finish')
      Object.assign(outgoing, { _onPendingData: ignore })
    }
    for (const event of ['data', 'end', 'drain', 'close']) socket.removeAllListeners(event)
  }

  proceed(): void {
    const { socket } = this.#connection
    if (socket.destroyed) return
    const isFull = this.#startNext()
    const [first] = this.#connection.inFlight
    this.#all.set(socket, this.#waiting.length)
    if (isFull && first !== undefined) {
      first.once('close', () => requestTurns.wait(this))
    } else if (isFull || this.#waiting.length > 0) {
      requestTurns.wait(this)
    } else {
      this.#isHeld = false
      if (!this.#connection.isStopped) readAgain(socket)
    }
  }

  /** Returns whether no other may start before a response has been sent. */
  #startNext(): boolean {
    const { inFlight } = this.#connection
    const started = inFlight.length - this.#waiting.length
    const unsent = inFlight.slice(0, started).reduce(addUnsent, 0)
    if (started >= maxUnsent || unsent >= maxUnsentBytes) return true
    // One at a time: if its body is here, it runs before another is visited.
    requestTurns.note(1)
    this.#waiting.shift()?.()
    return false
  }
}

function ignore(): void {
  // Nothing of it is sent any more.
}

function addUnsent(sum: number, response: ServerResponse | undefined): number {
  return sum + (response?.writableLength ?? 0)
}
