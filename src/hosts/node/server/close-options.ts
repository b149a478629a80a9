import {
  milliseconds,
  resolveNumbers,
  shapesOf,
  type NumbersOf,
  type Resolved,
} from '../../../shapes/number-row.js'
import { objectOf, type Shape } from '../../../shapes/shape.js'
import { maxInt32 } from '../../../shapes/shapes.js'

export type CloseSettings = Resolved<CloseOptions>

export const closeRows = {
  /** On shutdown, keep accepting connections for this long while readiness answers 503, in milliseconds. Default: 0. */
  // Reason: a load balancer needs time to send requests elsewhere.
  delay: milliseconds(0, {
    doc: 'On shutdown, keep accepting connections for this long while readiness answers 503.',
    least: 0,
    flag: 'drain-delay',
  }),
  /** Close idle connections this long after the port is closed, in milliseconds. Default: 1,000. */
  // Reason: a request may be under way on a socket that looks idle.
  grace: milliseconds(1000, {
    doc: 'Close idle connections this long after the port is closed.',
    least: 0,
    flag: 'grace',
  }),
  /** Spread the end of open streams over this long, in milliseconds. Default: 5,000. */
  // Reason: their clients connect again at once, and must not all do so at the same moment.
  spread: milliseconds(5000, {
    doc: 'Spread the end of open streams over this long.',
    least: 0,
    flag: 'spread',
  }),
  /** Abort remaining requests this long after the signal, in milliseconds. Without it, `close` adds its default to `delay`. Default: 9,000. */
  // Beyond it: the request is cut. Reason: before a supervisor that waits 10 s kills the process.
  deadline: milliseconds(9000, {
    doc: 'Abort remaining requests this long after the signal.',
    least: 0,
    flag: 'deadline',
  }),
}

/** How a server is closed. */
export type CloseOptions = NumbersOf<typeof closeRows>

export const closeShape: Shape = objectOf<CloseOptions>('{ grace: 1000 }', shapesOf(closeRows))

export function resolveCloseOptions(options: CloseOptions): CloseSettings {
  const times = resolveNumbers(closeRows, options)
  // A delay must not shorten the time for the remaining requests.
  const deadline = Math.min(times.delay + closeRows.deadline.default, maxInt32)
  return { ...times, deadline: options.deadline ?? deadline }
}
