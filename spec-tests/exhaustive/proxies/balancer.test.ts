import type { Test } from 'tap'
import { jsonOf, valueOf, type HostRequest } from '../../hosts/exchange.js'
import { root, startRuntime } from '../runtimes/runtime.js'
import { startNginx } from './nginx.js'
import { readRoot, substitute, testWith } from './proxy.js'
import { change, get, post, query } from './row.js'

/** The service as `npm start` runs it, with its port and the key that it prints. */
async function startPeople(t: Test): Promise<{ port: string; key: string }> {
  const args = "people/dist/main.js --port 0 --db ':memory:' 2>&1"
  let key = ''
  const { url } = await startRuntime(t, ['sh', '-c', `exec '${process.execPath}' ${args}`], {
    cwd: root,
    env: { TRUST_PROXY: '1' },
    urlOf(line) {
      key = /^demo key: (\S+)$/.exec(line)?.[1] ?? key
      return /^listening on (\S+)$/.exec(line)?.[1]
    },
  })
  return { port: new URL(url).port, key }
}

testWith('nginx', 'people/balancer.conf', async (t, program) => {
  const { port, key } = await startPeople(t)
  const file = substitute(readRoot('people/balancer.conf'), {
    // The names of containers, which are not here; and nginx of Debian is too old for "resolve".
    'resolver 127.0.0.11 valid=5s;': '',
    'people:4000 resolve': `127.0.0.1:${port}`,
    'listen 4000': 'listen unix:SOCKET',
  })
  const nginx = await startNginx(t, program, file)
  const partial = '{ person(id: 1) { name } people(after: 1000000) { id } }'
  const page = { host: 'localhost:4000', origin: 'http://localhost:4000' }
  const handshake = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '12' }
  const change1 = (tag: string): HostRequest => {
    const { headers, ...request } = change(tag)
    return { ...request, headers: { ...headers, 'x-api-key': key } }
  }
  // oxfmt-ignore
  const rows: readonly (readonly [string, string, HostRequest, number, string])[] = [
    ['data beside errors',             '/graphql',  post(partial),                           294, 'graphql-response+json'],
    ['an invalid document',            '/graphql',  post('{ nope }'),                        422, 'graphql-response+json'],
    ['a query by QUERY',               '/graphql',  query('{ person(id: 1) { name } }'),     200, 'graphql-response'],
    ['a GET of its own page',          '/graphql',  get('{ person(id: 1) { id } }', page),   200, 'graphql'],
    ['a body too large',               '/graphql',  post('x'.repeat(1_100_000)),             413, 'graphql-response+json'],
    ['a handshake',                    '/graphql',  { headers: { ...handshake, 'sec-websocket-key': 'x'.repeat(24) } }, 426, 'json'],
    ['the metrics',                    '/metrics',  {},                                      404, 'text/html'],
    ['a known ETag',                   '/person/1', { headers: { 'if-none-match': '"1"' } }, 304, ''],
    ['a write to the version of now',  '/person/1', change1('"1"'),                          200, 'application/json'],
    ['a write to a version of before', '/person/1', change1('"1"'),                          412, 'problem+json'],
  ]
  for (const [name, path, request, status, type] of rows) {
    await t.test(`${name}: ${status}`, async (t) => {
      const answer = await nginx.client(path)(request)
      t.equal(answer.status, status)
      t.match(valueOf(answer, 'content-type') ?? '', type)
      if (status !== 304 && type !== 'text/html') t.type(jsonOf(answer), Object)
    })
  }
})
