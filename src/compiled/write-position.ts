import { isThenable } from '../base/promise.js'
import type { ValuePlan } from './plan.js'
import type { Run } from './run.js'
import { enclose } from './segment.js'
import { wait } from './wait.js'

/** Writes the value of a position, or leaves a slot for it if it is a promise. */
export function writePosition(run: Run, plan: ValuePlan, value: unknown): void {
  if (isThenable(value)) {
    wait(run, plan, value, run.complete)
    return
  }
  const start = run.writer.at
  run.complete(run, plan, value)
  if (run.waiting.length > 0 && !plan.climbs) enclose(run, plan, start)
}
