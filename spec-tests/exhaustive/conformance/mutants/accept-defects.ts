import type { DefectTable } from './defects.js'

/** Defects in choosing the media type of an answer. */
export const acceptDefects = {
  'q-values-ignored': [
    'The first type in Accept is chosen, whatever its q.',
    'accept.weight.one',
    'accept.weight.order',
  ],
  'q-zero-accepted': [
    'q=0 means the last choice instead of "never".',
    'accept.none.zero',
    'accept.none.zero-named',
  ],
  'specificity-ignored': [
    'The best range that matches a type counts, not the most specific one.',
    'accept.zero.graphql-response',
    'accept.specific.graphql-response',
  ],
  'accept-case-sensitive': [
    'Media types in Accept are case-sensitive.',
    'accept.case',
    'accept.weight.upper-case',
  ],
  'wildcard-unknown': ['*/* in Accept matches nothing.', 'accept.any', 'accept.zero.json'],
  'subtype-wildcard-unknown': [
    'application/* in Accept matches nothing.',
    'accept.specific.json',
    'accept.zero.json.application',
  ],
  'accept-white-space-kept': [
    'White space around the commas and semicolons of Accept invalidates a member.',
    'accept.weight.white-space',
  ],
  'accept-with-empty-members-refused': [
    'An empty list member invalidates the whole Accept.',
    'accept.empty-members',
  ],
  'accept-second-line-ignored': ['Only the first Accept line is read.', 'accept.lines'],
  'accept-split-at-quoted-commas': [
    'A comma inside a quoted string ends a member of Accept.',
    'accept.quoted-comma',
  ],
  'accept-with-parameters-unmatched': [
    'A range with charset=utf-8 matches nothing.',
    'accept.charset',
    'accept.charset.quoted',
  ],
  'accept-missing-refused': ['A request without Accept gets 406.', 'accept.absent'],
  'accept-ignored': [
    'Every response is application/graphql-response+json, whatever Accept says.',
    'accept.json',
    'accept.json.label',
    'accept.none.image',
  ],
  'accept-disregarded': [
    'If nothing is acceptable, the status is 200, even if application/json has q=0.',
    'accept.none.image',
    'accept.none.zero',
  ],
  'graphql-response-unknown': [
    'The server supports only application/json.',
    'accept.graphql-response',
  ],
  'json-unknown': ['A client that accepts application/json only gets 406.', 'accept.json'],
  'html-beats-json': [
    'An HTML page is served whenever Accept has text/html.',
    'accept.ide',
    'accept.ide.post',
  ],
  '406-is-400': [
    'If nothing is acceptable, the status is 400.',
    'accept.get.none',
    'accept.406-stops',
  ],
  '406-after-execution': [
    'If nothing is acceptable, the operation runs, and then the status is 406.',
    'accept.406-stops',
  ],
  '406-is-an-html-page': [
    'If nothing is acceptable, the response is 200 with an HTML page.',
    'accept.get.none',
    'accept.406-stops',
  ],
  'legacy-4xx-labelled-json': [
    'A 4xx is application/json for a client that accepts only that.',
    'accept.error.json',
    'errors.legacy.syntax',
  ],
  'legacy-request-errors-200': [
    'A request error is 200 for a client that accepts application/json only.',
    'errors.legacy.query-missing',
    'errors.legacy.json',
  ],
  'legacy-2xx-labelled-graphql': [
    'A client that accepts application/json only gets 2xx in the other type.',
    'accept.json',
  ],
  'media-types-swapped': [
    'A client that accepts one media type gets the other.',
    'accept.json.not-other',
    'accept.graphql-response.not-other',
    'accept.weight.order',
  ],
  'vary-missing': [
    'A negotiated response has no Vary.',
    'http.response.vary',
    'caching.vary.accept',
  ],
} as const satisfies DefectTable
