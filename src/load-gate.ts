import { isPromise } from './promise.js'
import type { Refusal } from './refusal.js'

/** Counts the requests that wait for something, and refuses more of them than are healthy. */
export interface LoadGate {
  /** The refusal of a request that comes now, if there is too much to do already. */
  check(): Refusal | undefined
  /** Counts a request for as long as its answer is not there. */
  during<Value>(answer: Value | Promise<Value>): Value | Promise<Value>
}

/** What is healthy. */
export interface LoadLimits {
  readonly maxInFlight: number
  readonly maxEventLoopDelay: number
}

/** Makes the gate of a handler. A request that is answered at once never waits, and is not counted. */
export function createLoadGate({ maxInFlight, maxEventLoopDelay }: LoadLimits): LoadGate {
  const delay = maxEventLoopDelay < Infinity ? createDelayMeter() : undefined
  let inFlight = 0
  const leave = (): void => {
    inFlight--
  }
  return {
    check() {
      if (inFlight >= maxInFlight) return { kind: 'overloaded', by: 'requests' }
      return delay !== undefined && delay() > maxEventLoopDelay
        ? { kind: 'overloaded', by: 'event-loop' }
        : undefined
    },
    during(answer) {
      if (isPromise(answer)) {
        inFlight++
        answer.then(leave, leave)
      }
      return answer
    },
  }
}

const sampleMs = 50

/**
 * Makes a function that says how late the event loop was when it was last looked at. A timer runs only
 * while requests come, and holds nothing open.
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
