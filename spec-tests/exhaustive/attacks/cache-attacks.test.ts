import { createHash } from 'node:crypto'
import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { buildSchema, createHandler } from '../../../src/index.js'
import { postBytes } from '../hosts/raw-client.js'
import { attacksOf, bytesAttacks, runAttacks, type AttackRow } from './run-attacks.js'

const body = '{"data":{"hello":"world"}}'
const tag = `"graphql.${createHash('sha256').update(body).digest('base64')}"`

/** A GET of `{ hello }` with a condition. */
function conditional(value: string, more = ''): string {
  return `GET /graphql?query=%7Bhello%7D HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${value}\r\n${more}\r\n`
}

function tags(count: number): string {
  return Array.from({ length: count }, (_, at) => `"${at}"`).join(',')
}

// oxfmt-ignore
const conditions: readonly AttackRow[] = [
  ['a tag of 8 KB',                          conditional(`"${'a'.repeat(8000)}"`),                        200],
  ['1,000 tags',                             conditional(tags(1000)),                                     200],
  ['1,000 tags, and then the right one',     conditional(`${tags(1000)},${tag}`),                         304],
  ['1,000 tags, and then any',               conditional(`${tags(1000)},*`),                              200],
  ['90 lines of tags, the right one last',   conditional('"a"', `${'If-None-Match: W/"b"\r\n'.repeat(89)}If-None-Match: ${tag}\r\n`), 304],
  ['8,000 commas',                           conditional(','.repeat(8000)),                               200],
  ['8,000 commas around the right one',      conditional(`${','.repeat(4000)}${tag}${','.repeat(4000)}`), 304],
  ['8,000 quotes',                           conditional('"'.repeat(8000)),                               200],
  ['8,001 quotes',                           conditional('"'.repeat(8001)),                               200],
  ['4,000 beginnings of a weak tag',         conditional('W/'.repeat(4000)),                              200],
  ['a tag that never ends',                  conditional(`"${tag.slice(1, -1)}`),                         200],
  ['8,000 spaces before a star',             conditional(`"a"${' '.repeat(8000)}*`),                 200],
  ['8,000 stars',                            conditional('*'.repeat(8000)),                               200],
  ['a condition of 20 KB',                   conditional(tags(5000)),                                     431],
]

/** Caches store by the URL: what a body says must not count. */
const fatGet = attacksOf({
  async 'a GET with a query in its body'(t, { connect }) {
    const bytes = postBytes('{"query":"{ person { name } }"}')
    const get = bytes.replace('POST /graphql', 'GET /graphql?query=%7Bhello%7D')
    t.notMatch((await (await connect()).ask(get)).body.toString(), 'Ada')
  },
})

const words = ['--etag', '--cache-hints']
runAttacks('conditions that are hard to read', [...bytesAttacks(conditions), ...fatGet], { words })

const schema = buildSchema(
  `directive @cacheControl(maxAge: Int, scope: CacheControlScope) on FIELD_DEFINITION
   enum CacheControlScope { PUBLIC PRIVATE }
   type Query { open: String @cacheControl(maxAge: 60, scope: PUBLIC)  shared: String @cacheControl(maxAge: 60) }`,
)
const rootValue = { open: 'open', shared: 'shared' }
const options = { schema, rootValue, etag: true, cacheHints: true }

/** What a stranger may send beside a URL, so that a cache stores something else for everyone. */
// oxfmt-ignore
const fields = Object.entries({
  Host:                              ['evil.example'],
  'X-Forwarded-Host':                ['evil.example'],
  'X-Forwarded-Proto':               ['http'],
  'X-Forwarded-For':                 ['192.0.2.1'],
  'X-Forwarded-Prefix':              ['/evil'],
  Forwarded:                         ['host=evil.example;proto=http'],
  'X-Host':                          ['evil.example'],
  'X-Original-URL':                  ['/graphql?query=%7B__typename%7D'],
  'X-Rewrite-URL':                   ['/graphql?query=%7B__typename%7D'],
  'X-HTTP-Method-Override':          ['POST'],
  'X-HTTP-Method':                   ['POST'],
  'X-Method-Override':               ['POST'],
  Origin:                            ['https://evil.example', 'null', 'https://page.example'],
  Referer:                           ['https://evil.example/'],
  'Sec-Fetch-Site':                  ['cross-site'],
  Accept:                            ['application/json', 'text/event-stream', 'text/html', 'x'.repeat(8000)],
  'Accept-Encoding':                 ['gzip'],
  'Accept-Language':                 ['de'],
  'Accept-Charset':                  ['utf-16'],
  'Content-Type':                    ['text/plain', 'application/json; charset=utf-16'],
  'Content-Encoding':                ['gzip'],
  Range:                             ['bytes=0-1'],
  'If-Range':                        ['"a"'],
  'If-Match':                        ['"a"'],
  'If-None-Match':                   ['*'],
  'If-Modified-Since':               ['Fri, 31 Dec 2099 23:59:59 GMT'],
  'If-Unmodified-Since':             ['Thu, 01 Jan 1970 00:00:00 GMT'],
  Authorization:                     ['Bearer evil'],
  Cookie:                            ['session=evil'],
  'Cache-Control':                   ['no-store'],
  Pragma:                            ['no-cache'],
  Prefer:                            ['return=minimal'],
  Expect:                            ['miracles'],
  TE:                                ['trailers'],
  Upgrade:                           ['websocket'],
  'User-Agent':                      ['evil'],
  'Apollo-Require-Preflight':        ['1'],
  'GraphQL-Require-Preflight':       ['1'],
  'Access-Control-Request-Method':   ['DELETE'],
  'Last-Event-ID':                   ['5'],
  traceparent:                       ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  'X-Oversized':                     ['x'.repeat(8000)],
  ['__proto__']:                     ['evil'],
}).flatMap(([name, values]) => values.map((value) => [name, value] as const))

const servers = {
  'as it is': createHandler(options),
  'for one origin': createHandler({ ...options, cors: { origins: ['https://page.example'] } }),
}

for (const [title, handler] of Object.entries(servers)) {
  for (const query of ['{ open }', '{ shared }']) {
    for (const [name, value] of fields) {
      const what = `${name}: ${value.slice(0, 30)}`
      void t.test(`cache poisoning of ${query}, ${title}, by ${what}`, async (t) => {
        const send = testClient(handler)
        const target = `/graphql?query=${encodeURIComponent(query)}`
        const clean = await send({ target, headers: { Host: 'api.example' } })
        const sent = name === 'Host' ? { Host: value } : { Host: 'api.example', [name]: value }
        const given = await send({ target, headers: sent })
        const vary = clean.headers.get('vary') ?? ''
        const isKeyed = vary.toLowerCase().split(', ').includes(name.toLowerCase())
        const control = given.headers.get('cache-control') ?? ''
        // A cache takes a 304 for an answer to its own condition only.
        const isStored = !/no-store|private/.test(control) && given.status !== 304
        if (isKeyed || !isStored) return
        t.equal(given.status, clean.status)
        t.equal(given.body, clean.body)
        t.strictSame(Object.fromEntries(given.headers), Object.fromEntries(clean.headers))
      })
    }
  }
}
