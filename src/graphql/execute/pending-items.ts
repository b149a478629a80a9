import { isThenable } from '../../base/promise.js'
import type { GraphQLOutputType, OperationDefinitionNode } from 'graphql'
import type { Cancellation } from './cancellation.js'
import { fieldFailures } from './field-failures.js'
import { handleUnread, isIterable } from './handle-unread.js'
import { isLeaf, isNonNull, listOf, type ListType } from './output-types.js'
import { WatchedSchemas, type Resolver } from '../schema/watched-schemas.js'

/**
 * graphql 16 completes the items of a list one by one. If a non-null item fails synchronously, it abandons
 * the promises of the items before it; the first of these to reject is an unhandled rejection, which ends
 * the process. These promises are internal to graphql, so they cannot be handled from outside. The
 * workaround: an item after a pending one is passed as a promise, which cannot fail synchronously.
 *
 * Lists without pending items are unchanged and are completed synchronously.
 *
 * graphql 16 does not support signals either: no resolver of a mutation is called once its signal has fired.
 */
class PendingItems {
  /** The number of promises that resolvers have returned; it grows if the items of a list start to wait. */
  promises = 0
  readonly #executions = new WeakMap<OperationDefinitionNode, PendingExecution>()
  readonly schemas: WatchedSchemas = new WatchedSchemas({
    watch: (resolve) => this.watch(resolve),
    watchDecision:
      (decide) =>
      (...args) =>
        this.#note(decide(...args)),
  })

  /** Begins an execution whose operation no other execution has: its resolvers stop with it. */
  begin(operation: OperationDefinitionNode, cancellation: Cancellation): void {
    this.#executions.set(operation, { cancellation, unread: undefined })
  }

  /** Wraps a resolver, so that graphql 16 can complete its values without abandoning a promise. */
  watch(resolve: Resolver): Resolver {
    return (source, args, context, info) => {
      const { operation } = info
      if (operation.operation === 'mutation') this.#stopIfCancelled(operation, source)
      if (fieldFailures.stopped !== undefined) fieldFailures.throwIfStopped(info, source)
      let value: unknown
      try {
        value = resolve(source, args, context, info)
      } catch (error) {
        throw fieldFailures.takeThrown(error, info, source)
      }
      if (!isObject(value)) return value
      const watched = fieldFailures.watch(value, info)
      // Lists of other operations are unchanged: custom executors may not support promises in them.
      return fieldFailures.counts(operation)
        ? this.#take(watched, info.returnType)
        : this.#note(watched)
    }
  }

  /** Wraps the default resolver for one execution, which stops with it. It is called for most fields. */
  watchDefault(resolve: Resolver, cancellation: Cancellation): Resolver {
    const execution: PendingExecution = { cancellation, unread: undefined }
    return (source, args, context, info) => {
      if (cancellation.aborted) stop(execution, source)
      if (fieldFailures.stopped !== undefined) fieldFailures.throwIfStopped(info, source)
      let value: unknown
      try {
        value = resolve(source, args, context, info)
      } catch (error) {
        throw fieldFailures.takeThrown(error, info, source)
      }
      return isObject(value) ? this.#take(fieldFailures.watch(value, info), info.returnType) : value
    }
  }

  #stopIfCancelled(operation: OperationDefinitionNode, source: unknown): void {
    const execution = this.#executions.get(operation)
    if (execution?.cancellation.aborted) stop(execution, source)
  }

  #take(value: object, returnType: GraphQLOutputType): unknown {
    const list = listOf(returnType)
    const given = this.#note(value)
    if (list === undefined) return given
    return given instanceof Promise
      ? given.then((late) => this.#guard(late, list))
      : this.#guard(given, list)
  }

  /**
   * Counts a promise. Foreign thenables are converted: their `then` may return anything, or throw from a
   * timer.
   */
  #note(value: unknown): unknown {
    if (!isThenable(value)) return value
    this.promises += 1
    return value instanceof Promise ? value : Promise.resolve(value)
  }

  #guard(value: unknown, { ofType }: ListType): unknown {
    if (!isIterable(value)) return value
    let items = Array.isArray(value) ? (value as readonly unknown[]) : toArray(value)
    const inner = listOf(ofType)
    const before = this.promises
    // `map` would skip holes, which are items that fail.
    if (inner !== undefined) items = Array.from(items, (item) => this.#guardItem(item, inner))
    if (items.some(waits) || this.promises > before) {
      this.promises += 1
      return Array.from(items, (item) => Promise.resolve(item))
    }
    const mayFail = isNonNull(ofType) && (inner !== undefined || !isLeaf(ofType.ofType))
    return mayFail ? guardedCopy(items) : items
  }

  #guardItem(item: unknown, list: ListType): unknown {
    if (waits(item)) return Promise.resolve(item).then((late) => this.#guard(late, list))
    try {
      return this.#guard(item, list)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error), { cause: error })
    }
  }
}

interface PendingExecution {
  readonly cancellation: Cancellation
  /** The fields of an object come one after another, so remembering one is enough. */
  unread: unknown
}

/** The promises in the objects that are then not read are handled, or they would end the process by rejecting. */
function stop(execution: PendingExecution, source: unknown): never {
  if (source !== execution.unread) {
    execution.unread = source
    handleUnread(source)
  }
  throw execution.cancellation.reason
}

/** Shared by all engines and schemas, since functions are wrapped once. */
export const pendingItems: PendingItems = new PendingItems()

/** graphql 16 treats only these as promises or lists, including functions. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' ? value !== null : typeof value === 'function'
}

/** Whether it is a promise. If the check throws, the value is an item that fails. */
function waits(item: unknown): boolean {
  try {
    return isThenable(item)
  } catch {
    return false
  }
}

/** The items of an iterable. If it throws, the promises it has returned before are handled. */
function toArray(iterable: Iterable<unknown>): readonly unknown[] {
  const items: unknown[] = []
  try {
    for (const item of iterable) items.push(item)
    return items
  } catch (error) {
    for (const item of items.filter(waits)) void Promise.resolve(item).catch(() => undefined)
    throw error
  }
}

/**
 * A copy of a list for graphql 16 to complete: after the first item whose resolver returns a promise, all items are
 * promises. Access by index, and methods that use it, return the original items. A subclass of Array would be the
 * obvious form, but takes twice the time of a short list.
 */
function guardedCopy(items: readonly unknown[]): readonly unknown[] {
  const list: unknown[] = []
  for (let at = 0; at < items.length; at += 1) list.push(items[at])
  list[Symbol.iterator] = iterateGuarded
  return list
}

function iterateGuarded(this: unknown[]): ArrayIterator<unknown> {
  return new GuardedIterator(this) as Iterator<unknown> as ArrayIterator<unknown>
}

/** A class, since a generator takes twice the time. */
class GuardedIterator implements Iterator<unknown, undefined> {
  readonly #items: readonly unknown[]
  readonly #before = pendingItems.promises
  #at = 0

  constructor(items: readonly unknown[]) {
    this.#items = items
  }

  next(): IteratorResult<unknown, undefined> {
    if (this.#at >= this.#items.length) return { value: undefined, done: true }
    const item = this.#items[this.#at]
    this.#at += 1
    const value = pendingItems.promises === this.#before ? item : Promise.resolve(item)
    return { value, done: false }
  }

  [Symbol.iterator](): this {
    return this
  }
}
