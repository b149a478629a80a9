import type { Test } from 'tap'
import { valueOf } from '../../hosts/exchange.js'
import { startHintedOrigin, tagOf } from './hinted-origin.js'
import { documented, passing, startNginx } from './nginx.js'
import type { Origin } from './origin.js'
import { readRoot, substitute, testWith, type Proxy } from './proxy.js'
import { checkRows, get, query, type Row } from './row.js'
import { startVarnish } from './varnish.js'

const openTag = tagOf({ open: 'open' })
const match = { 'if-none-match': openTag }
const one = { authorization: 'one' }
const two = { authorization: 'two' }
const keyOne = { 'x-api-key': 'one' }
const keyTwo = { 'x-api-key': 'two' }

/**
 * The same for each cache: what is stored, and that nobody gets what is of another caller. Caches differ in how often
 * two callers with credentials reach the server for what is PUBLIC.
 */
function rowsFor(openToCallers: 1 | 2): readonly Row[] {
  const json = { accept: 'application/json' }
  const gql = 'application/graphql-response+json'
  // oxfmt-ignore
  return [
    ['a miss, then a hit',              [get('{ open }'), get('{ open }')],            200, { reached: 1, headers: { etag: openTag }, body: /"open"/ }],
    ['304 by the cache', [get('{ open }', match)], 304, { reached: 0, headers: { etag: openTag, 'cache-control': 'max-age=60, public', vary: 'Accept' } }],
    ['another tag is 200 by the cache', [get('{ open }', { 'if-none-match': '"a"' })], 200, { reached: 0, body: /"open"/ }],
    [
      'another type is a miss',
      [get('{ open }', json), get('{ open }', json), get('{ open }', { accept: gql })],
      200,
      { reached: 2, headers: { 'content-type': gql } },
    ],
    ['no lifetime: not stored',  [get('{ plain }'), get('{ plain }')],                     200],
    ['PRIVATE: not stored',      [get('{ mine }'), get('{ mine }')],                       200],
    ['errors: not stored',       [get('{ open fail }'), get('{ open fail }')],             294],
    ['a refusal: not stored',    [get('{ nope }'), get('{ nope }')],                       422],
    ['QUERY: each gets its own', [query('{ open }'), query('{ a: open }')],                200, { body: /"a":"open"/ }],
    // Without a scope nothing is stored, and no caller leaves something behind.
    ['no scope: not stored', [get('{ who }'), get('{ who }')], 200, { body: /"nobody"/, headers: { 'cache-control': 'max-age=60, private' } }],
    ['the first caller', [get('{ who }', one)], 200, { body: /"one"/, headers: { 'cache-control': 'max-age=60, private' } }],
    ['the second caller',        [get('{ who }', one), get('{ who }', two)],               200, { body: /"two"/ }],
    ['a caller with a cookie',   [get('{ who }', two), get('{ who }', { cookie: 'a=1' })], 200, { body: /"a=1"/ }],
    ['nobody again',             [get('{ who }')],                                         200, { body: /"nobody"/ }],
    ['callers first',            [get('{ a: who }', one), get('{ a: who }')],              200, { body: /"nobody"/ }],
    [
      'PUBLIC is shared by callers',
      [get('{ b: open }', one), get('{ b: open }', two)],
      200,
      { reached: openToCallers, headers: { 'cache-control': 'max-age=60, public' } },
    ],
    // A credential that the cache does not know.
    ['a key of its own',      [get('{ who }', keyOne), get('{ who }', keyTwo)], 200, { path: '/keyed', body: /"two"/ }],
    ['a key that is missing', [get('{ who }', keyOne), get('{ who }')],         401, { path: '/keyed' }],
  ]
}

/** Asks until a lifetime of a second is over; the server then gets a condition and sends no body. */
async function checkExpiry(
  t: Test,
  proxy: Proxy,
  origin: Origin,
  revalidates: boolean,
): Promise<void> {
  await t.test('a stored response ends with its lifetime', async (t) => {
    const ask = () => proxy.client('/graphql')(get('{ brief }'))
    const before = origin.seen.length
    let answer = await ask()
    const asked = Date.now()
    let hits = 0
    while (origin.seen.length === before + 1) {
      hits += 1
      answer = await ask()
      t.equal(answer.status, 200)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    t.ok(hits > 1, `${hits} hits before`)
    t.ok(Date.now() - asked > 900, 'not before a second is over')
    t.match(answer.body.toString(), '"brief"')
    t.equal(valueOf(answer, 'etag'), tagOf({ brief: 'brief' }))
    const conditional = { headers: { 'if-none-match': tagOf({ brief: 'brief' }) }, status: 304 }
    // One that does not keep the response may still have it in the instant in which its lifetime ends.
    t.match(origin.seen.at(-1), revalidates ? conditional : { status: /^(?:200|304)$/ })
    const after = origin.seen.length
    t.equal((await ask()).status, 200)
    t.equal(origin.seen.length, after, 'and is stored again')
  })
}

const zone = 'proxy_cache_path FOLDER/cache keys_zone=graphql:1m;'
const storing = (port: number): string => zone + passing(port, 'proxy_cache graphql;')
const keyed = (port: number): string =>
  documented(port, { 'location /graphql {': 'location ~ ^/(graphql|keyed) {' })
const backend = (port: number): string =>
  `vcl 4.1; backend default { .host = "127.0.0.1"; .port = "${port}"; }
  sub vcl_backend_response { set beresp.grace = 0s; }`
const vcl = (port: number): string =>
  substitute(readRoot('docs/proxies/varnish.vcl'), { '4000': String(port) })

for (const [program, name, start, configure, openToCallers, revalidates] of /* oxfmt-ignore */ [
  ['nginx',    'nginx with proxy_cache alone', startNginx,   storing, 1, false],
  ['nginx',    'docs/proxies/nginx.conf',      startNginx,   keyed,   2, true],
  ['varnishd', 'Varnish with a backend alone', startVarnish, backend, 2, false],
  ['varnishd', 'docs/proxies/varnish.vcl',     startVarnish, vcl,     2, true],
] as const) {
  testWith(program, `hints behind ${name}`, async (t, path) => {
    const origin = await startHintedOrigin(t)
    const proxy = await start(t, path, configure(origin.port))
    await checkRows(t, proxy, origin, rowsFor(openToCallers))
    await checkExpiry(t, proxy, origin, revalidates)
  })
}
