import { Shares } from '../../base/shares.js'
import type { AddressReader } from '../../http/client-address.js'
import type { RequestHead } from '../../http/message.js'
import type { Refusal } from '../../over-http/refusals.js'

/** Counts the requests that wait, and refuses further ones above a limit. */
export interface LoadGate {
  /** Refuses a request while the server is overloaded. Not for a request that is already counted. */
  check(head: RequestHead): Refusal | undefined
  /** A request begins to wait for something. Returns its client, which also leaves. */
  enter(head: RequestHead): string | undefined
  leave(client: string | undefined): void
}

export interface LoadLimits {
  readonly maxInFlight: number
  readonly maxEventLoopDelay: number
  readonly clientShare: number
  readonly clientOf: AddressReader
}

/** A request with an immediate response never waits, and is not counted. */
export function createLoadGate(limits: LoadLimits): LoadGate {
  const { maxInFlight, maxEventLoopDelay, clientShare, clientOf } = limits
  const delay = maxEventLoopDelay < Infinity ? createDelayMeter() : undefined
  const shares = new Shares(maxInFlight, clientShare)
  const hasShares = shares.most < maxInFlight
  let inFlight = 0
  return {
    check(head) {
      // No client holds more than all together: while few wait, the client is not looked up.
      if (inFlight >= shares.most) {
        const isFull = inFlight >= maxInFlight || !shares.hasRoomFor(clientOf(head))
        if (isFull) return { kind: 'overloaded', by: 'requests' }
      }
      return delay !== undefined && delay() > maxEventLoopDelay
        ? { kind: 'overloaded', by: 'event-loop' }
        : undefined
    },
    enter(head) {
      inFlight += 1
      const client = hasShares ? clientOf(head) : undefined
      shares.add(client)
      return client
    },
    leave(client) {
      inFlight -= 1
      shares.remove(client)
    },
  }
}

const sampleMs = 50

/**
 * Returns a function that returns how late the event loop was at the last measurement. The timer runs only while requests
 * come, and does not keep the process alive.
 */
function createDelayMeter(): () => number {
  let late = 0
  let expected = 0
  let isAsked = false
  let isRunning = false
  const sample = (): void => {
    late = Math.max(0, performance.now() - expected)
    isRunning = isAsked
    if (isAsked) plan()
    else late = 0
  }
  const plan = (): void => {
    isAsked = false
    expected = performance.now() + sampleMs
    setTimeout(sample, sampleMs).unref?.()
  }
  return () => {
    isAsked = true
    if (!isRunning) {
      isRunning = true
      plan()
    }
    return late
  }
}
