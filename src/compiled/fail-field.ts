import type { GraphQLError } from 'graphql'
import { handleUnread } from '../graphql/execute/late-values.js'
import { failHeld } from './climb.js'
import { TooLong } from './json-writer.js'
import { locate } from './locate-error.js'
import type { FieldPlan, ValuePlan } from './plan.js'
import { pathOf } from './resolve-info.js'
import type { Run } from './run.js'
import { abandon, adopt, waitsSince } from './segment.js'
import { Slot } from './slot.js'

/**
 * A field failed. It becomes null if it may, and the object goes on; else this throws the located error for
 * the next position around it. Returns false if the object left a slot that fails later.
 */
export function failField(
  run: Run,
  position: ValuePlan | undefined,
  field: FieldPlan,
  source: unknown,
  start: number,
  mark: number,
  error: unknown,
): boolean {
  if (error instanceof TooLong) throw error
  abandon(run, mark)
  run.paths[field.value.depth] = undefined
  const located = locate(run, field, pathOf(run, field.value), error)
  if (!field.value.climbs) {
    run.errors.push(located)
    run.writer.key(field.words, field.keyLength)
    run.writer.null()
    return true
  }
  handleUnread(source)
  if (run.is17 || !waitsSince(run, start)) throw located
  holdFailure(run, position, start, located)
  return false
}

/** graphql 16 first waits for the promises beside the failed field. */
function holdFailure(
  run: Run,
  position: ValuePlan | undefined,
  start: number,
  located: GraphQLError,
): void {
  const path = position === undefined ? undefined : pathOf(run, position)
  const slot = new Slot(position, path, undefined, start, start + 1, false)
  slot.held = { error: located }
  slot.onDone = () => failHeld(run, slot)
  adopt(run, slot, start)
  abandon(run, start)
  run.writer.byte(0x3f)
  run.slots.push(slot)
  run.waiting.push(slot)
}
