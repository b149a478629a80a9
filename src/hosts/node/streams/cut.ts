import type { Writable } from 'node:stream'
import { flowsOf, isStream, socketOf } from './open-flows.js'

/** What was aborted. */
export interface Cut {
  /** Requests whose response was not sent. */
  readonly requests: number
  readonly streams: number
  readonly sockets: number
}

export const noCut: Cut = { requests: 0, streams: 0, sockets: 0 }

export function addCuts(...cuts: readonly (Cut | undefined)[]): Cut {
  let { requests, streams, sockets } = noCut
  for (const cut of cuts) {
    requests += cut?.requests ?? 0
    streams += cut?.streams ?? 0
    sockets += cut?.sockets ?? 0
  }
  return { requests, streams, sockets }
}

/** The requests and streams that are lost if a connection is cut now. */
export function cutOf(inFlight: readonly object[], connection: object): Cut {
  // A stream that has ended may not have been sent.
  const unsent = inFlight.filter(isStream).length
  return {
    requests: inFlight.length - unsent,
    streams: Math.max(unsent, [...flowsOf(connection)].length),
    sockets: 0,
  }
}

/** What is lost with a connection that may have become a WebSocket, which is not a response. */
export function cutOfSocket(inFlight: readonly object[], socket: Writable): Cut {
  const opened = socketOf(socket)
  // A socket that was closed loses nothing, if its client has read the close frame.
  const isCut = opened !== undefined && (opened.state !== 'closed' || socket.writableLength > 0)
  return { ...cutOf(inFlight, socket), sockets: isCut ? 1 : 0 }
}
