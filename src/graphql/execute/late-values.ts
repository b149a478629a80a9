import type { GraphQLResolveInfo } from 'graphql'
import { fieldFailures } from './field-failures.js'
import { isPromise } from '../../base/promise.js'
import {
  forEachItem,
  handle,
  handleUnread,
  handleUnreadItem,
  isAsyncIterable,
  isList,
  mapThenable,
  watchItems,
} from './handle-unread.js'
import { listOf, ofLeaves } from './output-types.js'
import { readAhead, streamOf } from './read-ahead.js'
import { watchReturned } from './resolver-work.js'
import { WatchedSchemas, type Resolver } from '../schema/watched-schemas.js'

/**
 * graphql 17 drops unread what a promise gives after the operation is over: the client has left, the time
 * is up or another field has failed. If that is a list of promises, or an object with promises, the first of
 * these to reject is an unhandled rejection, which ends the process. So they are given a handler here.
 *
 * Most values are passed on unchanged, and what a resolver returns at once is only looked through for promises.
 */
function watchLate(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    if (fieldFailures.stopped !== undefined) fieldFailures.throwIfStopped(info, source)
    let value: unknown
    try {
      value = resolve(source, args, context, info)
    } catch (error) {
      throw fieldFailures.takeThrown(error, info, source)
    }
    return typeof value === 'object' && value !== null ? watchObject(value, info) : value
  }
}

/** `watchLate` for the default resolver: a function of its own, which V8 optimizes for that one resolver. */
export function watchLateDefault(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    if (fieldFailures.stopped !== undefined) fieldFailures.throwIfStopped(info, source)
    let value: unknown
    try {
      value = resolve(source, args, context, info)
    } catch (error) {
      throw fieldFailures.takeThrown(error, info, source)
    }
    return typeof value === 'object' && value !== null ? watchObject(value, info) : value
  }
}

function watchObject(value: object, info: GraphQLResolveInfo): object {
  lookThrough(value, info)
  return fieldFailures.watch(value, info, prepare)
}

function prepare(value: object, info: GraphQLResolveInfo): object {
  const watched = watchReturned(value, info)
  // What an embedder executes with the same schema stays as it is.
  return fieldFailures.counts(info.operation) ? readAhead(watchLater(watched, info), info) : watched
}

/** The same, but what thenables of another kind give is handled, and so are the items of an asynchronous list. */
function watchLater(value: object, info: GraphQLResolveInfo): object {
  if (isForeign(value)) return watchThenable(value, info, watchLater)
  if (value instanceof Promise || listOf(info.returnType) === undefined) return value
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return items.some(isForeign)
      ? Array.from(items, (item) => (isForeign(item) ? watchThenable(item, info) : item))
      : items
  }
  if (!isAsyncIterable(value)) return value
  return watchItems(value, (next) => handle(next, (late) => handleLateItem(late, info)))
}

function isForeign(value: unknown): value is PromiseLike<unknown> {
  return isPromise(value) && !(value instanceof Promise)
}

function watchThenable(
  value: PromiseLike<unknown>,
  info: GraphQLResolveInfo,
  then?: typeof watchLater,
): PromiseLike<unknown> {
  return mapThenable(value, (late) => {
    handleLate(late, info)
    return then && typeof late === 'object' && late !== null ? then(late, info) : late
  })
}

/** The schemas of graphql 17 whose resolvers are watched; shared, since each is wrapped once. */
export const lateValues: WatchedSchemas = new WatchedSchemas({ watch: watchLate })

function lookThrough(value: object, info: GraphQLResolveInfo): void {
  if (value instanceof Promise) return handle(value, (late) => handleLate(late, info))
  const list = isList(value) ? listOf(info.returnType) : undefined
  if (list === undefined) return
  // graphql reads all items of such a list at once, unless it is delivered in parts.
  const isReadAtOnce = listOf(list.ofType) === undefined && ofLeaves(list.ofType)
  if (!isReadAtOnce || streamOf(info) !== undefined) handleItems(value, info)
}

/** graphql reads the value next, unless this signal says that the operation is over. */
function isOver(info: GraphQLResolveInfo): boolean {
  return info.getAbortSignal()?.aborted === true
}

function handleLate(late: unknown, info: GraphQLResolveInfo): void {
  // Only a thenable calls back with a promise.
  if (late instanceof Promise) return handle(late, (own) => handleLate(own, info))
  if (!isOver(info) || ofLeaves(info.returnType)) handleItems(late, info)
  else handleUnread(late)
}

/** `next` is what the iterator gives: it may be anything. */
function handleLateItem(next: unknown, info: GraphQLResolveInfo): void {
  try {
    const item = (next as Partial<IteratorResult<unknown>> | null | undefined)?.value
    if (isOver(info)) handleUnreadItem(item)
    else handleItem(item, info)
  } catch {
    // A getter, for example, which graphql reads too.
  }
}

/** Handles the promises in a list, also those that other promises give. */
function handleItems(value: unknown, info: GraphQLResolveInfo): void {
  forEachItem(value, (item) => handleItem(item, info))
}

function handleItem(item: unknown, info: GraphQLResolveInfo): void {
  if (item instanceof Promise) lookThrough(item, info)
  else if (isList(item)) handleItems(item, info)
}
