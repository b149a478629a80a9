import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documented, passing, startNginx, testNginx } from './nginx.js'
import type { Origin } from './origin.js'
import { testWith, untilMatches } from './proxy.js'
import { change, get, long, post, query, read, unpublished, untouched, type Row } from './row.js'

const gzip = { 'accept-encoding': 'gzip' }

/** One that passes everything on, with more in its location. */
const passingBy =
  (more: string) =>
  ({ port }: Origin): string =>
    passing(port, more)

// oxfmt-ignore
const alone: readonly Row[] = [
  ...untouched,
  [
    'speaks HTTP/1.0 to the server, with the name of the upstream as Host',
    [get('{ fail }', { host: 'api.example' })],
    294,
    { seen: { httpVersion: '1.0', headers: { host: /^127\.0\.0\.1:\d+$/ } } },
  ],
  [
    'believes the X-Forwarded-For of a client',
    [get('{ counter }', { 'x-forwarded-for': '192.0.2.1' })],
    200,
    { seen: { headers: { 'x-forwarded-for': '192.0.2.1' } } },
  ],
  ['does not compress application/graphql-response+json',  [get(`{ ${long} }`, gzip)],    200, { headers: { 'content-encoding': null }, intact: true }],
  ['refuses a body of more than 1 MiB by itself, in HTML', [post('x'.repeat(1_100_000))], 413, { reached: 0, headers: { 'content-type': 'text/html' } }],
  [
    'refuses a GET of a page of its own with an Origin, since Host is another',
    [get('{ counter }', { host: 'api.example', origin: 'http://api.example' })],
    403,
  ],
]
// `gzip on` is what Debian's nginx.conf says.
testNginx('nginx with proxy_pass alone', ({ port }) => `gzip on; ${passing(port)}`, alone)

// oxfmt-ignore
testNginx('$host of nginx', passingBy('proxy_set_header Host $host;'), [
  ['has lost the port', [post('{ fail }', { host: 'api.example:8080' })], 294, { seen: { headers: { host: /^api\.example$/ } } }],
])

const adding = passingBy('add_header X-Some yes; add_header X-Every yes always;')
const both = { 'x-some': 'yes', 'x-every': 'yes' }
const always = { 'x-some': null, 'x-every': 'yes' }
// oxfmt-ignore
testNginx('add_header of nginx', adding, [
  ['on 200',                                   [post('{ counter }')], 200, { headers: both }],
  ['on 294',                                   [post('{ fail }')],    294, { headers: always }],
  ['on 422',                                   [post('{ nope }')],    422, { headers: always }],
  ['on 200 where partialSuccessStatus is 200', [post('{ fail }')],    200, { path: '/graphql/plain', headers: both }],
])

const types = 'application/graphql-response+json application/json'
const compressing = passingBy(`gzip on; gzip_min_length 1; gzip_types ${types};`)
const compressed = { 'content-encoding': 'gzip' }
const plain = { 'content-encoding': null }
// oxfmt-ignore
testNginx('compression by nginx', compressing, [
  ['of 200, without Vary: Accept-Encoding',                 [post(`{ ${long} }`, gzip)], 200, { headers: { ...compressed, vary: 'Accept' } }],
  ['not of 294',                                            [post(`{ ${long} fail }`, gzip)], 294, { headers: plain, intact: true }],
  ['not of 422',                                            [post(`{ ${long} nope }`, gzip)], 422, { headers: plain, intact: true }],
  ['of a partial answer where partialSuccessStatus is 200', [post(`{ ${long} fail }`, gzip)], 200, { path: '/graphql/plain', headers: compressed }],
  ['makes a strong ETag weak',                              [read(gzip)], 200, { path: '/person/1', headers: { ...compressed, etag: 'W/"3"' } }],
  ['whose weak ETag is good for If-None-Match',             [read({ ...gzip, 'if-none-match': 'W/"3"' })], 304, { path: '/person/1' }],
  ['whose weak ETag fails every If-Match',                  [change('W/"3"')], 412, { path: '/person/1' }],
])

const page = 'location = /page { internal; default_type text/html; return 200 page; }'
const withPages =
  (more: string) =>
  ({ port }: Origin): string =>
    passing(port, `error_page 422 503 /page; ${more}`).replace('location', `${page} location`)
const path = '/graphql/busy'
// oxfmt-ignore
testNginx('error pages of nginx', withPages(''), [
  ['stay out of the way of 422', [post('{ nope }')],    422, { intact: true }],
  ['stay out of the way of 503', [post('{ counter }')], 503, { path, intact: true }],
])
// oxfmt-ignore
testNginx('error pages of nginx with proxy_intercept_errors', withPages('proxy_intercept_errors on;'), [
  ['take the place of 422', [post('{ nope }')], 422, { headers: { 'content-type': 'text/html' }, body: /^page$/ }],
  ['take the place of 503 and its Retry-After', [post('{ counter }')], 503, { path, headers: { 'retry-after': null }, body: /^page$/ }],
  ['leave 294 alone', [post('{ fail }')], 294, { intact: true }],
])

testWith('nginx', 'error pages of nginx cannot be given for 294', async (t, program) => {
  await t.rejects(startNginx(t, program, 'error_page 294 /page;'), /must be between 300 and 599/)
})

const inTwo = ({ port }: Origin): string => {
  const server = `server 127.0.0.1:${port} max_fails=0;`
  const more = 'proxy_pass http://two; proxy_next_upstream http_503;'
  return `upstream two { ${server} ${server} }
    server { listen unix:SOCKET; location / { ${more} } }`
}
const busy = { path, intact: true } as const
// oxfmt-ignore
testNginx('proxy_next_upstream http_503 of nginx', inTwo, [
  ['asks again after GET',          [get('{ counter }')],   503, { ...busy, reached: 2 }],
  ['asks again after QUERY',        [query('{ counter }')], 503, { ...busy, reached: 2 }],
  ['does not ask again after POST', [post('{ counter }')],  503, busy],
])

const ownPage = { host: 'api.example:8080', origin: 'http://api.example:8080' }
// oxfmt-ignore
const behindDocumented: readonly Row[] = [
  ...untouched,
  ...unpublished,
  [
    'speaks HTTP/1.1, passes on Host and the address of the client',
    [post('{ fail }', { host: 'api.example:8080', 'x-forwarded-for': '192.0.2.1' })],
    294,
    { headers: { 'strict-transport-security': /./ }, seen: { httpVersion: '1.1', headers: { host: 'api.example:8080', 'x-forwarded-for': 'unix:' } } },
  ],
  ['a GET of its own page',                    [get('{ counter }', ownPage)],               200, { intact: true }],
  ['leaves the limit of bodies to the server', [post('x'.repeat(1_100_000))],            413, { intact: true }],
  ['compresses 200 and says so in Vary', [get(`{ ${long} }`, gzip)], 200, { headers: { 'content-encoding': 'gzip', vary: /Accept-Encoding/ } }],
  ['does not compress resources',              [read(gzip)],                             200, { path: '/long', intact: true }],
  ['keeps 200 that states a lifetime',         [get('{ counter }'), get('{ counter }')], 200, { path: '/graphql/stored', reached: 1, intact: true }],
  ['keeps it for each host', ['a.example', 'b.example'].map((host) => get('{ h: counter }', { host })), 200, { path: '/graphql/stored' }],
  ['does not keep 200 that states none',       [get('{ counter }'), get('{ counter }')], 200, { intact: true }],
  ['does not keep 294, whatever it states',    [get('{ fail }'), get('{ fail }')],       294, { path: '/graphql/stored', intact: true }],
  ...['authorization', 'cookie', 'x-api-key'].map((name, at): Row => [`neither keeps what ${name} came with nor gives it what is kept`, [
    get(`{ a${at}: counter }`, { [name]: 'one' }),
    get(`{ a${at}: counter }`),
    get(`{ a${at}: counter }`, { [name]: 'two' }),
  ], 200, { path: '/graphql/stored' }]),
  ['a last request', [read()], 200, { path: '/person/1' }],
]

testNginx(
  'docs/proxies/nginx.conf',
  ({ port }) => documented(port),
  behindDocumented,
  async (t, { folder }) => {
    const log = join(folder, 'graphql.log')
    const text = await untilMatches(/"GET \/person\/1" 200/, () => readFileSync(log, 'utf8'))
    t.match(text, /"POST \/graphql" 294 \d+ \d\.\d+ cache=-/)
    t.notMatch(text, 'fail', 'it logs the status without the query')
  },
)
