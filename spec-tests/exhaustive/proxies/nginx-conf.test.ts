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
  await checkRows(t, nginx, origin, [
    ...untouched,
    {
      name: 'speaks HTTP/1.1, passes on Host and says who asks',
      requests: [post('{ fail }', { host: 'api.example:8080', 'x-forwarded-for': '192.0.2.1' })],
      status: 294,
      headers: { 'strict-transport-security': /./ },
      seen: {
        httpVersion: '1.1',
        headers: { host: 'api.example:8080', 'x-forwarded-for': 'unix:' },
      },
    },
    {
      name: 'a GET of its own page',
      requests: [get('{ counter }', page)],
      status: 200,
      intact: true,
    },
    {
      name: 'leaves the limit of bodies to the server',
      requests: [post('x'.repeat(1_100_000))],
      status: 413,
      intact: true,
    },
    {
      name: 'compresses 200 and says so in Vary',
      requests: [get(`{ ${long} }`, gzip)],
      status: 200,
      headers: { 'content-encoding': 'gzip', vary: /Accept-Encoding/ },
    },
    {
      name: 'does not compress resources',
      path: '/long',
      requests: [read(gzip)],
      status: 200,
      intact: true,
    },
    {
      name: 'keeps 200 that states a lifetime',
      path: '/graphql/stored',
      requests: [get('{ counter }'), get('{ counter }')],
      reached: 1,
      status: 200,
      intact: true,
    },
    {
      name: 'does not keep 200 that states none',
      requests: [get('{ counter }'), get('{ counter }')],
      status: 200,
      intact: true,
    },
    {
      name: 'does not keep 294, whatever it states',
      path: '/graphql/stored',
      requests: [get('{ fail }'), get('{ fail }')],
      status: 294,
      intact: true,
    },
    ...['authorization', 'cookie', 'x-api-key'].map((name): Row => ({
      name: `neither keeps what ${name} came with nor gives it what is kept`,
      path: '/graphql/stored',
      requests: [
        get(`{ ${toAlias(name)}: counter }`, { [name]: 'one' }),
        get(`{ ${toAlias(name)}: counter }`),
        get(`{ ${toAlias(name)}: counter }`, { [name]: 'two' }),
      ],
      status: 200,
    })),
    { name: 'a last request', path: '/person/1', requests: [read()], status: 200 },
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
