import type { HeaderList } from '../../http/message.js'
import { forClientOnly } from '../../http/storing.js'
import type { ResponseType } from '../editions.js'

/**
 * The instructions for caches. A response to POST needs none: it is stored only with an explicit lifetime (RFC
 * 9110 section 9.3.3). For responses to GET and QUERY caches may assume a lifetime, hence `no-cache`.
 */
export type Caching = 'unsaid' | 'no-cache' | typeof forClientOnly | 'no-store'

/** The headers of a response by its type; made once, since most responses need no others. */
export const baseHeaders: {
  readonly [type in ResponseType]: { readonly [caching in Caching]: HeaderList }
} = {
  'application/graphql-response+json': headersOf('application/graphql-response+json'),
  'application/json': headersOf('application/json'),
}

/** Frozen, since all responses share them. */
function headersOf(type: ResponseType): { readonly [caching in Caching]: HeaderList } {
  const contentType = ['Content-Type', `${type}; charset=utf-8`]
  const unsaid = [...contentType, 'Vary', 'Accept', 'X-Content-Type-Options', 'nosniff']
  return {
    unsaid: Object.freeze(unsaid),
    'no-cache': Object.freeze([...unsaid, 'Cache-Control', 'no-cache']),
    [forClientOnly]: Object.freeze([...unsaid, 'Cache-Control', forClientOnly]),
    'no-store': Object.freeze([...unsaid, 'Cache-Control', 'no-store']),
  }
}
