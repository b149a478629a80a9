import type { DirectiveNode, GraphQLResolveInfo } from 'graphql'
import { returnSource } from '../../base/promise.js'
import { countOf, isActive } from '../limits/cost/active-directives.js'
import { handleUnreadItem } from './handle-unread.js'
import { isNonNull, listOf } from './output-types.js'

/**
 * graphql 17 completes each item of an asynchronous iterable when it comes, and then waits for the next. If an item may not
 * be null, nothing handles its failure in the meantime, and an unhandled rejection ends the process. So the items are there
 * before graphql gets them: all, or those that a response in parts begins with. Other values are passed on unchanged.
 */
export function readAhead(value: object, info: GraphQLResolveInfo): object {
  const list = listOf(info.returnType)
  if (list === undefined || !isNonNull(list.ofType) || !isAsyncIterable(value)) return value
  const stream = streamOf(info)
  if (stream === undefined) return readItems(value[Symbol.asyncIterator](), Infinity, info)
  const count = countOf(stream, (name) => variableOf(info, name))
  return count > 0 ? readFirst(value[Symbol.asyncIterator](), count, info) : value
}

/** The @stream of a field that is delivered in parts. */
export function streamOf(info: GraphQLResolveInfo): DirectiveNode | undefined {
  return info.fieldNodes
    .flatMap(({ directives = [] }) => directives)
    .find((one) => one.name.value === 'stream' && isActive(one, (name) => variableOf(info, name)))
}

function variableOf({ variableValues }: GraphQLResolveInfo, name: string): { value: unknown } {
  return { value: variableValues.coerced[name] }
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function'
}

/** Reads so many items, or all. Ends early if nobody wants them any more. */
async function readItems(
  iterator: AsyncIterator<unknown>,
  count: number,
  info: GraphQLResolveInfo,
): Promise<unknown[]> {
  const items: unknown[] = []
  try {
    while (items.length < count) {
      const next = await iterator.next()
      if (next.done === true) return items
      if (info.getAbortSignal()?.aborted === true) break
      // Its promises wait with it.
      handleUnreadItem(next.value)
      items.push(next.value)
    }
  } catch (error) {
    void returnSource(iterator)
    throw error
  }
  if (items.length < count) void returnSource(iterator)
  return items
}

/** The same values, of which the first are there already. */
async function readFirst(
  iterator: AsyncIterator<unknown>,
  count: number,
  info: GraphQLResolveInfo,
): Promise<AsyncIterable<unknown>> {
  const items = await readItems(iterator, count, info)
  let at = 0
  return {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        at < items.length
          ? Promise.resolve({ done: false, value: items[(at += 1) - 1] })
          : iterator.next(),
      return: async (value?: unknown) => (await iterator.return?.(value)) ?? { done: true, value },
    }),
  }
}
