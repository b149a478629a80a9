import { count, milliseconds, type NumberRows } from '../../shapes/number-row.js'

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
  timeout: milliseconds(5_000, { doc: 'Time limit for one response.', flag: 'timeout' }),
  concurrency: count(4, {
    doc: 'Maximum number of cases that run at once.',
    most: 1_000,
    flag: 'concurrency',
  }),
  maxDuration: milliseconds(300_000, {
    doc: 'Time limit for the whole run, even when every response hangs.',
    flag: 'max-duration',
  }),
}
