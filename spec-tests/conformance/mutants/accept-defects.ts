import type { DefectTable } from './defects.js'

/** Defects in choosing the media type of an answer. */
export const acceptDefects = {
  'q-values-ignored': [
    'The first type that Accept names is taken, whatever its q says.',
    'accept.weight.one',
    'accept.weight.order',
  ],
  'q-zero-accepted': [
    'q=0 means the last choice, not "never".',
    'accept.none.zero',
    'accept.none.zero-named',
  ],
  'specificity-ignored': [
    'The best range that matches a type counts, not the most specific one.',
    'accept.zero.graphql-response',
    'accept.specific.graphql-response',
  ],
  'accept-case-sensitive': [
    'Media types in Accept are compared with regard to case.',
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
    'White space around the commas and semicolons of Accept spoils a member.',
    'accept.weight.white-space',
  ],
  'accept-with-empty-members-refused': [
    'An empty list member spoils Accept as a whole.',
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
    'Every answer is application/graphql-response+json, whatever Accept says.',
    'accept.json',
    'accept.json.label',
    'accept.none.image',
  ],
  'accept-disregarded': [
    'Where nothing is acceptable the answer is a 200, though application/json is refused too.',
    'accept.none.image',
    'accept.none.zero',
  ],
  'graphql-response-unknown': [
    'The server answers in application/json only.',
    'accept.graphql-response',
  ],
  'json-unknown': ['A client that accepts application/json only gets 406.', 'accept.json'],
  'html-beats-json': [
    'A page for people is served wherever Accept has text/html at all.',
    'accept.ide',
    'accept.ide.post',
  ],
  '406-is-400': [
    'Where nothing is acceptable the answer is 400.',
    'accept.get.none',
    'accept.406-stops',
  ],
  '406-after-execution': [
    'Where nothing is acceptable the operation runs, and then the answer is 406.',
    'accept.406-stops',
  ],
  '406-is-an-html-page': [
    'Where nothing is acceptable the answer is 200 with a page for people.',
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
  'vary-missing': ['A negotiated answer has no Vary.', 'http.response.vary', 'caching.vary.accept'],
} as const satisfies DefectTable
