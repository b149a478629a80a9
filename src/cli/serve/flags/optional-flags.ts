import { listType, switchType, textType, type FlagTable } from '../../arguments/flag.js'

/** The flags of `serve` for what not every server has: an IDE, caching, batches, stored documents. */
export interface OptionalFlags {
  readonly ide: boolean | undefined
  readonly etag: boolean
  readonly 'cache-hints': boolean
  readonly batch: boolean
  readonly documents: readonly string[]
  readonly 'trusted-only': boolean
  readonly 'watch-documents': boolean
}

const requestGroup = 'Requests'
const group = 'Stored documents'

export const optionalFlags: FlagTable<OptionalFlags> = {
  ide: {
    type: switchType,
    default: undefined,
    defaultText: 'on, but off if NODE_ENV=production',
    env: ['GRAPHWIRE_IDE'],
    group: requestGroup,
    doc: 'Show browsers that open the endpoint an IDE: the package @graphwire/ide.',
  },
  etag: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_ETAG'],
    group: requestGroup,
    doc: 'Send an ETag with queries by GET and QUERY, and 304 to clients that have the response.',
  },
  'cache-hints': {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_CACHE_HINTS'],
    group: requestGroup,
    doc: 'Let @cacheControl of the schema set how long caches may store queries by GET and QUERY.',
  },
  batch: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_BATCH'],
    group: requestGroup,
    doc: 'Accept lists of requests, and lists of variables.',
  },
  documents: {
    type: listType(textType('file', 'names of JSON files')),
    default: [],
    defaultText: 'none',
    env: ['GRAPHWIRE_DOCUMENTS'],
    group,
    doc: 'Manifests of stored documents, which clients name by documentId.',
  },
  'trusted-only': {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_TRUSTED_ONLY'],
    group,
    doc: 'Execute only stored documents.',
  },
  'watch-documents': {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_WATCH_DOCUMENTS'],
    group,
    doc: 'Reload when a manifest changes; if the new one is broken, keep serving the old one.',
  },
}
