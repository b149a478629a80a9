import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { checkNumber, longestTimer } from './check-number.js'
import { closeListener } from './close-listener.js'
import type { Connections } from './connections.js'

/** How a server is closed; all in milliseconds. */
export interface CloseOptions {
  /** How long readiness is down before the listener closes. Default: 0. */
  readonly delay?: number | undefined
  /** How long the listener is closed before idle connections are. Default: 1,000. */
  readonly grace?: number | undefined
  /** When whatever is left is cut, counted from the call. Default: 9,000 after the delay. */
  readonly deadline?: number | undefined
}

/** How the closing went. */
export interface CloseReport {
  /** The requests that were answered meanwhile. */
  readonly finished: number
  /** The requests that were cut at the deadline. */
  readonly cut: number
}

/** How often connections that have become idle are closed. */
const sweepMs = 200

/** Of a delay, the end in which clients that were told to go can come back to stay. */
const calmMs = 200

/** Makes the function that closes a server; a second call gives the promise of the first. */
export function createDrain(
  server: Server,
  connections: Connections,
): (options?: CloseOptions) => Promise<CloseReport> {
  let closing: Promise<CloseReport> | undefined
  return (options = {}) => {
    const delay = checkNumber('delay', options.delay ?? 0, 0, longestTimer)
    const byDefault = Math.min(delay + 9_000, longestTimer)
    const settings = {
      delay,
      grace: checkNumber('grace', options.grace ?? 1_000, 0, longestTimer),
      deadline: checkNumber('deadline', options.deadline ?? byDefault, 0, longestTimer),
    }
    return (closing ??= drain(server, connections, settings))
  }
}

async function drain(
  server: Server,
  connections: Connections,
  { delay, grace, deadline }: { readonly [name in keyof CloseOptions]-?: number },
): Promise<CloseReport> {
  connections.startDraining()
  const hardStop = new AbortController()
  const timer = setTimeout(() => hardStop.abort(), deadline)
  timer.unref()

  const calm = server.listening ? Math.min(delay, calmMs) : 0
  connections.sayClose(delay > calm || !server.listening)
  await wait(delay - calm, hardStop.signal)
  if (server.listening) {
    // Clients that are told to go come back at once on new connections, and the system resets those
    // that it has not handed over when the listener closes: so nobody is told until it has closed.
    connections.sayClose(false)
    await wait(calm, hardStop.signal)
    await closeListener(server)
  }
  connections.sayClose(true)

  await closeAsTheyBecomeIdle(server, connections, grace, hardStop.signal)
  clearTimeout(timer)
  connections.closed = true
  const cut = connections.cut()
  await untilEmpty(connections)
  server.close() // now that of http: it ends Node's timer of the connections
  return { finished: connections.finished, cut }
}

/** Waits, or until the signal; it keeps no process alive. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  // The only error is that of the signal.
  if (ms > 0) await pause(ms, undefined, { ref: false, signal }).catch(() => undefined)
}

function closeAsTheyBecomeIdle(
  server: Server,
  connections: Connections,
  grace: number,
  hardStop: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const sweep = (): void => {
      connections.closeIdle(server)
      again(sweepMs)
    }
    const again = (ms: number): void => {
      timer = setTimeout(sweep, ms)
      timer.unref()
    }
    const finish = (): void => {
      clearTimeout(timer)
      resolve()
    }
    let timer: NodeJS.Timeout | undefined
    connections.onEmpty = finish
    if (connections.size === 0 || hardStop.aborted) return finish()
    hardStop.addEventListener('abort', finish, { once: true })
    again(grace)
  })
}

function untilEmpty(connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    connections.onEmpty = resolve
    if (connections.size === 0) resolve()
  })
}
