import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { contentOf, jsonOf, textOf } from '../../../src/conformance/wire/content.js'
import type { WireResponse } from '../../../src/conformance/wire/exchange.js'

function responseOf(codings: string, body: Uint8Array): WireResponse {
  return { status: 200, headers: [['Content-Encoding', codings]], body }
}

const plain = Buffer.from('{"a":1}')
const four = deflateSync(brotliCompressSync(gzipSync(gzipSync(plain))))

// oxfmt-ignore
const rows: readonly [codings: string, body: Uint8Array, found: string][] = [
  ['gzip',                        gzipSync(plain), '{"a":1}'],
  ['identity, , GZIP',            gzipSync(plain), '{"a":1}'],
  ['gzip, x-gzip, br, deflate',   four,            '{"a":1}'],
  ['gzip',                        plain,           'Content-Encoding is gzip, but the body is not valid gzip'],
  ['zstd',                        plain,           'unsupported Content-Encoding zstd'],
  ['gzip,x-gzip,br,deflate,gzip', gzipSync(four),  'Content-Encoding has 5 codings, more than 4'],
  ['gzip,'.repeat(3000),          plain,           'Content-Encoding has 3000 codings, more than 4'],
  ['gzip',                        gzipSync(Buffer.alloc(17 * 1024 * 1024)), 'the body is larger than 16777216 bytes when decompressed'],
]
for (const [codings, body, found] of rows) {
  void t.test(`a body in ${codings.slice(0, 40)} is "${found}"`, async (t) => {
    const content = contentOf(responseOf(codings, body))
    t.equal(content.ok ? Buffer.from(content.value).toString() : content.reason, found)
  })
}

void t.test('a response is decoded and parsed once, however many assertions read it', async (t) => {
  const response = responseOf('gzip', gzipSync(plain))
  t.equal(contentOf(response), contentOf(response))
  t.same(jsonOf(response), { a: 1 })
  t.equal(jsonOf(response), jsonOf(response))
  t.equal(textOf(response), '{"a":1}')
})

// oxfmt-ignore
const texts: readonly [body: string, text: string | undefined, json: unknown][] = [
  ['7b7d',       '{}',      {}],
  ['efbbbf7b7d', '{}',      {}],
  ['6e756c6c',   'null',    null],
  ['ff',         undefined, undefined],
  ['7b',         '{',       undefined],
  ['',           '',        undefined],
]
for (const [hex, text, json] of texts) {
  void t.test(`the bytes ${hex} are ${String(text)}`, async (t) => {
    const response = responseOf('', Buffer.from(hex, 'hex'))
    t.equal(textOf(response), text)
    t.strictSame(jsonOf(response), json)
  })
}
