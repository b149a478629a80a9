import type { GraphQLError, GraphQLResolveInfo, OperationDefinitionNode } from 'graphql'
import { keysOf, locateError, type LocatingModule } from '../errors/locate-error.js'
import type { GraphQLModule } from '../js/graphql.js'
import { handleUnread } from './handle-unread.js'
import { isNonNull, listOf } from './output-types.js'
import { stopError, type ErrorLimit } from './limit-errors.js'

interface ExecutionFailures {
  count: number
  /** The first failure: graphql-js does not record it if the object around it has failed before. */
  first: GraphQLError | undefined
  /** The error that ends the execution. */
  stop: GraphQLError | undefined
  /** The last object that was not read: its fields come one after another. */
  unread: unknown
}

/**
 * The failures of resolvers that graphql-js calls. They are located here, faster than by graphql-js, and counted: after too
 * many, no further resolver of the execution is called.
 */
class FieldFailures {
  /** The execution that was stopped, as `executionOf` identifies it. */
  stopped: object | undefined
  /** Only these operations are limited: an embedder may execute others with the same schema. */
  readonly #limits = new WeakMap<OperationDefinitionNode, ErrorLimit>()
  readonly #failures = new WeakMap<object, ExecutionFailures>()

  /** The highest limit counts, if handlers share a document: each checks its results, too. */
  count(operation: OperationDefinitionNode, limit: ErrorLimit): void {
    const known = this.#limits.get(operation)
    if (known === undefined || known.maxFieldErrors < limit.maxFieldErrors) {
      this.#limits.set(operation, limit)
    }
  }

  counts(operation: OperationDefinitionNode): boolean {
    return this.#limits.has(operation)
  }

  /** The promises in an object that is then not read are handled, or they would end the process by rejecting. */
  throwIfStopped(info: GraphQLResolveInfo, source: unknown): void {
    const execution = executionOf(info)
    if (execution === undefined || execution !== this.stopped) return
    const failures = this.#failures.get(execution)
    if (failures !== undefined && failures.unread !== source) {
      failures.unread = source
      handleUnread(source)
    }
    throw failures?.stop
  }

  /**
   * Counts what a resolver threw. If the field may not be null, the rest of its object is not read. Nor is it after other failures of
   * such a field, or what is around it, but these are not seen here.
   */
  takeThrown(error: unknown, info: GraphQLResolveInfo, source: unknown): unknown {
    if (isNonNull(info.returnType)) handleUnread(source)
    return this.take(error, info)
  }

  /** Counts a failure, or that of an item of a list. Returns what graphql-js is to catch. */
  take(error: unknown, info: GraphQLResolveInfo, item: readonly number[] = []): unknown {
    const limit = this.#limits.get(info.operation)
    const execution = executionOf(info)
    if (limit === undefined || execution === undefined || !canLocate(limit.graphql)) return error
    const failures = this.#failures.get(execution) ?? {
      count: 0,
      first: undefined,
      stop: undefined,
      unread: undefined,
    }
    this.#failures.set(execution, failures)
    failures.count += 1
    // The first is always reported.
    if (failures.count <= Math.max(limit.maxFieldErrors, 1)) {
      const path = [...keysOf(info.path), ...item]
      const located = locateError(limit.graphql, error, info.fieldNodes, path)
      failures.first ??= located
      return located
    }
    this.stopped = execution
    return (failures.stop ??= stopError(limit, failures.first))
  }

  /**
   * Counts an error, a promise that rejects, or a list of these, that a resolver returned. `prepare` gets what it returned, and what a
   * promise gives, before graphql-js does.
   */
  watch(
    value: object,
    info: GraphQLResolveInfo,
    prepare: (value: object, info: GraphQLResolveInfo) => object = (given) => given,
  ): object {
    if (value instanceof Error) throw this.take(value, info)
    const prepared = prepare(value, info)
    if (Array.isArray(prepared)) return this.#watchItems(prepared, info)
    if (!isNativePromise(prepared)) return prepared
    const takeLate = (late: unknown): unknown => {
      const own = typeof late === 'object' && late !== null ? prepare(late, info) : late
      return Array.isArray(own) ? this.#watchItems(own, info) : own
    }
    return prepared.then(takeLate, (error: unknown) => {
      throw this.take(error, info)
    })
  }

  /** Lists within lists are left to graphql-js. */
  #watchItems(items: readonly unknown[], info: GraphQLResolveInfo): readonly unknown[] {
    if (!items.some(mayFail) || listOf(info.returnType) === undefined) return items
    return Array.from(items, (item, at) => {
      if (item instanceof Error) return this.take(item, info, [at])
      if (!isNativePromise(item)) return item
      const watched = item.then(undefined, (error: unknown) => {
        throw this.take(error, info, [at])
      })
      // graphql-js may drop it unread.
      watched.catch(() => undefined)
      return watched
    })
  }
}

export const fieldFailures: FieldFailures = new FieldFailures()

/** What identifies an execution: graphql 17 makes a function for each, 16 only the values of variables. */
function executionOf({
  getAbortSignal,
  variableValues,
}: Partial<GraphQLResolveInfo>): object | undefined {
  return getAbortSignal ?? variableValues
}

/** A `then` of a subclass may start work, such as a query. */
export function isNativePromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise && value.constructor === Promise
}

function mayFail(item: unknown): boolean {
  return item instanceof Error || isNativePromise(item)
}

function canLocate(graphql: GraphQLModule): graphql is GraphQLModule & LocatingModule {
  return graphql.GraphQLError !== undefined && graphql.locatedError !== undefined
}
