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
