import t from 'tap'
import { makeApiKey } from '../../access/api-key.js'
import { onEachDatabase } from '../store/databases.js'
import { addKey, serveAccess } from './served.js'

const both = 'Bearer realm="people", ApiKey realm="people"'

await onEachDatabase(t, 'routes', async (t, open) => {
  const store = await open()
  const writer = await addKey(store, 'writer')
  const reader = await addKey(store, 'reader', ['read'])
  const served = await serveAccess(t, { store })

  // oxfmt-ignore
  const rows: [name: string, path: string, lines: string[], status: number, code?: string][] = [
    ['nobody reads',                     '/who',     [],                          200],
    ['an anonymous client cannot write', '/write',   [],                          401, 'UNAUTHENTICATED'],
    ['a reader writes nothing',          '/write',   ['X-API-Key', reader],       403, 'FORBIDDEN'],
    ['a writer writes',                  '/write',   ['X-API-Key', writer],       200],
    ['a writer reads',                   '/who',     ['X-API-Key', writer],       200],
    ['a bad key reads nothing',          '/who',     ['X-API-Key', makeApiKey()], 401, 'UNAUTHENTICATED'],
    ['a bad key is told of no path',     '/nowhere', ['X-API-Key', 'x'],          401, 'UNAUTHENTICATED'],
  ]
  for (const [name, path, lines, status, code] of rows) {
    await t.test(`${name}: ${status}`, async (t) => {
      const write = path === '/write'
      const answer = await served.send({
        method: write ? 'POST' : 'GET',
        path,
        headers: write ? ['Content-Type', 'application/json', ...lines] : lines,
        ...(write && { body: '{}' }),
      })
      t.equal(answer.status, status)
      if (status === 200) {
        t.match(answer.headers['ratelimit'], /^"(key|address)";r=\d+;t=\d+$/)
        return
      }
      t.equal(answer.headers['content-type'], 'application/problem+json')
      t.match(answer.json, { status, code })
      const challenge = answer.headers['www-authenticate']
      if (status === 401) t.equal(challenge, lines.length === 0 ? both : 'ApiKey realm="people"')
      else t.equal(challenge, undefined)
    })
  }

  await t.test('a route counts as one root field, and is limited with the others', async (t) => {
    const key = await addKey(store, 'few', ['read'], 2)
    const get = () => served.send({ method: 'GET', path: '/who', headers: ['X-API-Key', key] })
    t.match((await get()).headers, { ratelimit: /^"key";r=1;/, 'ratelimit-policy': /q=2;w=60$/ })
    t.match((await served.run('{ who }', 'X-API-Key', key)).headers, { ratelimit: /^"key";r=0;/ })
    const answer = await get()
    t.match(answer, { status: 429, json: { code: 'RATE_LIMITED', status: 429 } })
    t.match(answer.headers['ratelimit'], /^"key";r=0;t=\d+$/)
    t.match(answer.headers['retry-after'], /^\d+$/)
  })
})
