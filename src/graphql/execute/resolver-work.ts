import type { GraphQLResolveInfo } from 'graphql'
import { isPromise, untilSettled } from '../../base/promise.js'
import { forEachItem, handle, isAsyncIterable, watchItems } from './handle-unread.js'
import { listOf } from './output-types.js'

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

  /** Watches what a resolver returned. The items of an iterable are watched as they are asked for. */
  watch(value: object, isList: boolean): object {
    if (value instanceof Promise) this.#add(value)
    else if (!isList || isPromise(value)) return value
    else if (isAsyncIterable(value)) return watchItems(value, (next) => this.#add(next))
    else forEachItem(value, (item) => item instanceof Promise && this.#add(item))
    return value
  }

  #add(promise: Promise<unknown>): void {
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

/** Watches what a resolver returned, if the execution is watched. */
export function watchReturned(value: object, info: GraphQLResolveInfo): object {
  const work = isUsed ? works.get(info.variableValues) : undefined
  return work === undefined ? value : work.watch(value, listOf(info.returnType) !== undefined)
}
