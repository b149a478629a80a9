import { returnSource } from '../base/promise.js'
import { handleUnread } from '../graphql/execute/handle-unread.js'
import { failItems, failLater, leaveBehind, settle } from './climb.js'
import { EndOfRun } from './end-of-run.js'
import type { ValuePlan } from './plan.js'
import { isAborted, type Run } from './run.js'
import { isDead, Slot, type Piece } from './slot.js'
import { leaveSlot, writeLate } from './wait.js'
import { writePosition } from './write-position.js'

/** Reads an asynchronous iterable, as graphql 17 does: each item is completed when it comes. */
export function readAsyncList(run: Run, plan: ValuePlan, items: AsyncIterable<unknown>): void {
  const slot = leaveSlot(run, plan)
  // Reading waits itself, besides the items.
  slot.pending = 1
  slot.reading = { failure: undefined }
  void read(run, slot, begin(items))
}

/** A list that cannot be begun, such as a stream that is locked, fails later, as in graphql-js: its slot has an owner then. */
function begin(items: AsyncIterable<unknown>): AsyncIterator<unknown> {
  try {
    return items[Symbol.asyncIterator]()
  } catch (error) {
    return {
      async next() {
        throw error
      },
    }
  }
}

async function read(run: Run, slot: Slot, iterator: AsyncIterator<unknown>): Promise<void> {
  const pieces: Piece[] = ['[']
  slot.content = pieces
  try {
    for (let index = 0; ; index += 1) {
      const next = await nextOf(run, slot, iterator)
      if (run.isOver || isAborted(run) || isDead(slot)) {
        handleUnread(next.value)
        if (next.done !== true) void returnSource(iterator)
        return leaveBehind(run, slot)
      }
      if (next.done === true) break
      if (index > 0) pieces.push(',')
      pieces.push(writeItem(run, slot, index, next.value))
    }
    pieces.push(']')
    const failure = slot.reading?.failure
    slot.reading = undefined
    if (failure === undefined) settle(slot)
    else failItems(run, slot, failure)
  } catch (error) {
    slot.reading = undefined
    void returnSource(iterator)
    if (error instanceof EndOfRun) run.end(error)
    else failLater(run, slot, error)
  }
}

async function nextOf(
  run: Run,
  { plan, path }: Slot,
  iterator: AsyncIterator<unknown>,
): Promise<IteratorResult<unknown>> {
  try {
    return await iterator.next()
  } catch (error) {
    throw run.locate((plan as ValuePlan).field, path, error)
  }
}

function writeItem(run: Run, list: Slot, index: number, value: unknown): Slot {
  const item = (list.plan as ValuePlan).item as ValuePlan
  const path = { prev: list.path, key: index, typename: undefined }
  const slot = new Slot(item, path, list.info, 0, 0, true)
  slot.owner = list
  list.pending += 1
  try {
    writeLate(run, slot, () => writePosition(run, item, value))
  } catch (error) {
    if (error instanceof EndOfRun) throw error
    const located = run.locate(item.field, path, error)
    if (item.climbs) throw located
    run.report(located)
    slot.content = 'null'
    slot.state = 'dead'
    settle(list)
  }
  return slot
}
