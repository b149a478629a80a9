import type { ServerResponse } from 'node:http'
import type { SessionState } from '../../../websocket/session-states.js'

/** Something that stays open on a connection for long: a stream of events, or a WebSocket. */
export interface OpenFlow {
  /** Ends it in the way that makes its client connect again. Ending it twice is harmless. */
  shutDown(): void
  /** Of a WebSocket, which is alone on its connection, also while its client has not answered that it was closed. */
  readonly state?: SessionState
}

const none: readonly OpenFlow[] = []

/**
 * What is open, by connection: the socket of HTTP/1 (decrypted, with TLS), or the session of HTTP/2. One list for the
 * whole process, since a server does not know which of its listeners opens streams. What has ended is forgotten.
 */
const open = new WeakMap<object, OpenFlow | Set<OpenFlow>>()

/** The responses that are streams, which a closing server counts separately. */
const streamed = new WeakSet<object>()

/** Registers what a server must end before it can close, and the response that it is. */
export function registerFlow(connection: object, flow: OpenFlow, response?: object): void {
  const before = open.get(connection)
  // A connection of HTTP/1 has one at a time, and a set for each would cost more than the flow.
  if (before === undefined) open.set(connection, flow)
  else if (before instanceof Set) before.add(flow)
  else open.set(connection, new Set([before, flow]))
  if (response !== undefined) streamed.add(response)
}

export function forgetFlow(connection: object, flow: OpenFlow): void {
  const flows = open.get(connection)
  if (flows === flow) open.delete(connection)
  else if (flows instanceof Set) flows.delete(flow)
}

/** What is open on a connection, oldest first. */
export function flowsOf(connection: object): Iterable<OpenFlow> {
  const flows = open.get(connection)
  if (flows === undefined) return none
  return flows instanceof Set ? flows : [flows]
}

export function isStream(response: object): boolean {
  return streamed.has(response)
}

export function isOpenStream(response: ServerResponse): boolean {
  return isStream(response) && !response.writableEnded
}

export const waveMs = 200

/** How long before the deadline the last wave comes, so that its clients still get the end of their streams. */
const leadMs = 500

/**
 * Ends what is open in waves: clients connect again at once, and thousands of them at the same moment would be too
 * much for the servers that are left.
 */
export class Waves {
  /** How many were asked to end. */
  readonly ended = { streams: 0, sockets: 0 }
  readonly #flows: () => Iterable<OpenFlow>
  /** The flows that were asked to end: some end later. */
  readonly #told = new WeakSet<OpenFlow>()
  #end = 0

  constructor(flows: () => Iterable<OpenFlow>) {
    this.#flows = flows
  }

  /** Plans the waves; times as of `performance.now`. */
  start(now: number, spread: number, deadline: number): void {
    this.#end = Math.min(now + spread, deadline - leadMs)
  }

  /** Ends the next wave, large enough to finish in time. */
  next(now: number): void {
    const left = [...this.#flows()].filter(
      (flow) => flow.state !== 'closed' && !this.#told.has(flow),
    )
    const wavesLeft = Math.max(1, Math.ceil((this.#end - now) / waveMs))
    for (const flow of left.slice(0, Math.ceil(left.length / wavesLeft))) {
      this.#told.add(flow)
      this.ended[flow.state === undefined ? 'streams' : 'sockets'] += 1
      flow.shutDown()
    }
  }
}
