import { execFileSync } from 'node:child_process'
import { findProgram } from '../clients/find-program.js'
import type { Origin } from './origin.js'
import { readRoot, substitute, untilMatches } from './proxy.js'
import * as rows from './row.js'
import { startVarnish, workOf } from './varnish.js'

const { change, get, long, post, query, read, testsOf, twice, unpublished, untouched } = rows

const silent = '/graphql/silent'
const stored = '/graphql/stored'
const testVarnish = testsOf('varnishd', startVarnish)

/** Varnish with what Debian installs, which is a backend alone, and more behind it. */
const passing =
  (more = '') =>
  ({ port }: Origin): string =>
    `vcl 4.1; backend default { .host = "127.0.0.1"; .port = "${port}"; } ${more}`

const json = { accept: 'application/json' }
const types = [get('{ a: fail }', json), get('{ a: fail }')] as const
const keys = [{ 'x-api-key': 'one' }, { 'x-api-key': 'two' }]
// oxfmt-ignore
testVarnish('Varnish with a backend alone', passing(), [
  ...untouched,
  twice('keeps 200 without Cache-Control', silent, '{ counter }', 200, 1),
  twice('keeps no 294 without Cache-Control', silent, '{ fail }', 294),
  twice('keeps no 422 without Cache-Control', silent, '{ nope }', 422),
  twice('keeps no 200 as graphwire sends it', '/graphql', '{ counter }', 200),
  twice('keeps 200 with max-age', stored, '{ counter }', 200, 1),
  twice('keeps no 294 with max-age', stored, '{ fail }', 294),
  twice('keeps no 422 with max-age', stored, '{ nope }', 422),
  // 294 each time, 200 once.
  ['keeps a variant for each Accept', [...types, ...types, types[0]], 200, { path: stored, reached: 3, headers: { 'content-type': 'application/json' } }],
  ...['authorization', 'cookie'].map((name) =>
    twice(`keeps nothing that ${name} came with`, stored, `{ ${name}: counter }`, 200, 2, [{ [name]: 'one' }, { [name]: 'two' }]),
  ),
  twice('gives one caller what another got by a key of its own', stored, '{ c: counter }', 200, 1, keys),
  twice('keeps no partial answer of status 200', '/graphql/plain', '{ fail }', 200),
  twice('keeps a clean answer that states a lifetime', '/graphql/clean', '{ counter }', 200, 1),
  twice('keeps no partial answer beside it, which is 200 as application/json', '/graphql/clean', '{ fail }', 200, 2, [json, json]),
  [
    'keeps no answer to QUERY, which it tunnels',
    [query('{ counter }'), query('{ counter }')],
    200,
    { path: stored, headers: { via: null, 'x-varnish': null }, seen: { headers: { connection: 'close' } } },
  ],
  [
    'speaks HTTP/1.1 to the server, with Host of the client and more in X-Forwarded-For',
    [post('{ fail }', { host: 'api.example', 'x-forwarded-for': '192.0.2.1' })],
    294,
    { seen: { httpVersion: '1.1', headers: { host: 'api.example', 'x-forwarded-for': /^192\.0\.2\.1, / } } },
  ],
])

/** What a VCL may say; a request picks it by X-Rule, since each VCL of its own takes a compiler's time. */
const rules = `sub vcl_backend_response {
  if (bereq.http.X-Rule == "hour") { set beresp.ttl = 1h; }
  if (bereq.http.X-Rule == "hour, deliver") { set beresp.ttl = 1h; return (deliver); }
  if (bereq.http.X-Rule == "moment") { set beresp.ttl = 1ms; }
  if (bereq.http.X-Rule == "gzip") { set beresp.do_gzip = true; }
}`

const hour = { 'x-rule': 'hour' }
const deliver = { 'x-rule': 'hour, deliver' }
const gzip = { 'x-rule': 'gzip', 'accept-encoding': 'gzip' }
const compressed = { 'content-encoding': 'gzip', vary: /Accept-Encoding/ }
// oxfmt-ignore
const withRules: readonly rows.Row[] = [
  twice('that sets ttl keeps 294 without Cache-Control', silent, '{ fail }', 294, 1, [hour, hour]),
  twice('that sets ttl keeps 294 with max-age', stored, '{ fail }', 294, 1, [hour, hour]),
  twice('that sets ttl keeps no 294 with no-store', '/graphql', '{ fail }', 294, 2, [hour, hour]),
  twice('that also returns keeps 294 with no-store', '/graphql', '{ a: fail }', 294, 1, [deliver, deliver]),
  ['that sets do_gzip compresses 200',           [post(`{ ${long} }`, gzip)],      200, { headers: compressed }],
  ['that sets do_gzip compresses 294',           [post(`{ ${long} fail }`, gzip)], 294, { headers: compressed }],
  ['that sets do_gzip makes a strong ETag weak', [read(gzip)],                     200, { path: '/person/1', headers: { ...compressed, etag: 'W/"3"' } }],
  ['whose weak ETag fails every If-Match',       [change('W/"3"')],                412, { path: '/person/1' }],
]

testVarnish('Varnish with a VCL', passing(rules), withRules, async (t, varnish, origin) =>
  t.test('gives an answer once more whose time is over', async (t) => {
    const ask = async (): Promise<string> => {
      const answer = await varnish.client(stored)(get('{ counter }', { 'x-rule': 'moment' }))
      return answer.body.toString()
    }
    t.match(await ask(), '"counter":0')
    await origin.client(stored)(post('mutation { increment }'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    t.match(await ask(), '"counter":0')
  }),
)

// oxfmt-ignore
const documented: readonly rows.Row[] = [
  ...untouched,
  ...unpublished,
  ['refuses a target that begins with another scheme', [read()], 400, { path: 'https://api.example/metrics', reached: 0 }],
  twice('keeps 200 with max-age', stored, '{ counter }', 200, 1),
  twice('keeps no 200 without Cache-Control', silent, '{ counter }', 200),
  twice('keeps no 294 with max-age', stored, '{ fail }', 294),
  twice('keeps nothing for a key', stored, '{ key: counter }', 200, 2, keys),
  [
    'passes QUERY on as a request, and keeps no answer to it',
    [query('{ counter }'), query('{ counter }')],
    200,
    { path: stored, headers: { via: /varnish/ } },
  ],
  [
    'does not believe the X-Forwarded-For of a client',
    [post('{ fail }', { 'x-forwarded-for': '192.0.2.1' })],
    294,
    { seen: { headers: { 'x-forwarded-for': /^(?!192)/ } } },
  ],
]

testVarnish(
  'docs/proxies/varnish.vcl',
  ({ port }) => substitute(readRoot('docs/proxies/varnish.vcl'), { '4000': String(port) }),
  documented,
  async (t, { folder }) => {
    const ncsa = findProgram('varnishncsa') ?? 'varnishncsa'
    const options = ['-n', workOf(folder), '-d', '-F', '%m %U %s']
    const look = (): string => execFileSync(ncsa, options, { encoding: 'utf8' })
    t.match(await untilMatches(/294/, look), 'POST /graphql 294', 'the log of varnishncsa')
  },
)
