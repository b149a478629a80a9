import type { DirectiveNode, GraphQLOutputType, GraphQLResolveInfo } from 'graphql'
import { isPromise, returnSource } from '../../base/promise.js'
import { disablesPropagation } from '../js/graphql.js'
import { countOf, isActive } from '../limits/cost/active-directives.js'
import {
  handleUnread,
  isAsyncIterable,
  isIterable,
  mapThenable,
  watchItems,
} from './handle-unread.js'
import { isNonNull, listOf } from './output-types.js'
import { followItem, handleLate } from './resolver-work.js'

/**
 * graphql 17 completes each item of an asynchronous iterable when it comes, and then waits for the next. If an item may not
 * be null, nothing handles its failure in the meantime, and an unhandled rejection ends the process. So the items are there
 * before graphql gets them: all, or those that a response in parts begins with. What thenables of another kind give is
 * handled, and so are the items of other asynchronous iterables. Other values are passed on unchanged.
 */
export function readAhead(
  value: unknown,
  type: GraphQLOutputType,
  info: GraphQLResolveInfo,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isPromise(value)) {
    // What it gives is handled anyway.
    if (value instanceof Promise && listOf(type) === undefined) return value
    return mapThenable(value, (late) => {
      handleLate(late, info)
      return readAhead(late, type, info)
    })
  }
  const item = listOf(type)?.ofType
  if (item === undefined) return value
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return listOf(item) !== undefined || items.some(isForeign)
      ? Array.from(items, (one) => readAhead(one, item, info))
      : items
  }
  if (isAsyncIterable(value)) return readLate(value, type, item, info)
  return isIterable(value) ? readEach(value, item, info) : value
}

/** Whether it is a list of items that may not be null, or a list of such lists. */
function needsAll(type: GraphQLOutputType): boolean {
  const list = listOf(type)
  return list !== undefined && (isNonNull(list.ofType) || needsAll(list.ofType))
}

function isForeign(value: unknown): value is PromiseLike<unknown> {
  return isPromise(value) && !(value instanceof Promise)
}

/** The items of a generator, for example. They are read when graphql asks for them, since the iterator may start work. */
function* readEach(
  items: Iterable<unknown>,
  type: GraphQLOutputType,
  info: GraphQLResolveInfo,
): Generator<unknown, void> {
  for (const item of items) {
    handleLate(item, info)
    yield readAhead(item, type, info)
  }
}

function readLate(
  iterable: AsyncIterable<unknown>,
  type: GraphQLOutputType,
  item: GraphQLOutputType,
  info: GraphQLResolveInfo,
): object {
  const watched = watchItems(iterable, (next) => followItem(next, info))
  if (!needsAll(type) || disablesPropagation(info.operation)) return watched
  const stream = type === info.returnType ? streamOf(info) : undefined
  const count = stream === undefined ? Infinity : countOf(stream, (name) => variableOf(info, name))
  const iterator = watched[Symbol.asyncIterator]()
  const read = readItems(iterator, count, item, info)
  if (stream !== undefined) return read.then((items) => continued(items, iterator, item, info))
  handleUnread(read)
  return read
}

/** The @stream of a field that is delivered in parts. */
export function streamOf(info: GraphQLResolveInfo): DirectiveNode | undefined {
  return info.fieldNodes
    .flatMap(({ directives = [] }) => directives)
    .find((one) => one.name.value === 'stream' && isActive(one, (name) => variableOf(info, name)))
}

function variableOf({ variableValues }: GraphQLResolveInfo, name: string): unknown {
  return variableValues.coerced[name]
}

/** Reads so many items, or all. Ends early if the execution was aborted. */
async function readItems(
  iterator: AsyncIterator<unknown>,
  count: number,
  item: GraphQLOutputType,
  info: GraphQLResolveInfo,
): Promise<unknown[]> {
  const items: unknown[] = []
  try {
    while (items.length < count) {
      const next = await iterator.next()
      if (next.done === true) return items
      const { value } = next
      // Its promises wait with it, or nothing reads them.
      handleUnread(value)
      if (info.getAbortSignal()?.aborted === true) break
      items.push(readAhead(value, item, info))
      // graphql fails the list there.
      const hasFailed = value === null || value === undefined || value instanceof Error
      if (hasFailed && isNonNull(item)) break
    }
  } catch (error) {
    void returnSource(iterator)
    throw error
  }
  if (items.length < count) void returnSource(iterator)
  return items
}

/** The items of an iterable, of which the first are read already. */
function continued(
  items: readonly unknown[],
  iterator: AsyncIterator<unknown>,
  item: GraphQLOutputType,
  info: GraphQLResolveInfo,
): AsyncIterable<unknown> {
  let at = 0
  const next = async (): Promise<IteratorResult<unknown>> => {
    if (at < items.length) return { done: false, value: items[(at += 1) - 1] }
    const late = await iterator.next()
    return late.done === true ? late : { done: false, value: readAhead(late.value, item, info) }
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async (value?: unknown) => (await iterator.return?.(value)) ?? { done: true, value },
    }),
  }
}
