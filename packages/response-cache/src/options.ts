import type { OperationRequest } from 'graphwire'
import {
  aFiniteNumber,
  aFunction,
  aString,
  either,
  headerNames,
  listOf,
  maxInt32,
  objectOf,
  required,
  type Shape,
  wholeNumberFrom,
} from 'graphwire/base'
import type { ResponseStore } from './store.js'

/**
 * `hit`: stored. `stale`: stored, and renewed now. `miss`: executed. `shared`: another request executes it, and it
 * waits for the response. `pass`: executed, since it has no lifetime, or is private without a session.
 */
export type LookupOutcome = 'hit' | 'stale' | 'miss' | 'shared' | 'pass'

export interface ResponseCacheOptions<Raw = unknown, Principal = unknown> {
  /** Where responses are stored. Default: `memoryStore()`. */
  readonly store?: ResponseStore | undefined
  /** The owner of a response that is not for everyone; undefined: not stored. Default: such responses are not stored. */
  session?(request: OperationRequest<Raw, Principal>): string | undefined
  /** Other things that responses depend on, such as a tenant's schema, or the release. Default: the schema object. */
  version?(request: OperationRequest<Raw, Principal>): string
  /** Request headers that responses depend on, such as Accept-Language. Default: none. */
  readonly vary?: readonly string[] | undefined
  /** For how many seconds after its lifetime a response is still sent, while it is made anew. Default: 0. */
  readonly staleWhileRevalidate?: number | undefined
  /** The field that identifies an object. Default: 'id'. */
  readonly idField?: string | undefined
  /** The longest body that is stored, in characters. Default: 1 MiB. */
  readonly maxBodyLength?: number | undefined
  /** Called with each query and where its response comes from, for counters. Default: none. */
  onLookup?(request: OperationRequest<Raw, Principal>, outcome: LookupOutcome): unknown
  /** Called with errors of a store; the operation is executed without the cache. Default: console.warn. */
  onFault?(fault: unknown): void
}

const aStore: Shape = objectOf<ResponseStore>(
  'memoryStore() or redisStore({ client })',
  { find: required(aFunction), save: required(aFunction), invalidate: required(aFunction) },
  { isOpen: true },
)

/** The valid values of each option. */
export const cacheShape: Shape = objectOf<ResponseCacheOptions>('{ session }', {
  store: aStore,
  session: aFunction,
  version: aFunction,
  vary: headerNames,
  staleWhileRevalidate: wholeNumberFrom(0, maxInt32),
  idField: aString,
  maxBodyLength: wholeNumberFrom(0),
  onLookup: aFunction,
  onFault: aFunction,
})

export const entitiesShape: Shape = listOf(
  'a list such as [{ typename, id }]',
  objectOf(
    '{ typename, id }',
    { typename: required(aString), id: either(aString, aFiniteNumber) },
    { isOpen: true },
  ),
)
