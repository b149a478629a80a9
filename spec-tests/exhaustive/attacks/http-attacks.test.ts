import { bytesAttacks, runAttacks, type AttackRow } from './run-attacks.js'

const body = '{"query":"{ hello }"}'
const length = `Content-Length: ${body.length}\r\n`
const json = 'Content-Type: application/json\r\n'
const host = 'Host: localhost\r\n'
const line = 'POST /graphql HTTP/1.1\r\n'
const get = 'GET /graphql?query=%7Bhello%7D'

const post = (headers: string, content = body): string =>
  `${line}${host}${json}${headers}\r\n${content}`
const chunked = (chunks: string, headers = ''): string =>
  post(`${headers}Transfer-Encoding: chunked\r\n`, chunks)
const chunk = `${body.length.toString(16)}\r\n${body}\r\n`

// oxfmt-ignore
const requests: readonly AttackRow<string | Uint8Array>[] = [
  // What is no request.
  ['nothing but NUL',                   '\0'.repeat(1000),                                                     400, 'BAD_REQUEST'],
  ['nothing but 0xff',                  Buffer.alloc(1000, 0xff),                                              400, 'BAD_REQUEST'],
  ['an answer instead of a request',    'HTTP/1.1 200 OK\r\n\r\n',                                             400, 'BAD_REQUEST'],
  ['the preface of HTTP/2',             'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',                                    [400, 405]],
  ['100,000 empty lines before a request', `${'\r\n'.repeat(100_000)}${get} HTTP/1.1\r\n${host}\r\n`,          [200, 400, 431]],
  ['half a request line',               'POST /gra',                                                           400, 'BAD_REQUEST', 'ends'],
  ['half a head',                       `${line}Host: loc`,                                                    400, 'BAD_REQUEST', 'ends'],
  // The request line.
  ['a method of 100,000 letters',       `${'A'.repeat(100_000)} / HTTP/1.1\r\n${host}\r\n`,                    400],
  ['TRACE',                             `TRACE /graphql HTTP/1.1\r\n${host}\r\n`,                              405, 'METHOD_NOT_ALLOWED'],
  ['two spaces',                        `GET  /graphql HTTP/1.1\r\n${host}\r\n`,                               [400, 422]],
  ['a target with NUL',                 `GET /graphql?query=\0 HTTP/1.1\r\n${host}\r\n`,                       400, 'BAD_REQUEST'],
  ['a target of bytes',                 Buffer.from('GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),    [400, 404]],
  ['a target of 9,000 characters',      `GET /graphql?${'a'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`,            414, 'URI_TOO_LONG'],
  ['a target of 100,000 characters',    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`,                 [414, 431]],
  ['8,000 parameters',                  `GET /graphql?${'a&'.repeat(4000)} HTTP/1.1\r\n${host}\r\n`,           422, 'INVALID_PARAMETER'],
  ['2,600 broken escapes',              `GET /graphql?${'query=%&'.repeat(1000)} HTTP/1.1\r\n${host}\r\n`,     400],
  ['escapes that are not UTF-8',        `GET /graphql?query=${'%ff'.repeat(2600)} HTTP/1.1\r\n${host}\r\n`,    400],
  ['parameters of prototypes',          `GET /graphql?__proto__=1&constructor=2 HTTP/1.1\r\n${host}\r\n`,      422],
  ['a URL that no parser takes',        `GET http://[ HTTP/1.1\r\n${host}\r\n`,                                [400, 404]],
  ['an absolute form of another path',  `POST ftp://localhost/etc/passwd HTTP/1.1\r\n${host}\r\n`,             404, 'NOT_FOUND'],
  ['a path upwards',                    `GET /graphql/../../etc/passwd HTTP/1.1\r\n${host}\r\n`,               404, 'NOT_FOUND'],
  ['a path upwards, escaped',           `GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n${host}\r\n`,               404, 'NOT_FOUND'],
  ['two slashes',                       `GET //graphql HTTP/1.1\r\n${host}\r\n`,                               404, 'NOT_FOUND'],
  ['OPTIONS of everything',             `OPTIONS * HTTP/1.1\r\n${host}\r\n`,                                   204],
  ['GET of everything',                 `GET * HTTP/1.1\r\n${host}\r\n`,                                       [400, 404]],
  // The header lines.
  ['a Host of 15,000 characters',       `${line}Host: ${'a'.repeat(15_000)}\r\n${json}${length}\r\n${body}`,   [200, 400]],
  ['a Host of 17,000 characters',       `${line}Host: ${'a'.repeat(17_000)}\r\n${json}${length}\r\n${body}`,   431],
  ['a head of 1 MB',                    `${line}${host}A: ${'a'.repeat(1_000_000)}\r\n\r\n`,                   431],
  ['100 header lines',                  post(`${'A: b\r\n'.repeat(97)}${length}`),                             200],
  ['101 header lines',                  post(`${'A: b\r\n'.repeat(98)}${length}`),                             431, 'TOO_MANY_HEADERS'],
  ['3,000 header lines',                post(`${'A: \r\n'.repeat(3000)}${length}`),                            431],
  ['header names of prototypes',        post(`__proto__: a\r\nconstructor: b\r\ntoString: c\r\n${length}`),    200],
  ['a cookie of 15,000 characters',     post(`Cookie: a=${';'.repeat(15_000)}\r\n${length}`),                  200],
  ['Accept with 3,000 members',         post(`Accept: ${'a/b;q=0,'.repeat(1800)}*/*\r\n${length}`),            200],
  ['Accept full of quotes',             post(`Accept: ${'"\\'.repeat(7000)}\r\n${length}`),                    [200, 406]],
  ['Accept full of semicolons',         post(`Accept: a/b${';'.repeat(15_000)}\r\n${length}`),                 [200, 406]],
  ['a Content-Type full of parameters', `${line}${host}Content-Type: application/json${';a=b'.repeat(3500)}\r\n${length}\r\n${body}`, 200],
  ['a Content-Type that is cut off',    `${line}${host}Content-Type: application/json; charset="\r\n${length}\r\n${body}`, [200, 415]],
  [
    'an Upgrade to WebSocket',
    `GET /graphql HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    [400, 422, 426, 501],
  ],
  ['an Upgrade to HTTP/2',              post(`Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n${length}`), [200, 400, 426]],
  // The framing, where two readers of one request could disagree.
  ['gzip before chunks',                post('Transfer-Encoding: gzip, chunked\r\n', `${chunk}0\r\n\r\n`),     501],
  ['chunks twice',                      post('Transfer-Encoding: chunked, chunked\r\n', `${chunk}0\r\n\r\n`),  [400, 501]],
  ['a transfer coding behind a tab',    post(`Transfer-Encoding:\tchunked\r\n${length}`, `${chunk}0\r\n\r\n`), 400],
  ['a chunk with bare LF',              chunked(`15\n${body}\n0\n\n`),                                         400, 'BAD_REQUEST'],
  ['extensions of 1 MB',                chunked(`1;${'a'.repeat(1_000_000)}\r\nx\r\n`),                        413],
  ['trailers of 1 MB',                  chunked(`${chunk}0\r\nA: ${'a'.repeat(1_000_000)}\r\n\r\n`),           [200, 400, 431]],
  ['trailers that claim to be headers', chunked(`${chunk}0\r\nContent-Length: 5\r\nHost: x\r\n\r\n`),          [200, 400]],
  ['9,000 chunks of a byte',            chunked(`${'1\r\n \r\n'.repeat(9000)}${chunk}0\r\n\r\n`),              200],
  ['11,000 chunks of a byte',           chunked(`${'1\r\n \r\n'.repeat(11_000)}${chunk}0\r\n\r\n`),            413, 'TOO_MANY_CHUNKS'],
]

runAttacks('a server bears malformed HTTP of every kind', bytesAttacks(requests), { rounds: 2 })
