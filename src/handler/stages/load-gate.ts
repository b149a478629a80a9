import type { Refusal } from '../../over-http/refusal.js'

/** Counts the requests that wait, and refuses further ones above a limit. */
export interface LoadGate {
  /** The stage that refuses a request while the server is overloaded. */
  readonly check: (exchange: Counted) => Refusal | undefined
  /** Counts a request while it waits for something. */
  during<Value>(exchange: Counted, wait: Promise<Value>): Promise<Value>
}

/** Whether a request is counted: it never takes a second place. */
interface Counted {
  isCounted: boolean
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
    check({ isCounted }) {
      if (!isCounted && inFlight >= maxInFlight) return { kind: 'overloaded', by: 'requests' }
      return delay !== undefined && delay() > maxEventLoopDelay
        ? { kind: 'overloaded', by: 'event-loop' }
        : undefined
    },
    during(exchange, wait) {
      const leave = (): void => {
        inFlight -= 1
        exchange.isCounted = false
      }
      inFlight += 1
      exchange.isCounted = true
      wait.then(leave, leave)
      return wait
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
