import t from 'tap'
import { createCors } from '../../src/http/cors.js'

const own = 'https://app.example'
const head = { method: 'GET', target: '/', headers: [], raw: undefined }

// oxfmt-ignore
const rows: readonly (readonly [origins: '*' | (string | RegExp)[] | undefined, origin: string, allows: boolean, names: boolean])[] = [
  [[own],     own,                   true,  true],
  [[own],     'https://b.example',   false, false],
  [['https://*.example.com'], 'https://a.example.com',       true,  true],
  [['https://*.example.com'], 'https://a-1.example.com',     true,  true],
  [['https://*.example.com'], 'https://example.com',         false, false],
  [['https://*.example.com'], 'https://a.b.example.com',     false, false],
  [['https://*.example.com'], 'https://a.exampleXcom',       false, false],
  [['https://*.example.com'], 'http://a.example.com',        false, false],
  [['https://*.example.com'], 'https://a.example.com:8443',  false, false],
  [['https://*.example.com'], 'https://a.example.com.evil.example', false, false],
  [['https://*.example.com'], 'https://*.example.com',       false, false],
  [[/https:\/\/pr-\d+\.example\.com/g], 'https://pr-12.example.com', true, true],
  [[/https:\/\/pr-\d+\.example\.com/g], 'https://pr-12.example.com.evil.example', false, false],
  [[/https:\/\/a|https:\/\/b/],          'https://a.evil.example', false, false],
  ['*',       own,                   true,  false],
  [[],        own,                   false, false],
  [undefined, own,                   false, false],
]

void t.test('which origins may read responses, and which may open sockets', async (t) => {
  for (const [origins, origin, allows, names] of rows) {
    const cors = createCors(origins && { origins }, () => 'POST')
    const found = [cors.allows(origin, head), cors.names(origin, head)]
    t.same(found, [allows, names], `${String(origins)}: ${origin}`)
  }
})
