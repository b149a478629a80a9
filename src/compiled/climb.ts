import type { GraphQLError } from 'graphql'
import type { ValuePlan } from './plan.js'
import { isAborted, type Run } from './run.js'
import { isDead, type Content, type Slot } from './slot.js'

/** Sets what a slot waited for. */
export function fill(slot: Slot, content: Content): void {
  slot.content = content
  slot.state = 'done'
  settle(slot.owner)
}

/** Counts a settled slot, and settles all slots around it that waited for nothing else. */
export function settle(owner: Slot | undefined): void {
  for (let at = owner; at !== undefined; at = at.owner) {
    at.pending -= 1
    if (at.pending > 0 || at.state !== 'waits') break
    const isHeld = at.held !== undefined
    if (!isHeld) at.state = 'done'
    at.waiter?.done()
    if (isHeld) break
  }
}

/**
 * Fails a slot whose value came later, or that held its failure until the slots below it had settled. graphql 16 sees the first
 * one microtask later than 17, which decides which errors are reported if several promises fail at once; likewise the other
 * counts of microtasks here.
 */
export function failLater(run: Run, slot: Slot, error: unknown): void {
  const late = run.is17 ? 0 : 1
  afterMicrotasks(slot.held === undefined ? late : 3, () => {
    if (!run.isOver && slot.state === 'waits' && !isDead(slot)) fail(run, slot, error)
    else leaveBehind(run, slot)
  })
}

/** What an aborted run still waited for has come: when nothing else is missing, all of its resolvers have ended. */
export function leaveBehind(run: Run, slot: Slot): void {
  if (isAborted(run) && slot.state === 'waits') fill(slot, 'null')
}

/** The position becomes null if it may, else the failure climbs to the slot around it. */
function fail(run: Run, slot: Slot, error: unknown): void {
  const { plan } = slot
  if (plan === undefined) {
    climb(run, slot, error as GraphQLError)
    return
  }
  const located = run.locate(plan.field, slot.path, error)
  if (plan.climbs) climb(run, slot, located)
  else becomeNull(run, slot, located)
}

/** The position becomes null, and nothing below it is reported any more. */
export function becomeNull(run: Run, slot: Slot, located: GraphQLError): void {
  slot.content = 'null'
  slot.state = 'dead'
  try {
    if (slot.owner === undefined) {
      run.errors.push(toOwnError(run, located))
    } else {
      run.report(located)
    }
  } catch (end) {
    run.end(end)
    return
  }
  if (slot.owner === undefined) slot.waiter?.done()
  else settle(slot.owner)
}

/** Only at the root graphql 17 wraps errors that merely have a path, such as those of another copy of it. */
function toOwnError({ is17, plan: { graphql } }: Run, error: Error): GraphQLError {
  if (!is17 || error instanceof graphql.GraphQLError) return error as GraphQLError
  return new graphql.GraphQLError(error.message, { originalError: error })
}

function climb(run: Run, slot: Slot, located: GraphQLError): void {
  slot.state = 'failed'
  const { owner } = slot
  // An abandoned slot has none: its failure is handled but not reported.
  if (owner === undefined) return
  const late = owner.isLate && !run.is17 ? 1 : 0
  afterMicrotasks(hopsBetween(slot.plan, owner.plan) + late, () => {
    if (owner.reading === undefined) catchLater(run, owner, located)
    else owner.reading.failure ??= located
  })
}

/** Fails an asynchronous list that was read to its end, of which an item had failed. */
export function failItems(run: Run, list: Slot, located: GraphQLError): void {
  afterMicrotasks(2, () => {
    if (run.isOver) leaveBehind(run, list)
    else catchLater(run, list, located)
  })
}

function catchLater(run: Run, slot: Slot, located: GraphQLError): void {
  if (!run.isOver && slot.state === 'waits' && !isDead(slot)) catchFailure(run, slot, located)
  else if (isAborted(run)) settle(slot)
}

function catchFailure(run: Run, slot: Slot, located: GraphQLError): void {
  const error = slot.held ?? located
  const canBeNull = slot.plan === undefined ? slot.owner === undefined : !slot.plan.climbs
  if (canBeNull) becomeNull(run, slot, error)
  else climb(run, slot, error)
}

/** In graphql-js a failure takes three microtasks to leave an object of promises, and two to leave a list. */
function hopsBetween(from: ValuePlan | undefined, to: ValuePlan | undefined): number {
  let hops = 0
  for (let at = from; at !== undefined && at !== to; at = at.parent) hops += at.isItem ? 2 : 3
  return hops
}

function afterMicrotasks(count: number, work: () => void): void {
  if (count === 0) work()
  else queueMicrotask(() => afterMicrotasks(count - 1, work))
}
