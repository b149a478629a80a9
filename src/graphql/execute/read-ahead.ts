import type { DirectiveNode, GraphQLOutputType, GraphQLResolveInfo } from 'graphql'
import { isPromise, returnSource } from '../../base/promise.js'
import { countOf, isActive } from '../limits/cost/active-directives.js'
import { handleUnreadItem, isAsyncIterable, isIterable, mapThenable } from './handle-unread.js'
import { isNonNull, listOf, type ListType } from './output-types.js'

/**
 * graphql 17 completes each item of an asynchronous iterable when it comes, and then waits for the next. If an item may not
 * be null, nothing handles its failure in the meantime, and an unhandled rejection ends the process. So the items are there
 * before graphql gets them: all, or those that a response in parts begins with. Other values are passed on unchanged.
 */
export function readAhead(value: object, info: GraphQLResolveInfo): object {
  // The caller waits for it.
  return value instanceof Promise && value.constructor === Promise ? value : readGiven(value, info)
}

/** The same for what a thenable gives, for which the caller does not wait. */
function readGiven(value: object, info: GraphQLResolveInfo): object {
  const { returnType } = info
  if (!needsAll(returnType)) return value
  if (isPromise(value)) {
    return mapThenable(value, (given) =>
      typeof given === 'object' && given !== null ? readGiven(given, info) : given,
    )
  }
  const stream = isAsyncIterable(value) ? streamOf(info) : undefined
  if (stream === undefined) return readAs(value, returnType, info) as object
  const count = countOf(stream, (name) => variableOf(info, name))
  return isAsyncIterable(value) ? readFirst(value, count, returnType, info) : value
}

/** Whether it is a list of items that may not be null, or a list of such lists. */
function needsAll(type: GraphQLOutputType): boolean {
  const list = listOf(type)
  return list !== undefined && (isNonNull(list.ofType) || needsAll(list.ofType))
}

/** Reads a value of a type ahead: also lists within lists, and what thenables give. */
function readAs(value: unknown, type: GraphQLOutputType, info: GraphQLResolveInfo): unknown {
  if (typeof value !== 'object' || value === null || !needsAll(type)) return value
  const item = (listOf(type) as ListType).ofType
  if (Array.isArray(value)) {
    return needsAll(item) ? Array.from(value, (one: unknown) => readAs(one, item, info)) : value
  }
  if (isPromise(value)) return mapThenable(value, (given) => readAs(given, type, info))
  if (!isAsyncIterable(value)) {
    return needsAll(item) && isIterable(value) ? readEach(value, item, info) : value
  }
  const read = readItems(value[Symbol.asyncIterator](), Infinity, item, info)
  handleUnreadItem(read)
  return read
}

/** The lists within a set, for example. They are read when graphql asks for them, since the iterator may start work. */
function* readEach(
  lists: Iterable<unknown>,
  type: GraphQLOutputType,
  info: GraphQLResolveInfo,
): Generator<unknown, void> {
  for (const list of lists) yield readAs(list, type, info)
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
      handleUnreadItem(value)
      if (info.getAbortSignal()?.aborted === true) break
      items.push(readAs(value, item, info))
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
async function readFirst(
  iterable: AsyncIterable<unknown>,
  count: number,
  type: GraphQLOutputType,
  info: GraphQLResolveInfo,
): Promise<AsyncIterable<unknown>> {
  const iterator = iterable[Symbol.asyncIterator]()
  const item = (listOf(type) as ListType).ofType
  const items = await readItems(iterator, count, item, info)
  let at = 0
  const next = async (): Promise<IteratorResult<unknown>> => {
    if (at < items.length) return { done: false, value: items[(at += 1) - 1] }
    const late = await iterator.next()
    return late.done === true ? late : { done: false, value: readAs(late.value, item, info) }
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async (value?: unknown) => (await iterator.return?.(value)) ?? { done: true, value },
    }),
  }
}
