import { testClient } from 'graphwire/testing'
import t from 'tap'
import { serveApiDescription } from '../pages.js'
import { createPeopleSchema } from '../schema/create-schema.js'
import { createWebPages } from '../web-pages.js'

const key = [{ apiKey: [] }, { token: [] }]

// oxfmt-ignore
const modes = [
  { auth: 'off',    reads: undefined,    writes: undefined, hint: /^<pre>curl -X PATCH <span/ },
  { auth: 'writes', reads: [{}, ...key], writes: key,       hint: /-H "X-API-Key: \$key"/ },
  { auth: 'all',    reads: key,          writes: key,       hint: /-H "X-API-Key: \$key"/ },
] as const

for (const { auth, reads, writes, hint } of modes) {
  void t.test(`AUTH=${auth}: description and pages say which requests need a key`, async (t) => {
    const describe = testClient(serveApiDescription(createPeopleSchema(), auth))
    const { paths, components } = JSON.parse((await describe({ method: 'GET' })).body)
    t.same(paths['/people'].get.security, reads)
    t.same(paths['/person'].post.security, writes)
    t.equal('securitySchemes' in components, auth !== 'off')

    const { byPath } = createWebPages({ auth, ide: 'off' })
    const { body } = await testClient(byPath['/live'])({ method: 'GET' })
    t.match(/<pre[^]*<\/pre>/.exec(body)?.[0].replace(/<pre[^>]*>/, '<pre>'), hint)
    t.equal(/<p class="note"\s+hidden/.test(body), auth === 'off')
  })
}

void t.test('pages of an allowed origin can read the description', async (t) => {
  const cors = { origins: ['https://app.example.com'] }
  const send = testClient(serveApiDescription(createPeopleSchema(), 'off', cors))
  for (const [origin, allowed] of /* oxfmt-ignore */ [
    ['https://app.example.com',   'https://app.example.com'],
    ['https://other.example.com', null],
  ] as const) {
    const { headers } = await send({ method: 'GET', headers: { Origin: origin } })
    t.equal(headers.get('access-control-allow-origin'), allowed)
    t.equal(headers.get('vary'), 'Origin')
  }
})

void t.test('a page for a target in absolute form has its path and its command', async (t) => {
  const { readable } = createWebPages({ auth: 'off', ide: 'off' })
  const send = testClient(readable(() => ({ status: 200, headers: [], body: '[]' })))
  const headers = { Accept: 'text/html', Host: 'example.org' }
  const { body } = await send({ target: 'http://example.org/people?limit=1', headers })
  t.match(body, '<title>people: /people<')
  t.match(body, /curl -i &#39;http:\/\/example.org\/people\?limit=1&#39;/)
})
