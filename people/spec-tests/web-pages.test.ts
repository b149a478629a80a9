import { brotliCompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { chooseCoding, createPackedPage } from '../web-pages.js'

// oxfmt-ignore
const rows: [acceptEncoding: string | undefined, coding: string][] = [
  [undefined,                          'identity'],
  ['',                                 'identity'],
  ['gzip, deflate, br, zstd',          'br'],
  ['GZip',                             'gzip'],
  ['x-gzip',                           'gzip'],
  ['*',                                'gzip'],
  ['*, br',                            'br'],
  ['br;q=0, gzip',                     'gzip'],
  ['br ; Q=0.000 ,\tgzip ; q=0.001',   'gzip'],
  ['br;q=0.5, gzip;q=0.8',             'gzip'],
  ['br;q=0.8, gzip;q=0.8',             'br'],
  ['identity, gzip;q=0.5',             'identity'],
  ['*;q=0.5, gzip;q=0.1',              'identity'],
  ['gzip;q=0, *',                      'identity'],
  ['*;q=0',                            'identity'],
  ['br;q=2',                           'identity'],
  ['br;q=1;q=0',                       'identity'],
  ['brotli, gzipped',                  'identity'],
  [',,br,',                            'br'],
]
t.test('the coding that is chosen', async (t) => {
  for (const [accepted, coding] of rows) t.equal(chooseCoding(accepted), coding, String(accepted))
})

t.test('each coding is made once, and has a tag of its own', async (t) => {
  const text = 'the same text, '.repeat(100)
  const packed = brotliCompressSync(text)
  const choosePage = createPackedPage('text/plain', packed)
  const pages = ['br', 'gzip', 'identity'].map(choosePage)
  const [br, gzip, identity] = pages
  t.equal(br?.body, packed)
  t.equal(String(gunzipSync(gzip?.body as Buffer)), text)
  t.equal(String(identity?.body), text)
  t.same([br?.coding, gzip?.coding, identity?.coding], ['br', 'gzip', undefined])
  t.equal(new Set(pages.map((page) => page.tag)).size, 3)
  for (const [at, page] of ['gzip, br', 'gzip', undefined].map(choosePage).entries()) {
    t.equal(page, pages[at])
  }
})
