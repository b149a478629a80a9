import type { DefectTable } from './defects.js'

/** Defects in reading a body. */
export const bodyDefects = {
  'content-type-case-sensitive': [
    'The media type of a body is compared with regard to case.',
    'core.content-type.upper-case',
  ],
  'content-type-with-white-space-refused': [
    'White space before a semicolon in Content-Type is refused.',
    'core.content-type.white-space',
  ],
  'content-type-with-parameters-refused': [
    'A Content-Type with any parameter is refused.',
    'core.utf-8.echo.labelled',
    'core.content-type.charset',
  ],
  'charset-quoted-refused': [
    'charset="utf-8" in quotes is refused.',
    'core.content-type.charset-quoted',
    'http.content-type.charset-quoted',
  ],
  'charset-case-sensitive': [
    'charset=UTF-8 in capitals is refused.',
    'core.content-type.charset-upper-case',
  ],
  'charset-ignored': ['A body is read as UTF-8 whatever its charset says.', 'core.charset.latin-1'],
  'missing-content-type-accepted': [
    'A POST without Content-Type is served.',
    'core.content-type.missing',
    'csrf.none',
  ],
  'content-type-not-looked-at': [
    'JSON is served whatever Content-Type says.',
    'core.content-type.unknown',
  ],
  '415-is-400': [
    'A body of another media type is 400.',
    'core.content-type.unknown.status',
    'http.content-type.unknown',
  ],
  'body-in-latin1': [
    'A body without a charset is read as Latin-1.',
    'core.utf-8.echo',
    'core.utf-8.echo.labelled',
  ],
  'broken-utf-8-replaced': [
    'Broken UTF-8 is read as replacement characters.',
    'core.utf-8.broken',
    'core.utf-8.surrogate',
  ],
  'body-decoded-chunk-by-chunk': [
    'Each chunk of a body is decoded apart.',
    'raw.chunk-inside-character',
    'core.utf-8.broken',
  ],
  'json-read-leniently': [
    'Almost valid JSON is repaired.',
    'core.json.no-body',
    'core.json.trailing-comma',
  ],
  'broken-json-200': [
    'A body that is not JSON is 200 with errors.',
    'core.json.cut',
    'core.json.cut.status',
    'core.json.nonsense',
  ],
  'broken-json-422': [
    'A body that is not JSON is 422.',
    'core.json.cut.status',
    'core.json.nonsense.status',
  ],
  'broken-json-500': [
    'A body that is not JSON is 500.',
    'core.json.cut.status',
    'core.json.nonsense.status',
  ],
  'bad-request-as-text': [
    'Text is labelled application/graphql-response+json.',
    'invariant.graphql-response',
  ],
  'post-reads-the-url': [
    'A POST reads parameters from its URL that its body lacks.',
    'core.url.broken',
    'core.url.alone',
  ],
  'post-prefers-the-url': [
    'The URL of a POST wins over its body.',
    'core.url.query',
    'core.url.broken',
  ],
  'content-type-found-anywhere': [
    'Content-Type only has to contain application/json.',
    'http.content-type.inside',
    'http.content-type.like-json',
  ],
} as const satisfies DefectTable
