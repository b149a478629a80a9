import { handleUnread } from '../graphql/execute/handle-unread.js'
import { failLater, fill, leaveBehind } from './climb.js'
import { EndOfRun } from './end-of-run.js'
import { isUsual } from './known-scalars.js'
import type { ValuePlan } from './plan.js'
import { pathOf } from './resolve-info.js'
import { isAborted, type Run } from './run.js'
import { writeSegment } from './segment.js'
import { isDead, Slot } from './slot.js'

/** Continues with a late value: that of a position, or the name of its type. */
export type Continue = (run: Run, plan: ValuePlan, late: unknown) => void

/**
 * Leaves a slot for a promise, which `onValue` writes once it has resolved. One `then` per promise, whose callbacks never
 * throw.
 */
export function wait(
  run: Run,
  plan: ValuePlan,
  promise: PromiseLike<unknown>,
  onValue: Continue,
): void {
  const slot = leaveSlot(run, plan)
  // A thenable of another kind may call back at once, and its `then` may return anything.
  const native = promise instanceof Promise ? promise : Promise.resolve(promise)
  native.then(
    (late: unknown) => resume(run, slot, late, onValue),
    (error: unknown) => failLater(run, slot, error),
  )
}

/** Leaves a slot with a placeholder byte, so that neighbouring slots never share an offset. */
export function leaveSlot(run: Run, plan: ValuePlan): Slot {
  const { writer } = run
  const info = run.infos[plan.field.value.depth]
  const slot = new Slot(plan, pathOf(run, plan), info, writer.at, writer.at + 1, true)
  writer.byte(0x3f)
  run.slots.push(slot)
  run.waiting.push(slot)
  return slot
}

function resume(run: Run, slot: Slot, late: unknown, onValue: Continue): void {
  const plan = slot.plan as ValuePlan
  if (run.isOver || isAborted(run) || isDead(slot)) {
    handleUnread(late)
    leaveBehind(run, slot)
    return
  }
  if (onValue === run.complete && isUsual(plan.kind, late)) {
    // Without the writer.
    fill(slot, typeof late === 'string' ? JSON.stringify(late) : String(late))
    return
  }
  try {
    writeLate(run, slot, () => onValue(run, plan, late))
  } catch (error) {
    if (error instanceof EndOfRun) run.end(error)
    else failLater(run, slot, error)
  }
}

/** Writes the content of a slot, from where the run was when it left the slot. */
export function writeLate(run: Run, slot: Slot, write: () => void): void {
  restorePosition(run, slot)
  const content = writeSegment(run, slot, write)
  if (slot.pending === 0) fill(slot, content)
  else slot.content = content
}

/** Other parts of the response have been written meanwhile. */
function restorePosition(run: Run, { plan, path, info }: Slot): void {
  const { field } = plan as ValuePlan
  let { depth } = plan as ValuePlan
  for (let at = path; at !== undefined; at = at.prev) {
    run.paths[depth] = at
    if (typeof at.key === 'number') run.indices[depth] = at.key
    depth -= 1
  }
  run.infos[field.value.depth] = info
}
