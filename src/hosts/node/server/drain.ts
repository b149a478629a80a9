import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { checkOptions } from '../../../shapes/shape.js'
import { closeListener } from './close-listener.js'
import {
  closeShape,
  resolveCloseOptions,
  type CloseOptions,
  type CloseSettings,
} from './close-options.js'
import type { Connections } from '../connection/connections.js'
import { waveMs, Waves } from '../streams/open-flows.js'

/*
 * How a server ends without losing a request. A load balancer takes time to notice, a client may be sending
 * while the server closes, and the system may have accepted connections that the server has not seen.
 *
 * 1. The delay: /readyz answers 503, and a load balancer has time to notice. Responses say `Connection: close`, so that
 *    clients reconnect through it and reach another server.
 * 2. The calm, the last moment of the delay: responses keep their connections. A client that must reconnect does so at
 *    once, and the system resets what waits in its queue when the listener closes.
 * 3. The listener is closed, which waits until no connection has come in for a moment. A server that does not listen
 *    gets its connections from another process, and has no queue.
 * 4. The grace: responses say `Connection: close`. Idle connections stay, since a request may be on its way. Open
 *    streams are ended in waves from now on: earlier, their clients would only connect to this server again.
 * 5. The sweeps: as in the grace, and idle connections are closed periodically.
 * 6. The cut: the deadline has passed, or no connection is left. Those that are left are destroyed.
 *
 * If the deadline passes before the listener is closed, that is still done with care, and all streams are ended meanwhile.
 * Streams end in waves, whatever else the server waits for, and a response to a request takes the time that it needs. What
 * is left of both at the deadline is cut.
 */

/** The result of `close`. */
export interface CloseReport {
  /** Requests that were answered while closing. */
  readonly finished: number
  /** Requests that were aborted at the deadline. */
  readonly cut: number
  /** Streams over HTTP whose clients were asked to connect again, and those that were aborted. */
  readonly streams: { readonly ended: number; readonly cut: number }
  /** WebSockets that were closed, and those that were aborted: with results that were not finished, or not read. */
  readonly sockets: { readonly closed: number; readonly cut: number }
}

/** The parts of a server that `close` ends. */
export interface Drained {
  readonly server: Server
  /** The HTTP/1.1 server: the same one if nothing is encrypted. */
  readonly http1: HttpServer
  readonly connections: Connections
  /** Stops the timers that enforce time limits. */
  readonly end: () => void
}

/** How long the calm at the end of a delay lasts. */
const calmMs = 200

/** Creates `close`; a second call returns the promise of the first. */
export function createDrain(parts: Drained): (options?: CloseOptions) => Promise<CloseReport> {
  let report: Promise<CloseReport> | undefined
  return (options = {}) => {
    checkOptions('close', options, closeShape)
    return (report ??= new Drain(parts, resolveCloseOptions(options)).run())
  }
}

class Drain {
  readonly #parts: Drained
  readonly #times: CloseSettings
  readonly #deadline: number
  readonly #waves: Waves
  #wake: () => void = () => {}

  constructor(parts: Drained, times: CloseSettings) {
    this.#parts = parts
    this.#times = times
    this.#deadline = performance.now() + times.deadline
    this.#waves = new Waves(() => parts.connections.flows())
  }

  async run(): Promise<CloseReport> {
    const { server, connections, end } = this.#parts
    const { delay } = this.#times
    const calmTime = server.listening ? Math.min(delay, calmMs) : 0
    if (delay > calmTime) {
      connections.enter('closing')
      await this.#pass(delay - calmTime)
    }
    if (server.listening) {
      connections.enter('calm')
      await this.#pass(calmTime)
      await this.#closeListener()
    }
    connections.onEmpty = () => this.#wake()
    if (!this.#isLate) await this.#endAll()
    connections.enter('cut')
    const { requests, ...lost } = connections.cut()
    while (connections.size > 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    end()
    // Some of the streams that were cut had been asked to end.
    const { streams, sockets } = this.#waves.ended
    return {
      finished: connections.finished,
      cut: requests,
      streams: { ended: Math.max(0, streams - lost.streams), cut: lost.streams },
      sockets: { closed: Math.max(0, sockets - lost.sockets), cut: lost.sockets },
    }
  }

  async #closeListener(): Promise<void> {
    const closed = closeListener(this.#parts.server).then(() => this.#wake())
    await this.#pass(Infinity)
    if (this.#isLate) this.#endSome()
    await closed
  }

  /** The grace and the sweeps, until no connection is left. */
  async #endAll(): Promise<void> {
    const { connections, http1 } = this.#parts
    connections.enter('closing')
    const now = performance.now()
    const sweepAt = now + this.#times.grace
    this.#waves.start(now, this.#times.spread, this.#deadline)
    while (connections.size > 0 && !this.#isLate) {
      this.#endSome()
      const left = sweepAt - performance.now()
      if (left <= 0) connections.closeIdle(http1)
      // This timer keeps the process alive, and only while there is a connection.
      await this.#pass(left > 0 ? Math.min(waveMs, left) : waveMs, true)
    }
  }

  /** Ends some of the streams and sockets; without a plan, all of them. */
  #endSome(): void {
    this.#waves.next(performance.now())
    this.#parts.connections.closeBehindStreams()
  }

  get #isLate(): boolean {
    return performance.now() >= this.#deadline
  }

  /** Waits until the time is over, but not beyond the deadline, or until it is woken. */
  #pass(ms: number, keepsAlive = false): Promise<void> {
    return new Promise((resolve) => {
      const left = Math.max(0, this.#deadline - performance.now())
      const timer = setTimeout(() => this.#wake(), Math.min(ms, left))
      if (!keepsAlive) timer.unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
