import type { GoneListener } from '../http/message.js'
import type { EndCause } from '../streams/end-cause.js'
import type { Outlet } from '../streams/outlet.js'
import type { Pump } from '../streams/pump.js'
import type { OperationOutlet, Running } from '../websocket/operations.js'
import type { StopCause } from '../websocket/running-operations.js'
import type { SocketReply, SocketTools } from './socket-road.js'
import { forgetRequest, type Facts } from './road/facts.js'
import { playStream } from './steps/play-stream.js'

/** An operation of a socket. If it is a stream, that is played into it. */
export class SocketOperation implements Running, Outlet {
  /** Heartbeats and time limits are those of the socket. */
  readonly seesSlowReaders = true
  isStream = false
  readonly #outlet: OperationOutlet
  readonly #tools: SocketTools
  /** Called if the client leaves before there is a reply. */
  #leaving: Set<GoneListener> | undefined
  #stopped: StopCause | undefined
  #pump: Pump | undefined

  constructor(outlet: OperationOutlet, tools: SocketTools) {
    this.#outlet = outlet
    this.#tools = tools
  }

  onClientGone(listener: GoneListener): () => void {
    const leaving = (this.#leaving ??= new Set()).add(listener)
    return () => void leaving.delete(listener)
  }

  take(reply: SocketReply, facts: Facts): void {
    const { settings, streams, transport } = this.#tools
    if ('program' in reply) {
      if (this.#stopped) return streams.discard(reply.program)
      forgetRequest(facts)
      this.#leaving = undefined
      // The parts of an incremental result end soon.
      this.isStream = facts.operation?.operation === 'subscription'
      const playing = { program: reply.program, outlet: this, transport }
      this.#pump = playStream(playing, facts, settings, streams)
      if (this.#stopped) this.#pump.end(this.#stopped) // its first event has cut the socket
      this.#outlet.opened?.()
    } else if (this.#stopped) return
    else if ('errors' in reply) this.#outlet.error(reply.errors)
    else {
      this.#outlet.next(reply.result)
      this.#outlet.complete()
    }
  }

  resume(): void {
    this.#pump?.resume()
  }

  stop(cause: StopCause): PromiseLike<unknown> | void {
    if (this.#stopped) return
    this.#stopped = cause
    if (this.#pump !== undefined) return this.#pump.end(cause)
    const works = Array.from(this.#leaving ?? [], (listener) => listener())
    return works.find((work) => work !== undefined)
  }

  next(result: string): boolean {
    return this.#outlet.next(result)
  }

  heartbeat(): boolean {
    return true
  }

  /** If the whole socket ends, its close code says why. */
  end(cause: EndCause, errors = '[]'): void {
    const isOwn = cause === 'source-failed' || cause === 'too-long' || cause === 'interrupted'
    const closing = isOwn ? this.#pump?.program.close?.(errors) : undefined
    if (closing !== undefined) this.#outlet.next(closing)
    if (cause === 'complete' || closing !== undefined) this.#outlet.complete()
    else if (cause === 'interrupted' && this.#outlet.interrupt) this.#outlet.interrupt()
    else if (isOwn || this.#tools.transport === 'in-process') this.#outlet.error(errors)
  }
}
