import { runInNewContext } from 'node:vm'

/** Far above what linear work takes on a busy machine, and far below what backtracking takes. */
const limitMs = 10_000

/** The result of synchronous work; throws if it does not come to an end, as no timer could. */
export function finish<Value>(work: () => Value): Value {
  return runInNewContext('work()', { work }, { timeout: limitMs }) as Value
}
