import { gzipSync } from 'node:zlib'
import { readSuite } from '../../../../src/conformance/suite/suite.js'
import { refusal, refuse, response, status, textOf, when } from './around.js'
import type { Around, DefectTable, Layers, Link, Wire } from './defect.js'

/** Changes the bytes of the client. */
export const client = (change: (bytes: string) => string): Layers => ({
  wire: () => ({ client: change }),
})
/** Changes the bytes of the server. */
export const server = (change: (bytes: string) => string): Layers => ({
  wire: () => ({ server: change }),
})
const wire = (make: (link: Link) => Wire): Layers => ({ wire: make })

/** A request that our server refuses with 400, and closes behind. */
const malformed = 'malformed\r\n\r\n'
const refuseBytes = (test: RegExp): Layers =>
  client((bytes) => (test.test(bytes) ? malformed : bytes))

/** Changes the head of a request only. */
const head = (change: (head: string) => string): Layers =>
  client((bytes) => bytes.replace(/^[A-Za-z]+ .*?\r\n\r\n/s, change))
const headField = (name: string, text: string, test: RegExp = /^/): Layers =>
  head((lines) =>
    test.test(lines) ? lines.replace(new RegExp(`\r\n${name}:[^\r]*`, 'i'), text) : lines,
  )

/** Another Content-Length. */
export const length = (change: (length: number, body: string) => number): Layers =>
  server((bytes) => {
    const [, body = ''] = bytes.split(/\r\n\r\n(.*)/s)
    return bytes.replace(
      /^(content-length: )(\d+)/im,
      (_, name: string, size: string) => name + String(change(Number(size), body)),
    )
  })

const otherStatus = (from: number, to: number): Layers =>
  server((bytes) => bytes.replace(`HTTP/1.1 ${from} `, `HTTP/1.1 ${to} `))
const isError = (bytes: string): boolean => /^HTTP\/1\.1 [45]/.test(bytes)
const ofErrors = (change: (bytes: string) => string): Layers =>
  server((bytes) => (isError(bytes) ? change(bytes) : bytes))

/** Changes the responses to HEAD. */
const ofHead = (change: (bytes: string) => string): Layers =>
  wire(() => {
    let isHead = false
    return {
      client: (bytes) => {
        isHead = bytes.startsWith('HEAD ')
        return bytes
      },
      server: (bytes) => (isHead ? change(bytes) : bytes),
    }
  })

const both = /^(?=.*\r\ntransfer-encoding:)(?=.*\r\ncontent-length:)/is

/** Defects in HTTP/1.1 itself. */
// oxfmt-ignore
export const httpDefects: DefectTable = {
  'head-has-a-body': ['A response to HEAD has a body.', 'raw.head.no-body', ofHead((bytes) => `${bytes}{"data":null}`)],
  'head-length-zero': ['A response to HEAD has Content-Length: 0.', 'http.head.length', ofHead((bytes) => bytes.replace(/^(content-length: )\d+/im, '$10'))],
  'answer-in-latin1': ['A response is written in Latin-1.', 'core.execute.strings get.utf-8', response((made) => ({ body: Buffer.from(textOf(made), 'latin1') }))],
  'date-missing': ['A response has no Date.', 'http.response.date', server((bytes) => bytes.replace(/^date: .*\r\n/im, ''))],
  'length-in-characters': ['Content-Length counts characters.', 'core.utf-8.echo http.response.length-in-bytes-of-data', length((_, body) => Buffer.from(body, 'latin1').toString().length)],
  'length-too-short': ['Content-Length is one too small.', 'core.post', length((size) => Math.max(0, size - 1))],
  'length-too-long': ['Content-Length is one too large.', 'core.post', length((size) => size + 1)],
  'length-beside-chunks': ['The response to an error has Content-Length beside Transfer-Encoding.', 'errors.syntax errors.method', ofErrors((bytes) =>
    bytes.replace(/(content-length: )(\d+)(.*?\r\n\r\n)(.*)/is, (_, name: string, size: string, rest: string, body: string) =>
      `${name}${size}\r\nTransfer-Encoding: chunked${rest}${Number(size).toString(16)}\r\n${body}\r\n0\r\n\r\n`))],
  'control-character-in-a-field': ['A field of the response to an error holds a control character.', 'errors.syntax errors.method', ofErrors((bytes) => bytes.replace(/^date: /im, 'X-Note: a\x07b\r\n$&'))],
  'answer-cut-short': ['The connection is cut before the last byte of a response.', 'core.post', wire((link) => ({
    server: (bytes) => { link.send(bytes.slice(0, -1)); link.end(); return '' } }))],
  'connection-dead-after-an-error': ['After an error the connection stays open but there are no more responses.', 'raw.connection.after-bad-json raw.connection.after-bad-document', wire(() => {
    let isDead = false
    return { client: (bytes) => (isDead ? '' : bytes), server: (bytes) => { isDead ||= isError(bytes); return bytes } } })],
  'connection-cut-after-an-error': ['After an error the connection is cut without a word.', 'raw.connection.after-bad-json', wire((link) => ({
    server: (bytes) => { link.send(bytes); if (isError(bytes)) link.end(); return '' } }))],
  'close-ignored': ['Connection: close is ignored.', 'raw.connection.nothing-after-close raw.connection.close', client((bytes) => bytes.replaceAll(/\r\nconnection:[^\r]*/gi, ''))],
  'refused-body-left-unread': ['The body of a refused method is read as the next request.', 'raw.connection.after-405', headField('content-length', '', /^(?:PUT|PATCH|DELETE) /)],
  'pipelined-answers-out-of-order': ['Responses to pipelined requests are sent in the order in which they are ready.', 'raw.pipeline.slow-first', wire(() => {
    let isSlow = false, held = ''
    return {
      client: (bytes) => { isSlow = bytes.includes('slow('); return bytes },
      server: (bytes) => {
        held += bytes
        const responses = held.split(/(?=HTTP\/1\.1 )/)
        if (isSlow && responses.length < 2) return ''
        held = ''
        return responses.toReversed().join('')
      } } })],
  'leading-empty-line-refused': ['An empty line before a request is refused.', 'raw.line.empty-before raw.pipeline.empty-line',
    client((bytes) => bytes.replace(/^\r\n|(?<=\})\r\n(?=POST)/, malformed))],
  'absolute-form-404': ['A request target in absolute-form is not found.', 'raw.target.absolute', head((lines) => lines.replace(/^(\S+) https?:\S+/, '$1 /none'))],
  'http-1.0-unanswered': ['An HTTP/1.0 request gets no response.', 'raw.http10.expect raw.http10.answered', wire((link) => ({
    client: (bytes) => { if (/^\S+ \S+ HTTP\/1\.0/.test(bytes)) link.end(); return bytes } }))],
  'missing-host-accepted': ['A request without Host is served.', 'raw.host.missing', head((lines) => (/^host:/im.test(lines) ? lines : lines.replace('\r\n', '\r\nHost: localhost\r\n')))],
  'two-hosts-accepted': ['A request with two Host fields is served.', 'raw.host.two', headField('host', '', /\r\nhost:.*\r\nhost:/is)],
  'space-before-colon-accepted': ['White space before the colon of a field is taken.', 'raw.smuggle.space-before-colon raw.field.space-before-colon', head((lines) => lines.replaceAll(/^([\w-]+)[ \t]+:/gm, '$1:'))],
  'length-beside-chunked-wins': ['Content-Length wins over Transfer-Encoding, so that the rest is read as a second request.', 'raw.smuggle.hidden-request raw.smuggle.length-and-chunked', headField('transfer-encoding', '', both)],
  'length-beside-chunked-accepted': ['Content-Length beside Transfer-Encoding is taken, and the connection goes on.', 'raw.smuggle.hidden-request raw.smuggle.length-and-chunked', headField('content-length', '', both)],
  'two-lengths-accepted': ['Of two different Content-Length fields the first is taken.', 'raw.length.two-lines', head((lines) => lines.replace(/(\r\ncontent-length:[^\r]*)(.*)\r\ncontent-length:[^\r]*/is, '$1$2'))],
  'broken-length-accepted': ['Of a malformed Content-Length the digits are taken.', 'raw.length.list raw.length.empty',
    head((lines) => lines.replace(/^(content-length:) *(\d*).*$/im, (_, name: string, digits: string) => `${name} ${digits || '0'}`))],
  'unknown-transfer-coding-accepted': ['A request with an unknown transfer coding is treated as one without a body.', 'raw.smuggle.chunked-not-last raw.smuggle.not-quite-chunked',
    headField('transfer-encoding', '\r\nContent-Length: 0', /\r\ntransfer-encoding:(?! *chunked\r)/i)],
  'chunk-extensions-refused': ['A chunk extension is refused.', 'raw.chunk.extensions', refuseBytes(/\r\n[0-9a-f]+;/i)],
  'chunk-size-in-capitals-refused': ['A chunk size in capital letters is refused.', 'raw.chunk.size-forms', refuseBytes(/\r\n\d*[A-F][\dA-F]*\r\n/)],
  'trailers-refused': ['Trailers are refused.', 'raw.chunk.trailer raw.chunk.trailer-next', refuseBytes(/\r\n0\r\n[\w-]+:/)],
  'expect-unanswered': ['Expect: 100-continue gets no 100, although the server waits for the body.', 'raw.expect.continue raw.expect.continue-case', server((bytes) => bytes.replace('HTTP/1.1 100 Continue\r\n\r\n', ''))],
  '413-is-500': ['A body that is too large is 500.', 'http.limit.body http.limit.body-chunked', otherStatus(413, 500)],
  '413-by-reset': ['A body that is too large leads to a reset.', 'http.limit.body', wire((link) => ({
    server: (bytes) => { if (bytes.startsWith('HTTP/1.1 413 ')) link.reset(); return bytes } }))],
  '414-is-500': ['A request target that is too long is 500.', 'http.limit.target',
    { host: { maxHeaderBytes: 100_000 }, ...status(414, 500) }],
  '431-is-500': ['Header fields that are too large are 500.', 'http.limit.field', otherStatus(431, 500)],
  'always-gzip': ['Every response is compressed with gzip, whatever Accept-Encoding says.', 'http.accept-encoding.identity http.accept-encoding.refused',
    response((made) => ({ headers: { ...made.headers, 'content-encoding': 'gzip' }, body: gzipSync(textOf(made)) }))],
  '204-with-a-length': ['A 204 has a Content-Length.', 'http.options.no-content', server((bytes) => bytes.replace(/^HTTP\/1\.1 204 .*\r\n/, '$&Content-Length: 0\r\n'))],
  'method-in-lower-case-accepted': ['post is treated as POST.', 'raw.line.method-case', head((lines) => lines.replace(/^[a-z]+ /, (name) => name.toUpperCase()))],
  'major-version-ignored': ['The major version of HTTP is ignored.', 'raw.line.major-version', head((lines) => lines.replace(/HTTP\/\d\.\d/, 'HTTP/1.1'))],
  'target-of-4000-refused': ['A request target of more than 4,000 bytes is too long.', 'http.limit.target-8000', refuse(414, ({ target }) => target.length > 4000)],
  'nul-in-a-field-accepted': ['NUL in a field value is dropped.', 'raw.field.nul', client((bytes) => bytes.replaceAll('\0', ''))],
  'incomplete-body-executed': ['A body that ends before its Content-Length is executed anyway.', 'raw.length.cut-short', wire(() => ({ ended: () => ' '.repeat(1000) }))],
}

/** The cases that send a request which is large in one way or another, and then a small one. */
export const largeRequests: readonly string[] = readSuite()
  .cases.map(({ id }) => id)
  .filter((id) => /^http\.limit\.(?:document|json)/.test(id))

/** What a list of requests is answered is no GraphQL response. */
const single = largeRequests.filter((id) => id !== 'http.limit.json.list')

/** More than this is large here; no usual case sends it. */
const large = ({ body }: { readonly body: Buffer }): boolean => body.length > 400

const never: Around = () => new Promise(() => {})
const cut: Around = ({ raw }) => {
  raw.socket.destroy()
  return new Promise(() => {})
}

/** What happens to the request behind a large one. */
function following(around: Around): Layers {
  let wasLarge = false
  return {
    around: (given, next) => {
      const isNext = wasLarge
      wasLarge = large(given)
      return isNext && !wasLarge ? around(given, next) : next(given)
    },
  }
}

/** Defects in bearing requests that are large. */
// oxfmt-ignore
export const limitDefects: DefectTable = {
  'large-request-500': ['A large request is 500.', largeRequests.join(' '), when(large, { around: () => refusal(500) })],
  'large-request-cut': ['At a large request the connection is cut.', largeRequests.join(' '), when(large, { around: cut })],
  'large-request-empty': ['The response to a large request is 200 without a body.', single.join(' '), when(large, { around: () => ({ status: 200, headers: {}, body: '' }) })],
  'large-request-unanswered': ['A large request gets no response.', 'http.limit.document.spreads http.limit.json.depth', when(large, { around: never })],
  'cut-after-a-large-request': ['The request after a large one is cut off.', largeRequests.join(' '), () => following(cut)],
  'unanswered-after-a-large-request': ['The request after a large one gets no response.', 'http.limit.document.aliases http.limit.json.keys', () => following(never)],
}
