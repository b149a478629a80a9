import type { Refusal } from '../../over-http/refusal.js'

/** Counts the requests that wait, and refuses further ones above a limit. */
export interface LoadGate {
  /** Refuses a request while the server is overloaded. Not to be asked for one that is counted: it has its place. */
  check(): Refusal | undefined
  /** A request begins to wait for something. */
  enter(): void
  leave(): void
}

export interface LoadLimits {
  readonly maxInFlight: number
  readonly maxEventLoopDelay: number
}

/** A request with an immediate response never waits, and is not counted. */
export function createLoadGate({ maxInFlight, maxEventLoopDelay }: LoadLimits): LoadGate {
  const delay = maxEventLoopDelay < Infinity ? createDelayMeter() : undefined
  let inFlight = 0
  return {
    check() {
      if (inFlight >= maxInFlight) return { kind: 'overloaded', by: 'requests' }
      return delay !== undefined && delay() > maxEventLoopDelay
        ? { kind: 'overloaded', by: 'event-loop' }
        : undefined
    },
    enter() {
      inFlight += 1
    },
    leave() {
      inFlight -= 1
    },
  }
}

const sampleMs = 50

/**
 * Returns a function that tells how late the event loop was at the last measurement. The timer runs only
 * while requests come, and does not keep the process alive.
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
