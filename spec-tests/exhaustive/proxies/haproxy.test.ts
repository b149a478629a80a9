import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startOrigin, type Origin } from './origin.js'
import { readRoot, startProxy, substitute, testWith, untilMatches, type Proxy } from './proxy.js'
import { change, get, long, post, query, read, testsOf, unpublished, untouched } from './row.js'
import type { Row } from './row.js'

const gzip = { 'accept-encoding': 'gzip' }
const compressed = { 'content-encoding': 'gzip' }

/** Starts HAProxy with a configuration; `SOCKET` there is its own. */
function startHaproxy(t: Test, program: string, configuration: string): Promise<Proxy> {
  return startProxy(t, (folder, socket) => {
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, configuration.replaceAll('SOCKET', `unix@${socket}`))
    return [program, '-db', '-f', file]
  })
}

/** HAProxy that passes everything on, with more in its parts. */
function passing(more: { front?: string; back?: string; server?: string } = {}) {
  return ({ port }: Origin): string => `
global
  log stdout format raw local0
defaults
  mode http
  log global
  option httplog
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend web
  bind SOCKET
  ${more.front ?? ''}
  default_backend graphwire
backend graphwire
  ${more.back ?? ''}
  server one 127.0.0.1:${port} ${more.server ?? ''}
`
}

const testHaproxy = testsOf('haproxy', startHaproxy)
const busy = { path: '/graphql/busy', intact: true } as const

// oxfmt-ignore
const alone: readonly Row[] = [
  ...untouched,
  [
    'speaks HTTP/1.1 to the server, with Host and X-Forwarded-For of the client',
    [post('{ fail }', { host: 'api.example', 'x-forwarded-for': '192.0.2.1' })],
    294,
    { seen: { httpVersion: '1.1', headers: { host: 'api.example', 'x-forwarded-for': '192.0.2.1' } } },
  ],
  ['asks once where the answer is 503', [get('{ counter }')], 503, busy],
]

testHaproxy('HAProxy with a server alone', passing(), alone, async (t, { output }) =>
  t.test('logs 294 as any status', async (t) => {
    const text = await untilMatches(/ 503 [^\n]*\n$/, () => output.out)
    t.match(text, / 294 \d+ - - ---- .*"POST \/graphql HTTP\/1\.1"/)
  }),
)

// oxfmt-ignore
testHaproxy('compression by HAProxy', passing({ front: 'compression algo gzip' }), [
  ['of 200, with Vary: Accept-Encoding',   [post(`{ ${long} }`, gzip)],      200, { headers: { ...compressed, vary: 'Accept, Accept-Encoding' } }],
  ['not of 294',                           [post(`{ ${long} fail }`, gzip)], 294, { headers: { 'content-encoding': null }, intact: true }],
  ['not of 422',                           [post(`{ ${long} nope }`, gzip)], 422, { headers: { 'content-encoding': null }, intact: true }],
  ['of a partial answer where partialSuccessStatus is 200', [post(`{ ${long} fail }`, gzip)], 200, { path: '/graphql/plain', headers: compressed }],
  ['makes a strong ETag weak',             [read(gzip)],                     200, { path: '/person/1', headers: { ...compressed, etag: 'W/"3"' } }],
  ['whose weak ETag fails every If-Match', [change('W/"3"')],                412, { path: '/person/1' }],
])

for (const vary of ['on', 'off']) {
  const cache = `cache some\n  total-max-size 4\n  max-age 60\n  process-vary ${vary}\n`
  const front = 'http-request cache-use some\n  http-response cache-store some'
  const configure = (origin: Origin): string => cache + passing({ front })(origin)
  const path = '/graphql/stored'
  // oxfmt-ignore
  testHaproxy(`a cache of HAProxy with process-vary ${vary}`, configure, [
    ['keeps no 200, since it knows no Vary: Accept', [get('{ counter }'), get('{ counter }')], 200, { path, intact: true }],
    ['keeps no 294',                                 [get('{ fail }'), get('{ fail }')],       294, { path }],
  ])
}

// oxfmt-ignore
testHaproxy('retries of HAProxy', passing({ back: 'retries 2\n  retry-on 503' }), [
  ['repeat a GET',       [get('{ counter }')],             503, { ...busy, reached: 3 }],
  ['repeat a QUERY',     [query('{ counter }')],           503, { ...busy, reached: 3 }],
  ['repeat a POST, too', [post('mutation { increment }')], 503, { ...busy, reached: 3 }],
])

const front = 'http-error status 503 content-type text/plain string "of the proxy"'
testHaproxy('error files of HAProxy', passing({ front }), [
  ['leave a 503 of the server alone', [post('{ counter }')], 503, busy],
])
testHaproxy('error files of HAProxy without a server', passing({ front, server: 'disabled' }), [
  ['are for its own 503', [post('{ counter }')], 503, { reached: 0, body: /^of the proxy$/ }],
])

testWith('haproxy', 'option httpchk of HAProxy', async (t, program) => {
  const origin = await startOrigin(t)
  const check = async (back: string) => {
    const server = 'check inter 20ms fall 1'
    const options = {
      back: `timeout check 5s\n  option httpchk\n  option log-health-checks\n  ${back}`,
      server,
    }
    const haproxy = await startHaproxy(t, program, passing(options)(origin))
    return untilMatches(/Health check for server [^\n]*\n/, () => haproxy.output.out)
  }
  t.match(await check(''), /failed.*DOWN/, 'asks by OPTIONS, which resources answer with 404')
  t.match(origin.seen.at(-1), { method: 'OPTIONS', httpVersion: '1.0' })
  const partial = 'http-check send meth GET uri /graphql?query={fail} ver HTTP/1.1 hdr Host a'
  t.match(await check(partial), /succeeded.*294.*UP/, 'takes 294 for well')
  const ready = await check('http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host a')
  t.match(ready, /succeeded.*UP/)
})

// oxfmt-ignore
const documented: readonly Row[] = [
  [
    'does not believe the X-Forwarded-For of a client',
    [post('{ fail }', { 'x-forwarded-for': '192.0.2.1' })],
    294,
    { seen: { headers: { 'x-forwarded-for': /^(?!192)/ } } },
  ],
  ['compresses 200',              [get(`{ ${long} }`, gzip)], 200, { headers: { ...compressed, vary: 'Accept, Accept-Encoding' } }],
  ['does not compress resources', [read(gzip)],               200, { path: '/long', intact: true }],
  ['repeats a GET',   [get('{ counter }')],             503, { ...busy, reached: 3 }],
  ['repeats a QUERY', [query('{ counter }')],           503, { ...busy, reached: 3 }],
  ['repeats no POST', [post('mutation { increment }')], 503, busy],
]

testHaproxy(
  'docs/proxies/haproxy.cfg',
  ({ port }) =>
    substitute(readRoot('docs/proxies/haproxy.cfg'), {
      '127.0.0.1:4000': `127.0.0.1:${port}`,
      'bind :8080': 'bind SOCKET',
    }),
  [...untouched, ...unpublished, ...documented],
)
