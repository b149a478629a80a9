import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNginx } from './nginx.js'
import { startOrigin } from './origin.js'
import { readRoot, substitute, testWith, untilMatches } from './proxy.js'
import { checkRows, get, long, post, read, untouched, type Row } from './row.js'

const gzip = { 'accept-encoding': 'gzip' }

testWith('nginx', 'docs/proxies/nginx.conf', async (t, program) => {
  const origin = await startOrigin(t)
  const file = substitute(readRoot('docs/proxies/nginx.conf'), {
    '127.0.0.1:4000': `127.0.0.1:${origin.port}`,
    'listen 8080': 'listen unix:SOCKET',
    '/var/lib/nginx': 'FOLDER/cache',
    '/var/log/nginx': 'FOLDER',
  })
  const nginx = await startNginx(t, program, file)
  const page = { host: 'api.example:8080', origin: 'http://api.example:8080' }
  // oxfmt-ignore
  await checkRows(t, nginx, origin, [
    ...untouched,
    [
      'speaks HTTP/1.1, passes on Host and says who asks',
      [post('{ fail }', { host: 'api.example:8080', 'x-forwarded-for': '192.0.2.1' })],
      294,
      { headers: { 'strict-transport-security': /./ }, seen: { httpVersion: '1.1', headers: { host: 'api.example:8080', 'x-forwarded-for': 'unix:' } } },
    ],
    ['a GET of its own page',                    [get('{ counter }', page)],               200, { intact: true }],
    ['leaves the limit of bodies to the server', [post('x'.repeat(1_100_000))],            413, { intact: true }],
    ['compresses 200 and says so in Vary', [get(`{ ${long} }`, gzip)], 200, { headers: { 'content-encoding': 'gzip', vary: /Accept-Encoding/ } }],
    ['does not compress resources',              [read(gzip)],                             200, { path: '/long', intact: true }],
    ['keeps 200 that states a lifetime',         [get('{ counter }'), get('{ counter }')], 200, { path: '/graphql/stored', reached: 1, intact: true }],
    ['does not keep 200 that states none',       [get('{ counter }'), get('{ counter }')], 200, { intact: true }],
    ['does not keep 294, whatever it states',    [get('{ fail }'), get('{ fail }')],       294, { path: '/graphql/stored', intact: true }],
    ...['authorization', 'cookie', 'x-api-key'].map((name): Row => [`neither keeps what ${name} came with nor gives it what is kept`, [
      get(`{ ${toAlias(name)}: counter }`, { [name]: 'one' }),
      get(`{ ${toAlias(name)}: counter }`),
      get(`{ ${toAlias(name)}: counter }`, { [name]: 'two' }),
    ], 200, { path: '/graphql/stored' }]),
    ['a last request', [read()], 200, { path: '/person/1' }],
  ])
  await t.test('logs the status without the query', async (t) => {
    const log = join(nginx.folder, 'graphql.log')
    const text = await untilMatches(/"GET \/person\/1" 200/, () => readFileSync(log, 'utf8'))
    t.match(text, /"POST \/graphql" 294 \d+ \d\.\d+ cache=-/)
    t.notMatch(text, 'fail')
  })
})

function toAlias(name: string): string {
  return name.replaceAll('-', '_')
}
