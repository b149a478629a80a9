import type { DefectTable } from './defects.js'

/** The cases that send a request which is large in one way or another, and then a small one. */
export const largeRequests = [
  'http.limit.document.alias',
  'http.limit.document.aliases',
  'http.limit.document.commas',
  'http.limit.document.comment',
  'http.limit.document.conflicts',
  'http.limit.document.cycle',
  'http.limit.document.depth',
  'http.limit.document.depth.fragments',
  'http.limit.document.depth.inline-fragments',
  'http.limit.document.depth.open',
  'http.limit.document.directives',
  'http.limit.document.directives.place',
  'http.limit.document.directives.unknown',
  'http.limit.document.duplicates',
  'http.limit.document.duplicates.nested',
  'http.limit.document.fragments',
  'http.limit.document.introspection.circular',
  'http.limit.document.introspection.repeated',
  'http.limit.document.name',
  'http.limit.document.number',
  'http.limit.document.operations',
  'http.limit.document.spreads',
  'http.limit.document.string',
  'http.limit.document.type',
  'http.limit.document.unknown-fields',
  'http.limit.document.value.list',
  'http.limit.document.value.object',
  'http.limit.document.variables',
  'http.limit.document.variables.unused',
  'http.limit.json.depth',
  'http.limit.json.depth.coerced',
  'http.limit.json.depth.extensions',
  'http.limit.json.depth.open',
  'http.limit.json.depth.variables',
  'http.limit.json.keys',
  'http.limit.json.keys.prototype',
  'http.limit.json.list',
  'http.limit.json.number',
] as const

/** What a list of requests is answered is no GraphQL response. */
const single = largeRequests.filter((id) => id !== 'http.limit.json.list')

/** Defects in bearing requests that are large. */
export const limitDefects = {
  'large-request-500': ['A large request is 500.', ...largeRequests],
  'large-request-cut': ['At a large request the connection is cut.', ...largeRequests],
  'large-request-empty': ['The response to a large request is 200 without a body.', ...single],
  'large-request-unanswered': [
    'A large request gets no response.',
    'http.limit.document.spreads',
    'http.limit.json.depth',
  ],
  'cut-after-a-large-request': ['The request after a large one is cut off.', ...largeRequests],
  'unanswered-after-a-large-request': [
    'The request after a large one gets no response.',
    'http.limit.document.aliases',
    'http.limit.json.keys',
  ],
} as const satisfies DefectTable
