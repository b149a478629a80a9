import { count, milliseconds, type NumbersOf } from '../../shapes/number-row.js'

/** The numbers of a run: to add one, add a row. */
export const runRows = {
  /** Time limit for one response, in milliseconds. Default: 5,000. */
  timeout: milliseconds(5_000, { doc: 'Time limit for one response.', flag: 'timeout' }),
  /** Maximum number of cases that run at once. At most 1,000. Default: 4. */
  concurrency: count(4, {
    doc: 'Maximum number of cases that run at once.',
    most: 1_000,
    flag: 'concurrency',
  }),
  /** Time limit for the whole run, even when every response hangs, in milliseconds. Default: 300,000. */
  maxDuration: milliseconds(300_000, {
    doc: 'Time limit for the whole run, even when every response hangs.',
    flag: 'max-duration',
  }),
}

/** How fast a run goes, and how long it waits. */
export type RunNumbers = NumbersOf<typeof runRows>
