import type { GraphQLResolveInfo } from 'graphql'
import { fieldFailures, isNativePromise } from './field-failures.js'
import { isList } from './handle-unread.js'
import { listOf, ofLeaves } from './output-types.js'
import { readAhead, streamOf } from './read-ahead.js'
import { follow, handleItems, workOf } from './resolver-work.js'
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

/** Handles the promises in what a resolver returned at once. */
function lookThrough(value: object, info: GraphQLResolveInfo): void {
  if (value instanceof Promise) return follow(value, info)
  const list = isList(value) ? listOf(info.returnType) : undefined
  if (list === undefined) return
  // graphql reads all items of such a list at once, unless it is delivered in parts.
  const isReadAtOnce = listOf(list.ofType) === undefined && ofLeaves(list.ofType)
  if (!isReadAtOnce || workOf(info) !== undefined || streamOf(info) !== undefined) {
    handleItems(value, info)
  }
}

function prepare(value: object, info: GraphQLResolveInfo): object {
  // `fieldFailures` waits for a promise. What an embedder executes with the same schema stays as it is.
  if (isNativePromise(value) || !fieldFailures.counts(info.operation)) return value
  return readAhead(value, info.returnType, info) as object
}

/** The schemas of graphql 17 whose resolvers are watched; shared, since each is wrapped once. */
export const lateValues: WatchedSchemas = new WatchedSchemas({ watch: watchLate })
