import type { NumberRows } from '../../shapes/number-row.js'
import { maxInt32 } from '../../shapes/shapes.js'

/** How fast a run goes, and how long it waits. */
export interface RunNumbers {
  /** Time limit for one response, in milliseconds. Default: 5,000. */
  readonly timeout?: number | undefined
  /** Maximum number of cases that run at once. At most 1,000. Default: 4. */
  readonly concurrency?: number | undefined
  /** Time limit for the whole run, even when every response hangs, in milliseconds. Default: 300,000. */
  readonly maxDuration?: number | undefined
}

/** The numbers of a run: to add one, add a row. */
export const runRows: NumberRows<RunNumbers> = {
  timeout: {
    doc: 'Time limit for one response.',
    default: 5_000,
    least: 1,
    most: maxInt32,
    unit: 'ms',
    flag: 'timeout',
  },
  concurrency: {
    doc: 'Maximum number of cases that run at once.',
    default: 4,
    least: 1,
    most: 1_000,
    flag: 'concurrency',
  },
  maxDuration: {
    doc: 'Time limit for the whole run, even when every response hangs.',
    default: 300_000,
    least: 1,
    most: maxInt32,
    unit: 'ms',
    flag: 'max-duration',
  },
}
