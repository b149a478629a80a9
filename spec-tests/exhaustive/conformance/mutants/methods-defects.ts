import type { DefectTable } from './defects.js'

/** Defects in what a method means. */
export const methodsDefects = {
  'allow-missing': ['A 405 has no Allow.', 'http.method.put', 'invariant.status.405'],
  'allow-missing-on-get-mutation': [
    'The 405 for a mutation by GET has no Allow.',
    'get.mutation.refused',
    'invariant.status.405',
  ],
  '405-is-404': ['A method that is not served is 404.', 'http.method.put', 'errors.method'],
  '405-is-500': ['A method that is not served is 500.', 'http.method.put', 'errors.method'],
  'put-served-like-post': [
    'PUT runs an operation as POST does.',
    'http.method.put',
    'http.method.no-data',
  ],
  'head-405': ['HEAD is refused although GET is served.', 'http.head.like-get'],
  'head-has-a-body': ['A response to HEAD has a body.', 'raw.head.no-body'],
  'head-length-zero': ['A response to HEAD has Content-Length: 0.', 'http.head.length-not-zero'],
  'head-runs-mutations': [
    'HEAD runs a mutation.',
    'http.head.mutation-halts',
    'http.head.mutation',
  ],
  'options-500': ['OPTIONS fails with 500.', 'http.options.answered'],
  'options-without-allow': ['A response to OPTIONS has no Allow.', 'http.options.allow'],
  'get-runs-mutations': [
    'GET runs a mutation.',
    'get.mutation.unanswered',
    'get.mutation.refused',
    'get.mutation.selected',
  ],
  'get-refuses-any-mutation': [
    'GET refuses a document that has a mutation, though a query is selected.',
    'get.mutation.elsewhere',
  ],
  'get-mutation-400': [
    'A mutation by GET is 400.',
    'get.mutation.refused',
    'get.mutation.selected',
  ],
  'get-mutation-200': [
    'A mutation by GET is 200 with errors.',
    'get.mutation.refused',
    'get.mutation.selected',
  ],
  'get-mutation-refused-too-late': [
    'A mutation by GET runs, and then the status is 405.',
    'get.mutation.stops',
  ],
  'options-runs-operations': [
    'OPTIONS runs an operation as POST does.',
    'http.options.mutation-halts',
  ],
} as const satisfies DefectTable
