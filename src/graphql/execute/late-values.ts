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
 * Values are passed on unchanged, and what a resolver returns at once is only looked through for promises.
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
  return fieldFailures.watch(lookThrough(value, info), info, prepare)
}

function prepare(value: object, info: GraphQLResolveInfo): object {
  const watched = watchReturned(value, info)
  // What an embedder executes with the same schema stays as it is.
  return fieldFailures.counts(info.operation) ? readAhead(watched, info) : watched
}

/** The schemas of graphql 17 whose resolvers are watched; shared, since each is wrapped once. */
export const lateValues: WatchedSchemas = new WatchedSchemas({ watch: watchLate })

/** Returns the same value, or what stands for it. */
function lookThrough(value: object, info: GraphQLResolveInfo): object {
  if (value instanceof Promise) {
    handle(value, (late) => handleLate(late, info))
    return value
  }
  if (isPromise(value)) return mapThenable(value, (late) => handleLate(late, info))
  const list = listOf(info.returnType)
  if (list === undefined) return value
  if (isAsyncIterable(value)) {
    return watchItems(value, (next) =>
      handle(next, (late) => handleLateItem(late as IteratorResult<unknown>, info)),
    )
  }
  if (!isList(value)) return value
  // graphql reads all items of such a list at once, unless it is delivered in parts.
  const isReadAtOnce = listOf(list.ofType) === undefined && ofLeaves(list.ofType)
  if (!isReadAtOnce || streamOf(info) !== undefined) handleItems(value, info)
  return value
}

/** graphql reads the value next, unless this signal says that the operation is over. */
function isOver(info: GraphQLResolveInfo): boolean {
  return info.getAbortSignal()?.aborted === true
}

function handleLate(late: unknown, info: GraphQLResolveInfo): unknown {
  if (!isOver(info) || ofLeaves(info.returnType)) handleItems(late, info)
  else handleUnread(late)
  return late
}

function handleLateItem(next: IteratorResult<unknown>, info: GraphQLResolveInfo): void {
  if (isOver(info)) handleUnreadItem(next.value)
  else handleItem(next.value, info)
}

/** Handles the promises in a list, also those that other promises give. */
function handleItems(value: unknown, info: GraphQLResolveInfo): void {
  forEachItem(value, (item) => handleItem(item, info))
}

function handleItem(item: unknown, info: GraphQLResolveInfo): void {
  if (item instanceof Promise) lookThrough(item, info)
  else if (isList(item)) handleItems(item, info)
}
