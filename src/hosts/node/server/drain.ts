import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { follow, never, type Transitions } from '../../../base/transitions.js'
import { checkOptions } from '../../../shapes/shape.js'
import { closeListener } from './close-listener.js'
import {
  closeShape,
  resolveCloseOptions,
  type CloseOptions,
  type CloseSettings,
} from './close-options.js'
import { whileServing, type Connections, type ConnectionPolicy } from '../connection/connections.js'
import type { Http2Sessions } from '../http2/http2-sessions.js'

/*
 * How a server ends without losing a request. A load balancer takes time to notice, a client may be sending
 * while the server closes, and the system may have accepted connections that the server has not seen.
 *
 *     serving --> leaving --> calm --> closing ------> grace --> sweeping --> cutting --> ended
 *        |           |         ^  |       |                                     ^
 *        +-----------|---------+  |       | deadline                            |
 *                    +------------+-------+------------> hurried ---------------+
 *
 * serving   Not closing.
 * leaving   /readyz answers 503, and a load balancer has the delay to notice. Responses say
 *           `Connection: close`, so that clients reconnect through it and reach another server.
 * calm      The last moment of the delay. Responses keep their connections: a client that must reconnect does so
 *           at once, and the system resets what waits in its queue when the listener closes.
 * closing   The listener is being closed, which waits until no connection has come in for a moment.
 * hurried   The same after the deadline.
 * grace     The listener is closed. Responses say `Connection: close`. Idle connections stay, since a request
 *           may be on its way.
 * sweeping  Idle connections are closed periodically.
 * cutting   The deadline has passed, or no connection is left. Those that are left are destroyed.
 * ended     The last connection has closed.
 *
 * The events:
 *
 * close           `close` was called with a delay no longer than the calm.
 * closeLater      `close` was called with a longer delay, or on a server that does not listen: its connections
 *                 come from another process, so that there is no queue to take care of.
 * waited          The time of the state is over.
 * listenerClosed  The listener has closed, or there was none.
 * empty           The last connection has closed. It only matters when no other can come.
 * deadline        The time for everything is over. An open listener is still closed with care.
 *
 * A second call of `close` is not an event: it returns the promise of the first.
 */
export type DrainState =
  | 'serving'
  | 'leaving'
  | 'calm'
  | 'closing'
  | 'hurried'
  | 'grace'
  | 'sweeping'
  | 'cutting'
  | 'ended'

export type DrainEvent = 'close' | 'closeLater' | 'waited' | 'listenerClosed' | 'empty' | 'deadline'

// oxfmt-ignore
export const drainTransitions: Transitions<DrainState, DrainEvent> = {
  serving:  { close: 'calm', closeLater: 'leaving', waited: never,      listenerClosed: never,     empty: 'serving',  deadline: never },
  leaving:  { close: never,  closeLater: never,     waited: 'calm',     listenerClosed: never,     empty: 'leaving',  deadline: 'hurried' },
  calm:     { close: never,  closeLater: never,     waited: 'closing',  listenerClosed: never,     empty: 'calm',     deadline: 'hurried' },
  closing:  { close: never,  closeLater: never,     waited: never,      listenerClosed: 'grace',   empty: 'closing',  deadline: 'hurried' },
  hurried:  { close: never,  closeLater: never,     waited: never,      listenerClosed: 'cutting', empty: 'hurried',  deadline: never },
  grace:    { close: never,  closeLater: never,     waited: 'sweeping', listenerClosed: never,     empty: 'cutting',  deadline: 'cutting' },
  sweeping: { close: never,  closeLater: never,     waited: never,      listenerClosed: never,     empty: 'cutting',  deadline: 'cutting' },
  cutting:  { close: never,  closeLater: never,     waited: never,      listenerClosed: never,     empty: 'ended',    deadline: never },
  ended:    { close: never,  closeLater: never,     waited: never,      listenerClosed: never,     empty: 'ended',    deadline: never },
}

/** What each state means for connections. */
// oxfmt-ignore
export const policies: { readonly [state in DrainState]: ConnectionPolicy } = {
  serving:  whileServing,
  leaving:  { isDraining: true,  saysClose: true,  takesNew: true },
  calm:     { isDraining: true,  saysClose: false, takesNew: true },
  closing:  { isDraining: true,  saysClose: false, takesNew: true },
  hurried:  { isDraining: true,  saysClose: false, takesNew: true },
  grace:    { isDraining: true,  saysClose: true,  takesNew: true },
  sweeping: { isDraining: true,  saysClose: true,  takesNew: true },
  cutting:  { isDraining: true,  saysClose: true,  takesNew: false },
  ended:    { isDraining: true,  saysClose: true,  takesNew: false },
}

/** The result of `close`. */
export interface CloseReport {
  /** Requests that were answered while closing. */
  readonly finished: number
  /** Requests that were aborted at the deadline. */
  readonly cut: number
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
const sweepMs = 200

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
  #cut = 0

  constructor(parts: Drained, times: CloseSettings) {
    this.#parts = parts
    this.#times = times
    this.#calm = parts.server.listening ? Math.min(times.delay, calmMs) : 0
    this.#report = new Promise((resolve) => (this.#resolve = resolve))
  }

  run(): Promise<CloseReport> {
    const { server, connections } = this.#parts
    // Not in the event itself: other listeners of the event still count the connection.
    connections.onEmpty = () => queueMicrotask(() => this.#on('empty'))
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
    hurried: () => this.#closeListener(),
    grace: () => {
      if (this.#parts.connections.size === 0) return this.#on('empty')
      // This timer and that of the sweeps keep the process alive, and only while there is a connection.
      this.#timer = setTimeout(() => this.#on('waited'), this.#times.grace)
    },
    sweeping: () => this.#sweep(),
    cutting: () => {
      const { connections, sessions } = this.#parts
      clearTimeout(this.#deadline)
      this.#cut = (sessions?.cut() ?? 0) + connections.cut()
      if (connections.size === 0) this.#on('empty')
    },
    ended: () => {
      const { connections, sessions, end } = this.#parts
      end()
      const finished = connections.finished + (sessions?.finished ?? 0)
      this.#resolve({ finished, cut: this.#cut })
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

  #sweep(): void {
    const { connections, http1, sessions } = this.#parts
    connections.closeIdle(http1)
    sessions?.closeIdle()
    this.#timer = setTimeout(() => this.#sweep(), sweepMs)
  }
}
