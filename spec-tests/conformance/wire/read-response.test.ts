import t from 'tap'
import { maxResponseBytes } from '../../../src/conformance/wire/exchange.js'
import { maxHeadBytes, ResponseReader } from '../../../src/conformance/wire/read-response.js'
import { finish } from '../finish.js'

interface Reading {
  readonly isHead?: boolean
  readonly ended?: boolean
}

/** The first response of a connection in pieces of a size, and what is left behind it. */
function read(text: string, { isHead = false, ended = false }: Reading = {}, size = 1e9): string {
  const bytes = Buffer.from(text)
  const found: string[] = []
  const reader = new ResponseReader(isHead, {
    onResponse: ({ status, body }) =>
      found.push(`${status} ${JSON.stringify(Buffer.from(body).toString())}`),
  })
  for (let at = 0; at < bytes.length; at += size) reader.add(bytes.subarray(at, at + size))
  if (ended) reader.end()
  const [first = reader.problem ?? 'incomplete'] = found
  return first === reader.problem || found.length === 0
    ? first
    : `${first} then ${JSON.stringify(reader.rest.toString())}`
}

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`

// oxfmt-ignore
const rows: readonly [behaviour: string, text: string, found: string, how?: Reading][] = [
  ['a body by its length',                `${ok}Content-Length: 2\r\n\r\nhinext`,                '200 "hi" then "next"'],
  ['a length in bytes',                   `${ok}Content-Length: 2\r\n\r\né`,                     '200 "é" then ""'],
  ['the same length twice',               `${ok}Content-Length: 2, 2\r\n\r\nhi`,                 '200 "hi" then ""'],
  ['a status without a phrase',           'HTTP/1.1 294 \r\nContent-Length: 0\r\n\r\n',          '294 "" then ""'],
  ['HTTP/1.0',                            'HTTP/1.0 200 OK\r\ncontent-length:1\r\n\r\nx',        '200 "x" then ""'],
  ['a 204 without a body',                'HTTP/1.1 204 No Content\r\n\r\nnext',                 '204 "" then "next"'],
  ['a 304, whose length is of another',   'HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n',         '304 "" then ""'],
  ['an interim response',                 'HTTP/1.1 100 Continue\r\n\r\nHTTP',                   '100 "" then "HTTP"'],
  ['the answer to HEAD',                  `${ok}Content-Length: 9\r\n\r\n`,                      '200 "" then ""',   { isHead: true }],
  ['chunks',                              `${chunked}1\r\na\r\n0A;x="y"\r\nbcdefghijk\r\n0\r\n\r\nnext`, '200 "abcdefghijk" then "next"'],
  ['sizes with zeros in front',           `${chunked}000000000000001\r\na\r\n0000000000\r\n\r\n`, '200 "a" then ""'],
  ['chunks by another case',              `${ok}transfer-encoding: Chunked\r\n\r\n0\r\n\r\n`,    '200 "" then ""'],
  ['tabs around a length',                `${ok}Content-Length:\t2\t \t\r\n\r\nhinext`,           '200 "hi" then "next"'],
  ['a tab behind a coding',               `${ok}Transfer-Encoding: chunked\t\r\n\r\n1\r\na\r\n0\r\n\r\n`, '200 "a" then ""'],
  ['tabs of a body',                      `${ok}Content-Length: 3\r\n\r\n\ta\t`,               '200 "\\ta\\t" then ""'],
  ['chunks with trailers',                `${chunked}0\r\nA: 1\r\nB: 2\r\n\r\nnext`,             '200 "" then "next"'],
  ['a body up to the end',                `${ok}\r\nhi`,                                         '200 "hi" then ""', { ended: true }],
  ['a body up to an end that is to come', `${ok}\r\nhi`,                                         'incomplete'],
  ['half a head',                         `${ok}Content-Len`,                                    'incomplete'],
  ['half a body',                         `${ok}Content-Length: 3\r\n\r\nhi`,                    'incomplete'],
  ['half a body at the end',              `${ok}Content-Length: 3\r\n\r\nhi`,                    'incomplete',       { ended: true }],
  ['half a chunk',                        `${chunked}3\r\nhi`,                                   'incomplete'],
  ['half a size',                         `${chunked}3`,                                         'incomplete'],
  ['chunks without their last one',       `${chunked}2\r\nhi\r\n`,                               'incomplete',       { ended: true }],
  ['half a trailer',                      `${chunked}0\r\nA: 1`,                                 'incomplete'],
  ['half of the end of a trailer',        `${chunked}0\r\n`,                                     'incomplete'],
  ['another protocol',                    'SSH-2.0\r\n\r\n',                                     'broken HTTP: no valid status line: "SSH-2.0"'],
  ['a status of two digits',              'HTTP/1.1 20 OK\r\n\r\n',                              'broken HTTP: no valid status line: "HTTP/1.1 20 OK"'],
  ['a line without a colon',              `${ok}hi\r\n\r\n`,                                     'broken HTTP: no valid header line: "hi"'],
  ['a space before the colon',            `${ok}A : 1\r\n\r\n`,                                  'broken HTTP: no valid header line: "A : 1"'],
  ['a folded line',                       `${ok}A: 1\r\n 2\r\n\r\n`,                             'broken HTTP: no valid header line: " 2"'],
  ['a length that is none',               `${ok}Content-Length: x\r\n\r\n`,                      'broken HTTP: Content-Length is "x"'],
  ['two lengths',                         `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 'broken HTTP: Content-Length is "1, 2"'],
  ['a length beside chunks',              `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 'broken HTTP: Content-Length beside Transfer-Encoding'],
  ['both in the answer to HEAD',          `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 'broken HTTP: Content-Length beside Transfer-Encoding', { isHead: true }],
  ['chunks of chunks',                    `${ok}Transfer-Encoding: chunked, Chunked\r\n\r\n`, 'broken HTTP: Transfer-Encoding is "chunked, chunked"'],
  ['a NUL in a field',                    `${ok}A: 1\0\r\n\r\n`,                              'broken HTTP: no valid header line: "A: 1\\u0000"'],
  ['a control character in a phrase',     'HTTP/1.1 200 O\x07K\r\n\r\n',                        'broken HTTP: no valid status line: "HTTP/1.1 200 O\\u0007K"'],
  ['a size that is none',                 `${chunked}x\r\n`,                                     'broken HTTP: a chunk has no size'],
  ['a chunk longer than its size',        `${chunked}1\r\nhi\r\n`,                               'broken HTTP: a chunk is longer than its size'],
  ['a trailer that is none',              `${chunked}0\r\nhi\r\n\r\n`,                           'broken HTTP: no valid trailer line: "hi"'],
]
for (const [behaviour, text, found, how] of rows) {
  void t.test(`reads ${behaviour}`, async (t) => {
    t.equal(read(text, how), found)
    t.equal(read(text, how, 1), found, 'byte by byte')
  })
}

void t.test('keeps field lines as they came, without whitespace around values', async (t) => {
  const lines: string[] = []
  const reader = new ResponseReader(false, {
    onResponse: ({ headers }) => lines.push(...headers.map((line) => line.join(': '))),
  })
  reader.add(Buffer.from(`${ok}A:\t b \r\na:c\r\nContent-Length: 0\r\n\r\n`))
  t.equal(lines.join(', '), 'A: b, a: c, Content-Length: 0')
})

// oxfmt-ignore
const floods: readonly [what: string, start: string, part: string, problem: string][] = [
  ['head',             ok,           'A: b\r\n',          `the head of the response is larger than ${maxHeadBytes} bytes`],
  ['body',             `${ok}\r\n`, 'a',                  `the response is larger than ${maxResponseBytes} bytes`],
  ['chunk line',       chunked,      '1;',                 `the line of a chunk is larger than ${maxHeadBytes} bytes`],
  ['row of responses', '',           'HTTP/1.1 204\r\n\r\n', `the response is larger than ${maxResponseBytes} bytes`],
]
for (const [what, start, part, problem] of floods) {
  void t.test(`an endless ${what} is given up, and nothing of it is kept`, async (t) => {
    const reader = new ResponseReader(false, { onResponse: () => {} })
    reader.add(Buffer.from(start))
    const piece = Buffer.from(part.repeat(50_000))
    for (let sent = 0; sent < 2 * maxResponseBytes; sent += piece.length) reader.add(piece)
    t.equal(reader.problem, problem)
    t.equal(reader.rest.length < 200, true)
  })
}

const blanks = ' \t'.repeat(15_000)
// oxfmt-ignore
const hostile: readonly [behaviour: string, text: string][] = [
  ['header line',               `${ok}A:${blanks}\n\r\n\r\n`],
  ['value with a space within', `${ok}A:b${blanks}c${blanks}\n\r\n\r\n`],
  ['trailer',                   `${chunked}0\r\nA:${blanks}\n\r\n\r\n`],
  ['size of a chunk',           `${chunked}1${blanks}\r\n`],
  ['status line',               `HTTP/1.1 200${blanks}\n\r\n\r\n`],
]
for (const [behaviour, text] of hostile) {
  void t.test(`a ${behaviour} of white space takes no time`, async (t) => {
    const found = finish(() => read(text))
    t.match(found, /^broken HTTP: /)
    t.ok(found.length < 1000, 'a message is short, even if the line is not')
  })
}
