import { inThisContext } from '../base/async-context.js'
import { returnSource } from '../base/promise.js'
import type { ExecutionInput } from '../graphql/execute/arguments.js'
import type { Operation } from '../graphql/execute/operation.js'
import { CredentialWatch, type Credentials } from './credentials.js'
import type { EndCause } from './end-cause.js'
import type { Outlet } from './outlet.js'
import type { Program } from './program.js'
import { Pump, type PumpListener } from './pump.js'
import { keptBy, Releases, SharedResults, StreamShares, type StreamLimits } from './kept.js'

/** A source that has not finished long after its stream ended. */
export interface StuckSource {
  /** The name of the root field. */
  readonly field: string
  readonly operationName: string | undefined
  /** For how long it has been asked to return, in milliseconds. */
  readonly since: number
}

/** Counts of streams. */
export interface StreamStats {
  /** How many streams are open. */
  readonly open: number
  /** How many ended streams have a source or resolvers that have not finished yet. */
  readonly returning: number
  /** The sources that have not finished within `returnTimeout`. */
  readonly stuck: readonly StuckSource[]
}

/** The totals of an ended stream. */
export interface StreamReport {
  readonly field: string
  readonly operationName: string | undefined
  readonly cause: EndCause
  /** How many results were written. */
  readonly events: number
  /** How long it was open, in milliseconds. */
  readonly duration: number
}

/** A stream that has ended, for `onStreamEnd`. */
export interface StreamEnd extends StreamReport {
  readonly transport: 'event-stream' | 'multipart' | 'json-lines' | 'websocket' | 'in-process'
}

/** Called once, when the stream has ended. */
export interface StreamWatcher {
  ended(report: StreamReport): void
}

/** What the registry needs to know; times in milliseconds. */
export interface StreamRules extends StreamLimits {
  readonly heartbeat: number
  readonly streamSendTimeout: number
  readonly returnTimeout: number
  readonly maxStreamDuration: number
  readonly recheckInterval: number
  readonly onStuck: (source: StuckSource) => void
}

/** How often the clock looks at all streams. A timer for each stream would cost more than the stream. */
const lookMs = 1000

/** A source, and what it is called in reports. */
type NamedSource = Pick<Program, 'source' | 'field' | 'operationName'>

interface Returning {
  readonly program: NamedSource
  readonly since: number
  isReported: boolean
}

/** The open streams of an endpoint, and the sources of ended ones that have not finished. */
export class Streams {
  readonly #rules: StreamRules
  readonly #open = new Map<Pump, StreamWatcher>()
  readonly #returning = new Set<Returning>()
  /** The sources that have not been played yet, and how to stop waiting for their requests to be cancelled. */
  readonly #unplayed = new Map<AsyncIterator<unknown>, () => void>()
  /** The sources that are or were unplayed, which are returned when their request is cancelled. */
  readonly #begun = new WeakSet<AsyncIterator<unknown>>()
  readonly results: SharedResults = new SharedResults()
  readonly #shares: StreamShares
  readonly #releases = new Releases()
  readonly #credentials: CredentialWatch
  #clock: ReturnType<typeof setInterval> | undefined

  constructor(rules: StreamRules) {
    this.#rules = rules
    this.#shares = new StreamShares(rules)
    this.#credentials = new CredentialWatch(rules.recheckInterval)
  }

  /**
   * Whether another stream fits, with what it would keep of its request. Sources that do not finish count as well: otherwise
   * clients that come and go would leak without a limit.
   */
  hasRoomFor(operation: Operation, client: string | undefined): boolean {
    return this.#shares.hasRoomFor(keptBy(operation), client)
  }

  /**
   * Counts a subscription from now on. Returns what to call once with its source, or with undefined if it has none. The
   * source is returned if its request is cancelled before it is played.
   */
  begin(
    operation: Operation,
    { cancellation, client }: ExecutionInput,
  ): (started: NamedSource | undefined) => void {
    const release = this.#shares.take(keptBy(operation), client)
    return (started) => {
      if (started === undefined) return release()
      this.#releases.add(started.source, release)
      this.#begun.add(started.source)
      if (cancellation.aborted) return this.#return(started)
      const abandon = (): void => {
        if (this.#unplayed.delete(started.source)) this.#return(started)
        // The source of two subscriptions is returned once, but counts for both.
        else if (this.#begun.has(started.source)) this.#releases.call(started.source)
      }
      cancellation.addEventListener('abort', abandon)
      this.#unplayed.set(started.source, () => cancellation.removeEventListener('abort', abandon))
    }
  }

  /** Counts a result in parts, and what it keeps of its request, until it has ended. */
  keep(source: Program['source'], operation: Operation, client: string | undefined): void {
    this.#releases.add(source, this.#shares.take(keptBy(operation), client))
  }

  get stats(): StreamStats {
    const now = performance.now()
    const stuck = [...this.#returning].filter(({ isReported }) => isReported)
    return {
      open: this.#open.size,
      returning: this.#returning.size + this.#releases.working,
      stuck: stuck.map((source) => describe(source, now)),
    }
  }

  /** Starts a stream. */
  play(program: Program, outlet: Outlet, watcher: StreamWatcher): Pump {
    this.#unplayed.get(program.source)?.()
    this.#unplayed.delete(program.source)
    this.#begun.delete(program.source)
    const pump = new Pump(program, outlet, this.#ended)
    this.#open.set(pump, watcher)
    this.#startClock()
    pump.start()
    return pump
  }

  readonly #ended: PumpListener = (pump, cause, work) => {
    const watcher = this.#open.get(pump)
    this.#open.delete(pump)
    // A source that is done or has thrown has nothing to return.
    if (cause !== 'complete' && cause !== 'source-failed') this.#return(pump.program, work)
    else this.#releases.call(pump.program.source, work)
    watcher?.ended(reportOf(pump, cause))
  }

  /** Watches credentials until the returned function is called. */
  watch(credentials: Credentials): () => void {
    this.#startClock()
    return this.#credentials.add(credentials)
  }

  /** Gives up a program that was never played. */
  discard(program: Program): void {
    const work = program.stop('client-gone')
    // Stopping a subscription has given up its source, unless that was done before.
    if (!this.#begun.has(program.source)) this.#return(program, work)
  }

  /** Returns a source without waiting for it, and watches that it finishes. */
  #return(program: NamedSource, work?: Promise<void>): void {
    const returned = returnSource(program.source)
    if (returned === undefined) return this.#releases.call(program.source, work)
    const returning = { program, since: performance.now(), isReported: false }
    this.#returning.add(returning)
    this.#startClock()
    void returned.then(() => {
      this.#returning.delete(returning)
      this.#releases.call(program.source, work)
    })
  }

  /** Not in the asynchronous context of the first stream. */
  readonly #lookApart = inThisContext(() => this.#look())

  #startClock(): void {
    if (this.#clock !== undefined) return
    this.#clock = setInterval(this.#lookApart, lookMs)
    ;(this.#clock as { unref?: () => void }).unref?.()
  }

  #look(): void {
    const { heartbeat, streamSendTimeout, returnTimeout, maxStreamDuration, onStuck } = this.#rules
    const now = performance.now()
    const heartbeatLooks = Math.max(1, Math.round(heartbeat / lookMs))
    for (const pump of this.#open.keys()) {
      if (now - pump.openedAt > maxStreamDuration) pump.end('too-long')
      else pump.look(heartbeatLooks, Math.round(streamSendTimeout / lookMs))
    }
    for (const source of this.#returning) {
      if (source.isReported || now - source.since < returnTimeout) continue
      source.isReported = true
      onStuck(describe(source, now))
    }
    this.#credentials.look(now)
    if (this.#open.size > 0 || this.#returning.size > 0 || this.#credentials.size > 0) return
    clearInterval(this.#clock)
    this.#clock = undefined
  }
}

function describe({ program, since }: Returning, now: number): StuckSource {
  const { field, operationName } = program
  return { field, operationName, since: Math.round(now - since) }
}

function reportOf({ program, events, openedAt }: Pump, cause: EndCause): StreamReport {
  const { field, operationName } = program
  return { field, operationName, cause, events, duration: performance.now() - openedAt }
}
