import type { DefectTable } from './defects.js'

/** Defects in the result and in the status for it. */
export const resultDefects = {
  'success-202': ['Data without errors is 202.', 'core.post'],
  'request-errors-200': [
    'A request error is 200.',
    'errors.syntax',
    'errors.validation.unknown-field',
    'invariant.status.no-data',
  ],
  'request-errors-with-null-data': [
    'A request error has "data": null.',
    'errors.syntax',
    'errors.validation.unknown-field',
  ],
  'partial-data-200': ['Data beside errors is 200.', 'get.partial', 'errors.field.beside'],
  'partial-data-400': ['Data beside errors is 400.', 'get.partial', 'invariant.status.data'],
  'partial-data-dropped': [
    'Data beside errors is dropped.',
    'errors.field.mutation',
    'invariant.status.no-data',
  ],
  'null-data-500': [
    'Null data beside errors is 500.',
    'errors.data-null',
    'errors.legacy.data-null',
  ],
  'errors-empty-on-success': [
    'A result without errors has "errors": [].',
    'core.execute.fields',
    'invariant.errors.none',
  ],
  'errors-null-on-success': [
    'A result without errors has "errors": null.',
    'core.execute.fields',
    'invariant.errors.none',
  ],
  'errors-as-a-map': [
    'errors is the first error, not a list.',
    'errors.syntax',
    'invariant.errors',
  ],
  'errors-missing': [
    'Field errors are not told.',
    'errors.field.mutation',
    'invariant.errors.data-null',
  ],
  'extra-top-level-key': [
    'A result has another key beside data, errors and extensions.',
    'invariant.keys',
  ],
  'extensions-as-a-list': ['extensions of a result is a list.', 'invariant.extensions'],
  'error-extensions-as-a-string': ['extensions of an error is a string.', 'invariant.extensions'],
  'byte-order-mark': ['A byte order mark precedes the JSON.', 'invariant.byte-order-mark'],
  'error-as-a-string': ['An error is a string.', 'errors.syntax', 'invariant.errors.message'],
  'message-missing': ['An error has no message.', 'errors.syntax', 'invariant.errors.message'],
  'message-not-a-string': [
    'The message of an error is a map.',
    'errors.syntax',
    'invariant.errors.message',
  ],
  'locations-from-zero': ['Lines and columns count from 0.', 'invariant.errors.locations'],
  'locations-as-a-map': [
    'locations is a map, not a list.',
    'errors.field.null',
    'invariant.errors.locations',
  ],
  'path-as-a-string': ['path is a string with dots.', 'errors.field', 'invariant.errors.path'],
  'path-missing': ['A field error has no path.', 'errors.field', 'errors.data-null.standard'],
  'path-of-one-more': ['path goes one step too far.', 'errors.field', 'errors.data-null.standard'],
  'path-with-null': ['path has a null.', 'errors.field', 'invariant.errors.path'],
  'content-type-missing': [
    'A response has no Content-Type.',
    'core.post',
    'invariant.content-type',
  ],
  'content-type-is-text': [
    'A response is labelled text/plain.',
    'accept.graphql-response',
    'accept.any',
  ],
  'charset-missing': ['A response does not declare its charset.', 'invariant.charset'],
} as const satisfies DefectTable
