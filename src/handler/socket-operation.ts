import type { Settings } from '../options/settings.js'
import type { EndCause } from '../streams/end-cause.js'
import type { Outlet } from '../streams/outlet.js'
import type { Pump } from '../streams/pump.js'
import type { Streams } from '../streams/streams.js'
import type { OperationOutlet, Running } from '../websocket/operations.js'
import type { StopCause } from '../websocket/running-operations.js'
import type { SocketReply } from './graphql-surface.js'
import { forgetRequest, type Exchange } from './stages/exchange.js'
import { playStream } from './stages/play-stream.js'

/** An operation of a socket. If it is a stream, that is played into it. */
export class SocketOperation implements Running, Outlet {
  /** Heartbeats and time limits are those of the socket. */
  readonly seesSlowReaders = true
  readonly #exchange: Exchange
  readonly #outlet: OperationOutlet
  /** Called if the client leaves before there is a reply. */
  readonly #leaving: readonly (() => void)[]
  readonly #kit: { readonly settings: Settings; readonly streams: Streams }
  #isStopped = false
  #pump: Pump | undefined

  constructor(
    exchange: Exchange,
    outlet: OperationOutlet,
    leaving: readonly (() => void)[],
    kit: { readonly settings: Settings; readonly streams: Streams },
  ) {
    this.#exchange = exchange
    this.#outlet = outlet
    this.#leaving = leaving
    this.#kit = kit
  }

  take(reply: SocketReply): void {
    const { settings, streams } = this.#kit
    if ('program' in reply) {
      if (this.#isStopped) return streams.discard(reply.program)
      forgetRequest(this.#exchange)
      const playing = { program: reply.program, outlet: this, transport: 'websocket' } as const
      this.#pump = playStream(playing, this.#exchange, settings, streams)
    } else if (!this.#isStopped) write(reply, this.#outlet)
  }

  get isStream(): boolean {
    // The parts of an incremental result end soon.
    return this.#pump !== undefined && this.#exchange.operation?.operation === 'subscription'
  }

  resume(): void {
    this.#pump?.resume()
  }

  stop(cause: StopCause): void {
    if (this.#isStopped) return
    this.#isStopped = true
    if (this.#pump !== undefined) return this.#pump.end(cause)
    for (const listener of this.#leaving) listener()
  }

  next(result: string): boolean {
    return this.#outlet.next(result)
  }

  heartbeat(): void {}

  /** What ends all of the socket is told by its close code. */
  end(cause: EndCause, errors: string | undefined): void {
    if (cause === 'complete') this.#outlet.complete()
    else if (cause === 'source-failed' || cause === 'too-long') this.#outlet.error(errors ?? '[]')
  }
}

function write(
  reply: Exclude<SocketReply, { readonly program: unknown }>,
  outlet: OperationOutlet,
): void {
  if ('errors' in reply) return outlet.error(reply.errors)
  outlet.next(reply.result)
  outlet.complete()
}
