import type { DefectTable } from './defects.js'

/** Defects in HTTP/1.1 itself. */
export const httpDefects = {
  'answer-in-latin1': ['A response is written in Latin-1.', 'core.execute.strings', 'get.utf-8'],
  'date-missing': ['A response has no Date.', 'http.response.date'],
  'length-in-characters': [
    'Content-Length counts characters.',
    'core.utf-8.echo',
    'http.response.length-in-bytes-of-data',
  ],
  'length-too-short': ['Content-Length is one too small.', 'core.post'],
  'length-too-long': ['Content-Length is one too large.', 'core.post'],
  'answer-cut-short': ['The connection is cut before the last byte of a response.', 'core.post'],
  'connection-dead-after-an-error': [
    'After an error the connection stays open but there are no more responses.',
    'raw.connection.after-bad-json',
    'raw.connection.after-bad-document',
  ],
  'connection-cut-after-an-error': [
    'After an error the connection is cut without a word.',
    'raw.connection.after-bad-json',
  ],
  'close-ignored': [
    'Connection: close is ignored.',
    'raw.connection.nothing-after-close',
    'raw.connection.close',
  ],
  'refused-body-left-unread': [
    'The body of a refused method is read as the next request.',
    'raw.connection.after-405',
  ],
  'pipelined-answers-out-of-order': [
    'Responses to pipelined requests are sent in the order in which they are ready.',
    'raw.pipeline.slow-first',
  ],
  'leading-empty-line-refused': [
    'An empty line before a request is refused.',
    'raw.line.empty-before',
    'raw.pipeline.empty-line',
  ],
  'absolute-form-404': ['A request target in absolute-form is not found.', 'raw.target.absolute'],
  'http-1.0-unanswered': [
    'An HTTP/1.0 request gets no response.',
    'raw.http10.expect',
    'raw.http10.answered',
  ],
  'missing-host-accepted': ['A request without Host is served.', 'raw.host.missing'],
  'two-hosts-accepted': ['A request with two Host fields is served.', 'raw.host.two'],
  'space-before-colon-accepted': [
    'White space before the colon of a field is taken.',
    'raw.smuggle.space-before-colon',
    'raw.field.space-before-colon',
  ],
  'length-beside-chunked-wins': [
    'Content-Length wins over Transfer-Encoding, so that the rest is read as a second request.',
    'raw.smuggle.hidden-request',
    'raw.smuggle.length-and-chunked',
  ],
  'length-beside-chunked-accepted': [
    'Content-Length beside Transfer-Encoding is taken, and the connection goes on.',
    'raw.smuggle.hidden-request',
    'raw.smuggle.length-and-chunked',
  ],
  'two-lengths-accepted': [
    'Of two different Content-Length fields the first is taken.',
    'raw.length.two-lines',
  ],
  'broken-length-accepted': [
    'Of a malformed Content-Length the digits are taken.',
    'raw.length.list',
    'raw.length.empty',
  ],
  'unknown-transfer-coding-accepted': [
    'A request with an unknown transfer coding is treated as one without a body.',
    'raw.smuggle.chunked-not-last',
    'raw.smuggle.not-quite-chunked',
  ],
  'chunk-extensions-refused': ['A chunk extension is refused.', 'raw.chunk.extensions'],
  'chunk-size-in-capitals-refused': [
    'A chunk size in capital letters is refused.',
    'raw.chunk.size-forms',
  ],
  'trailers-refused': ['Trailers are refused.', 'raw.chunk.trailer', 'raw.chunk.trailer-next'],
  'expect-unanswered': [
    'Expect: 100-continue gets no 100, although the server waits for the body.',
    'raw.expect.continue',
    'raw.expect.continue-case',
  ],
  '413-is-500': ['A body that is too large is 500.', 'http.limit.body', 'http.limit.body-chunked'],
  '413-by-reset': ['A body that is too large leads to a reset.', 'http.limit.body'],
  '414-is-500': ['A request target that is too long is 500.', 'http.limit.target'],
  '431-is-500': ['Header fields that are too large are 500.', 'http.limit.field'],
  'always-gzip': [
    'Every response is compressed with gzip, whatever Accept-Encoding says.',
    'http.accept-encoding.identity',
    'http.accept-encoding.refused',
  ],
  '204-with-a-length': ['A 204 has a Content-Length.', 'http.options.no-content'],
  'method-in-lower-case-accepted': ['post is treated as POST.', 'raw.line.method-case'],
  'major-version-ignored': ['The major version of HTTP is ignored.', 'raw.line.major-version'],
  'target-of-4000-refused': [
    'A request target of more than 4,000 bytes is too long.',
    'http.limit.target-8000',
  ],
  'nul-in-a-field-accepted': ['NUL in a field value is dropped.', 'raw.field.nul'],
  'incomplete-body-executed': [
    'A body that ends before its Content-Length is executed anyway.',
    'raw.length.cut-short',
  ],
} as const satisfies DefectTable
