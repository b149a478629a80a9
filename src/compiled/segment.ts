import type { Segment } from './json-writer.js'
import type { ValuePlan } from './plan.js'
import { pathOf } from './resolve-info.js'
import type { Run } from './run.js'
import { Slot, type Content } from './slot.js'

/** Writes a part of the response without waiting, and makes `owner` the owner of its waiting slots. */
export function writeSegment(run: Run, owner: Slot, write: () => void): Content {
  const outer = openSegment(run)
  try {
    write()
    return closeSegment(run, owner)
  } catch (error) {
    abandon(run, outer.start)
    throw error
  } finally {
    run.writer.end(outer)
  }
}

function openSegment(run: Run): Segment {
  const outer = run.writer.begin()
  run.base = outer.start
  if (run.slots.length > 0) run.slots = []
  if (run.waiting.length > 0) run.waiting = []
  return outer
}

function closeSegment(run: Run, owner: Slot): Content {
  const { writer, base, slots, waiting } = run
  if (slots.length === 0) return writer.textFrom(base)
  for (const slot of waiting) slot.owner = owner
  owner.pending += waiting.length
  run.slots = []
  run.waiting = []
  const text = writer.isAscii ? writer.textFrom(base) : ''
  const bytes = writer.isAscii ? undefined : writer.bytesFrom(base)
  return { text, bytes, base, slots }
}

/** Whether something waits since a position. */
export function waitsSince({ waiting }: Run, start: number): boolean {
  const last = waiting.at(-1)
  return last !== undefined && last.start >= start
}

/** A position that may become null gets a slot, if something below it waits. */
export function enclose(run: Run, plan: ValuePlan, start: number): void {
  const { waiting } = run
  const last = waiting.at(-1)
  if (last === undefined || last.start < start) return
  // The value of the position itself waits.
  if (last.plan === plan && last.start === start) return
  const slot = new Slot(plan, pathOf(run, plan), undefined, start, run.writer.at, false)
  adopt(run, slot, start)
  run.slots.push(slot)
  waiting.push(slot)
}

/** Makes a slot the owner of all that waits since a position. */
export function adopt({ waiting }: Run, owner: Slot, start: number): void {
  while ((waiting.at(-1)?.start ?? -1) >= start) {
    const slot = waiting.pop() as Slot
    slot.owner = owner
    owner.pending += 1
  }
}

/** Forgets what was written since a position, which becomes null. */
export function abandon({ writer, slots, waiting }: Run, start: number): void {
  writer.at = start
  while ((slots.at(-1)?.start ?? -1) >= start) slots.pop()
  while ((waiting.at(-1)?.start ?? -1) >= start) {
    const slot = waiting.pop() as Slot
    slot.state = 'dead'
  }
}
