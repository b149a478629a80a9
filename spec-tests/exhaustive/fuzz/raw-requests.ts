import { mutate } from './mutate.js'
import type { Random } from '../../fuzz/random.js'
import { makeRequest, type FuzzRequest } from './requests.js'

// oxfmt-ignore
const words = [
  ['\r\n', '\n', '\r', '\r\n\r\n', ' ', '\t', ':', ' HTTP/1.1', ' HTTP/1.0', ' HTTP/0.9', ' HTTP/2.0', 'HTTP/9.9'],
  ['GET ', 'POST ', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'CONNECT a:1', 'Host: a\r\n', 'Host:\r\n', 'Connection: close\r\n'],
  ['Connection: keep-alive\r\n', 'Connection: upgrade\r\nUpgrade: websocket\r\n', 'Transfer-Encoding: chunked\r\n'],
  ['Transfer-Encoding: gzip, chunked\r\n', 'Content-Length: 5\r\n', 'Content-Length: 0\r\n', 'Expect: 100-continue\r\n'],
  ['Expect: x\r\n', '0\r\n\r\n', '5\r\n{"a":\r\n', 'ffffffff\r\n', 'a;x="y"\r\n', ' folded\r\n', '\0', '\xff', '%00'],
  ['Trailer: a\r\n', 'TE: trailers\r\n', 'X: ' + 'a'.repeat(17_000) + '\r\n', 'X: a\r\n'.repeat(101)],
].flat()

/** The bytes of one to three requests, as latin1: right, or with a few bytes changed. */
export function makeBytes(random: Random): string {
  const count = random.chance(0.2) ? 2 + random.below(2) : 1
  const text = Array.from({ length: count }, () => toBytes(random, makeRequest(random))).join('')
  return random.chance(0.6) ? toLatin1(mutate(random, text, words)) : text
}

function toBytes(random: Random, request: FuzzRequest): string {
  const body = Buffer.from(request.body).toString('latin1')
  const isChunked = random.chance(0.15)
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const own = request.headers.filter(([name]) => !framed.test(name) || random.chance(0.1))
  const lines = own.map(([name, value]) => `${name}: ${value}`)
  const version = random.chance(0.05) ? random.pick(['1.0', '0.9', '1.2', '2.0']) : '1.1'
  const head = [
    `${request.method} ${request.target} HTTP/${version}`,
    ...(random.chance(0.95) ? ['Host: localhost'] : []),
    ...toLatin1(lines.join('\n')).split('\n'),
    ...(body === '' && !isChunked ? [] : [framing]),
  ]
  const content = isChunked ? `${chunks(random, body)}0\r\n\r\n` : body
  return `${head.filter((line) => line !== '').join('\r\n')}\r\n\r\n${content}`
}

/** Most would only be turned away as a second framing or a second Host. */
const framed = /^(?:content-length|transfer-encoding|host|expect)$/i

function chunks(random: Random, body: string): string {
  let text = ''
  for (let at = 0; at < body.length;) {
    const size = 1 + random.below(body.length)
    const piece = body.slice(at, at + size)
    text += `${piece.length.toString(16)}\r\n${piece}\r\n`
    at += size
  }
  return text
}

/** What is beyond a byte becomes the bytes of its UTF-8. */
function toLatin1(text: string): string {
  return /[^\0-\xff]/.test(text) ? Buffer.from(text).toString('latin1') : text
}
