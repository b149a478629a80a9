import type { GraphQLResolveInfo } from 'graphql'
import { untilSettled } from '../../base/promise.js'
import { forEachItem, handle, handleUnread, isList } from './handle-unread.js'
import { ofLeaves } from './output-types.js'

/**
 * What the resolvers of an execution in parts still wait for: graphql 17 ends such a result at once when it is returned, but they
 * go on, with all that they hold.
 */
export class ResolverWork {
  #count = 0
  #resolve: (() => void) | undefined

  /** Settles when nothing waits any more, or the time is up; undefined if nothing waits now. */
  rest(limit: number): Promise<void> | undefined {
    if (this.#count === 0) return undefined
    const rest = new Promise<void>((resolve) => (this.#resolve = resolve))
    return untilSettled(rest, limit)
  }

  add(promise: Promise<unknown>): void {
    this.#count += 1
    const done = (): void => {
      this.#count -= 1
      if (this.#count === 0) this.#resolve?.()
    }
    handle(promise, done, done)
  }
}

/** By the values of variables, of which each execution has its own. */
const works = new WeakMap<object, ResolverWork>()
let isUsed = false

export function watchWork(variableValues: object, work: ResolverWork): void {
  works.set(variableValues, work)
  isUsed = true
}

export function workOf({ variableValues }: GraphQLResolveInfo): ResolverWork | undefined {
  return isUsed ? works.get(variableValues) : undefined
}

/** Handles the promises in what a promise gave. */
export function handleLate(late: unknown, info: GraphQLResolveInfo): void {
  // Only a thenable calls back with a promise.
  if (late instanceof Promise) return follow(late, info)
  // graphql reads the value next, unless this signal says that the operation is over.
  const isOver = info.getAbortSignal()?.aborted === true
  if (isOver && !ofLeaves(info.returnType)) handleUnread(late)
  handleItems(late, info)
}

/** Handles what an iterator gives for an item: it may be anything. */
export function followItem(next: Promise<unknown>, info: GraphQLResolveInfo): void {
  handle(next, (given) => {
    try {
      handleLate((given as Partial<IteratorResult<unknown>> | null | undefined)?.value, info)
    } catch {
      // A getter, for example, which graphql reads too.
    }
  })
  workOf(info)?.add(next)
}

/** Handles what a promise gives. That is added to the work before the promise counts as done. */
export function follow(promise: Promise<unknown>, info: GraphQLResolveInfo): void {
  handle(promise, (late) => handleLate(late, info))
  workOf(info)?.add(promise)
}

/** Handles the promises in a list, also those that other promises give. */
export function handleItems(value: unknown, info: GraphQLResolveInfo): void {
  forEachItem(value, (item) => {
    if (item instanceof Promise) follow(item, info)
    else if (isList(item)) handleItems(item, info)
  })
}
