import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { follow } from '../../../base/transitions.js'
import { checkOptions } from '../../../shapes/shape.js'
import { closeListener } from './close-listener.js'
import {
  closeShape,
  resolveCloseOptions,
  type CloseOptions,
  type CloseSettings,
} from './close-options.js'
import type { Connections } from '../connection/connections.js'
import { drainTransitions, policies, type DrainEvent, type DrainState } from './drain-states.js'
import type { Http2Sessions } from '../http2/http2-sessions.js'
import { addCuts, noCut } from '../streams/cut.js'
import { waveMs, Waves } from '../streams/open-flows.js'

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
  /** The server that listens. */
  readonly server: Server
  /** The HTTP/1.1 server: the same one if nothing is encrypted. */
  readonly http1: HttpServer
  readonly connections: Connections
  /** Undefined if the server does not support HTTP/2. */
  readonly sessions: Http2Sessions | undefined
  /** Stops the timers that enforce time limits. */
  readonly end: () => void
}

/** How often connections that have become idle are closed. */
const sweepMs = waveMs

/** How long the calm at the end of a delay lasts. */
const calmMs = 200

/** Creates `close`; a second call returns the promise of the first. */
export function createDrain(parts: Drained): (options?: CloseOptions) => Promise<CloseReport> {
  let closing: Promise<CloseReport> | undefined
  return (options = {}) => {
    checkOptions('close', options, closeShape)
    return (closing ??= new Drain(parts, resolveCloseOptions(options)).run())
  }
}

/** A server that closes, as described by the table above. */
class Drain {
  #state: DrainState = 'serving'
  readonly #parts: Drained
  readonly #times: CloseSettings
  readonly #calm: number
  readonly #report: Promise<CloseReport>
  #resolve: (report: CloseReport) => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #listenerClosed: Promise<void> | undefined
  readonly #streams: Waves
  readonly #sockets: Waves
  #wave: NodeJS.Timeout | undefined
  #deadlineAt = Infinity
  #cut = noCut

  constructor(parts: Drained, times: CloseSettings) {
    this.#parts = parts
    this.#times = times
    this.#calm = parts.server.listening ? Math.min(times.delay, calmMs) : 0
    this.#report = new Promise((resolve) => (this.#resolve = resolve))
    this.#streams = new Waves(() => [
      ...parts.connections.flows(),
      ...(parts.sessions?.flows() ?? []),
    ])
    this.#sockets = new Waves(() => parts.connections.webSockets())
  }

  run(): Promise<CloseReport> {
    const { server, connections } = this.#parts
    // In a microtask, since other listeners of the event still count the connection.
    connections.onEmpty = () => queueMicrotask(() => this.#on('empty'))
    this.#deadlineAt = performance.now() + this.#times.deadline
    this.#deadline = setTimeout(() => this.#on('deadline'), this.#times.deadline)
    this.#deadline.unref()
    this.#on(server.listening && this.#times.delay <= this.#calm ? 'close' : 'closeLater')
    return this.#report
  }

  #on(event: DrainEvent): void {
    const before = this.#state
    this.#state = follow(drainTransitions, before, event)
    if (this.#state === before) return
    clearTimeout(this.#timer)
    clearTimeout(this.#wave)
    const policy = policies[this.#state]
    this.#parts.connections.obey(policy)
    this.#parts.sessions?.obey(policy)
    this.#entered[this.#state]()
  }

  /** The actions on entering each state. */
  readonly #entered: { readonly [state in DrainState]: () => void } = {
    serving: () => {},
    leaving: () => this.#wait(this.#times.delay - this.#calm),
    calm: () => this.#wait(this.#calm),
    closing: () => this.#closeListener(),
    hurried: () => {
      this.#endStreams()
      this.#closeListener()
    },
    grace: () => {
      if (this.#parts.connections.size === 0) return this.#on('empty')
      // This timer and that of the sweeps keep the process alive, and only while there is a connection.
      this.#timer = setTimeout(() => this.#on('waited'), this.#times.grace)
      for (const waves of [this.#streams, this.#sockets]) {
        waves.start(performance.now(), this.#times.spread, this.#deadlineAt)
      }
      this.#endSome()
    },
    sweeping: () => this.#sweep(),
    cutting: () => {
      const { connections, sessions } = this.#parts
      clearTimeout(this.#deadline)
      this.#cut = addCuts(connections.cut(), sessions?.cut())
      if (connections.size === 0) this.#on('empty')
    },
    ended: () => {
      const { connections, sessions, end } = this.#parts
      end()
      const finished = connections.finished + (sessions?.finished ?? 0)
      const { requests: cut, ...lost } = this.#cut
      // Some of the streams that were cut had been asked to end.
      const ended = Math.max(0, this.#streams.ended - lost.streams)
      const closed = Math.max(0, this.#sockets.ended - lost.sockets)
      const streams = { ended, cut: lost.streams }
      this.#resolve({ finished, cut, streams, sockets: { closed, cut: lost.sockets } })
    },
  }

  #wait(ms: number): void {
    if (ms === 0) return this.#on('waited')
    this.#timer = setTimeout(() => this.#on('waited'), ms)
    this.#timer.unref()
  }

  #closeListener(): void {
    const { server } = this.#parts
    if (this.#listenerClosed !== undefined) return // its state is already `hurried`
    if (!server.listening) return this.#on('listenerClosed')
    this.#listenerClosed = closeListener(server).then(() => this.#on('listenerClosed'))
  }

  /** Ends some of the streams and sockets, and others later. */
  #endSome(): void {
    this.#endStreams()
    this.#wave = setTimeout(() => this.#endSome(), waveMs)
  }

  #endStreams(): void {
    const now = performance.now()
    this.#streams.next(now)
    this.#sockets.next(now)
    this.#parts.connections.closeBehindStreams()
  }

  #sweep(): void {
    const { connections, http1, sessions } = this.#parts
    this.#endStreams()
    connections.closeIdle(http1)
    sessions?.closeIdle()
    this.#timer = setTimeout(() => this.#sweep(), sweepMs)
  }
}
