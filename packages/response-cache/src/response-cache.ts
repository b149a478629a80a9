import type {
  Denial,
  ExecutedResponse,
  HttpResponse,
  MaybePromise,
  OperationRequest,
} from 'graphwire'
import { Cache } from './cache.js'
import { tagsOf, type Entity } from './entities.js'
import { checkCacheOptions, type ResponseCacheOptions } from './options.js'

/** What a handler uses of it. */
export interface CacheExtension<Raw, Principal> {
  readonly name: string
  around(
    request: OperationRequest<Raw, Principal>,
    proceed: () => ExecutedResponse | Promise<ExecutedResponse>,
  ): MaybePromise<HttpResponse | Denial>
}

export interface ResponseCache<Raw = unknown, Principal = unknown> {
  readonly extension: CacheExtension<Raw, Principal>
  /** Removes the responses that have one of these objects, or any object of a type. */
  invalidate(entities: readonly Entity[]): Promise<void>
}

/**
 * Stores the responses to queries for as long as `@cacheControl` and `cacheHint` allow. Responses that are not for everyone are
 * stored for each session. Mutations remove the responses that have an object of their result.
 */
export function responseCache<Raw = unknown, Principal = unknown>(
  options: ResponseCacheOptions<Raw, Principal> = {},
): ResponseCache<Raw, Principal> {
  checkCacheOptions(options)
  const cache = new Cache(options)
  const extension: CacheExtension<never, never> = {
    name: 'response-cache',
    around: (request: OperationRequest, proceed) => cache.around(request, proceed),
  }
  return {
    extension,
    invalidate: (entities) => cache.invalidate(entities.flatMap(tagsOf)),
  }
}
