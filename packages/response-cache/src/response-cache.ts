import { defineExtension, type Extension } from 'graphwire'
import { checkOptions } from 'graphwire/base'
import { Cache } from './cache.js'
import { tagsOf, type Entity } from './entities.js'
import { cacheShape, entitiesShape, type ResponseCacheOptions } from './options.js'

export interface ResponseCache<Principal = unknown> {
  /** For the option `use`. */
  readonly extension: Extension<object, Principal>
  /** Removes the responses that have one of these objects, or any object of a type. */
  invalidate(entities: readonly Entity[]): Promise<void>
}

/**
 * Stores the responses to queries for as long as `@cacheControl` and `cacheHint` allow. Responses that are not for everyone are
 * stored for each session. Mutations remove the responses that have an object of their result.
 */
export function responseCache<Raw = unknown, Principal = unknown>(
  options: ResponseCacheOptions<Raw, Principal> = {},
): ResponseCache<Principal> {
  checkOptions('responseCache', options, cacheShape)
  const cache = new Cache(options)
  return {
    extension: defineExtension<object, Principal, Raw>({
      name: 'response-cache',
      around: (request, proceed) => cache.around(request, proceed),
    }),
    async invalidate(entities) {
      checkOptions('invalidate', entities, entitiesShape)
      await cache.invalidate(entities.flatMap(tagsOf))
    },
  }
}
