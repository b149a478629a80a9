import t from 'tap'
import { greetBrowsers } from '../../../../src/cli/serve/start/greet-browsers.js'
import { testClient } from '../../../../src/hosts/testing.js'
import type { Handler, Ide } from '../../../../src/index.js'

const handler: Handler = () => ({ status: 404, headers: [], body: 'of the handler' })
const ide: Ide = { page: () => ({ status: 200, headers: [], body: '' }), asset: () => undefined }
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

// oxfmt-ignore
const requests: readonly [method: string, target: string, accept: string | undefined, hasIde: boolean, isGreeted: boolean][] = [
  ['GET',  '/',                  browser,                         true,  true],
  ['GET',  '/',                  browser,                         false, true],
  ['HEAD', '/',                  browser,                         false, true],
  ['GET',  '/graphql',           browser,                         false, true],
  ['GET',  '/graphql',           browser,                         true,  false],
  ['GET',  '/graphql?query={a}', browser,                         false, false],
  ['POST', '/graphql',           browser,                         false, false],
  ['POST', '/',                  browser,                         false, false],
  ['GET',  '/other',             browser,                         false, false],
  ['GET',  '/',                  '*/*',                           false, false],
  ['GET',  '/',                  undefined,                       false, false],
  ['GET',  '/graphql',           'application/json, text/html',   false, false],
  ['GET',  '/graphql',           'text/html;q=0',                 false, false],
]

for (const [method, target, accept, hasIde, isGreeted] of requests) {
  const name = `${method} ${target} with ${accept} ${hasIde ? 'and an IDE' : ''}`
  void t.test(`${name} gets ${isGreeted ? 'the page' : 'the handler'}`, async (t) => {
    const options = { path: '/graphql', ide: hasIde ? ide : undefined, tls: undefined }
    const send = testClient(greetBrowsers(handler, options, false))
    const headers = accept === undefined ? {} : { Accept: accept }
    const response = await send({ method, target, headers })
    t.equal(response.status, isGreeted ? 200 : 404)
  })
}

void t.test('the page says what is here and what to do', async (t) => {
  const tls = { cert: '', key: '' }
  const served = { path: '/api', ide: undefined, tls }
  const send = testClient(greetBrowsers(handler, served, '/metrics'))
  const headers = { Accept: browser, Host: 'a.example:1"><script>' }
  const { body, headers: fields } = await send({ target: '/', headers })
  t.match(body, '<a href="/api">/api</a>')
  t.match(body, 'npm install @graphwire/ide')
  t.match(body, '<a href="/metrics">')
  t.match(body, 'https://a.example:1&quot;&gt;&lt;script&gt;/api')
  t.notMatch(body, '<script')
  t.match(fields.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-/)
  t.equal(fields.get('vary'), 'Accept')

  const withIde = testClient(greetBrowsers(handler, { ...served, ide, tls: undefined }, false))
  const { body: page } = await withIde({ target: '/', headers: { Accept: browser } })
  t.match(page, 'in the IDE')
  t.match(page, 'http://')
  t.notMatch(page, /npm install|metrics/i)
})
