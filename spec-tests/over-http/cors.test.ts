import t from 'tap'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createHandler, type CorsOptions } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

const origin = 'https://app.example'
const post: TestRequest = { json: { query: '{ __typename }' } }
const list: CorsOptions = { origins: [origin, 'http://localhost:3000'] }
const anyOrigin: CorsOptions = { origins: '*' }
const cookies: CorsOptions = { ...list, credentials: true }
const tracing: CorsOptions = { ...cookies, exposedHeaders: ['retry-after', 'x-trace'] }

function from(site: string, request: TestRequest = post): TestRequest {
  return { ...request, headers: { ...request.headers, origin: site } }
}

const asksPost = { 'access-control-request-method': 'POST' }

/** What a browser sends before a POST that no form could send. */
function preflight(names?: string, site: string = origin): TestRequest {
  const asked = names !== undefined && { 'access-control-request-headers': names }
  return from(site, { method: 'OPTIONS', headers: { ...asksPost, ...asked } })
}

/** The fields of CORS, by what follows `access-control-allow-` in their names, and Vary. */
function sharedOf(headers: Headers): object {
  const fields = [...headers].filter(([name]) => /^access-control-|^vary$/.test(name))
  return Object.fromEntries(
    fields.map(([name, value]) => [name.replace(/^access-control-(?:allow-)?/, ''), value]),
  )
}

// oxfmt-ignore
type Row = readonly [title: string, cors: CorsOptions | undefined, request: TestRequest, status: number, fields: object]

const methods = 'GET, HEAD, POST, QUERY'
const allowed = { origin, methods, 'max-age': '600' }
const vary = 'Accept, Origin'
const varyBoth = 'Origin, Access-Control-Request-Headers'
const json = 'content-type'
const isJson = { [json]: 'application/json' }
const inUrl = '/?query={counter}'

// oxfmt-ignore
const rows: readonly Row[] = [
  ['a preflight allows what it asks for', list,    preflight('content-type, x-trace'), 204, { ...allowed, headers: 'content-type, x-trace', vary: varyBoth }],
  ['a preflight that asks for no headers', list,    preflight(),  204, { ...allowed, vary: varyBoth }],
  ['allowedHeaders are sent in any case', { ...list, allowedHeaders: [json, 'x'] }, preflight('y'), 204, { ...allowed, headers: `${json}, x`, vary: 'Origin' }],
  ['maxAge is sent in plain digits',      { ...list, maxAge: 2 ** 40 }, preflight(), 204, { ...allowed, 'max-age': '1099511627776', vary: varyBoth }],
  ['a preflight may allow cookies, exposes nothing', tracing, preflight(),  204, { ...allowed, credentials: 'true', vary: varyBoth }],
  ['with *, a preflight names no origin', anyOrigin, preflight(json), 204, { ...allowed, origin: '*', headers: json, vary: 'Access-Control-Request-Headers' }],
  ['a preflight of another origin', cookies, preflight(json, 'https://other.example'), 204, { vary: 'Origin' }],
  ['OPTIONS without Origin is not a preflight', anyOrigin, { method: 'OPTIONS', headers: asksPost }, 204, { origin: '*' }],
  ['OPTIONS, not a preflight', { ...list, exposedHeaders: ['x'] }, from(origin, { method: 'OPTIONS' }), 204, { origin, 'expose-headers': 'x', vary: 'Origin' }],
  ['without the option, a preflight', undefined, preflight(json), 204, {}],
  ['without the option, an answer', undefined, from(origin), 200, { vary: 'Accept' }],
  ['without the option, a refusal', undefined, from(origin, { method: 'PUT' }), 405, { vary: 'Accept' }],
  ['another one, by its own name', list,    from('http://localhost:3000'), 200, { origin: 'http://localhost:3000', vary }],
  ['a request without Origin depends on it', list,    post,         200, { vary }],
  ['cookies and exposed headers', tracing, from(origin), 200, { origin, credentials: 'true', 'expose-headers': 'retry-after, x-trace', vary }],
  ['with *, an answer names no origin', anyOrigin, from('https://anybody.example'), 200, { origin: '*', vary: 'Accept' }],
  ['* includes the origin null', anyOrigin, from('null'), 200, { origin: '*', vary: 'Accept' }],
  // A cache may serve its answer to a page.
  ['with *, a request without Origin', { ...anyOrigin, exposedHeaders: ['x'] }, { target: inUrl }, 200, { origin: '*', 'expose-headers': 'x', vary: 'Accept' }],
  ['and so is its refusal',             anyOrigin, { method: 'PUT' },                                                    405, { origin: '*', vary: 'Accept' }],
  ['an allowed origin may GET',         list,      from(origin, { target: inUrl, headers: { 'sec-fetch-site': 'cross-site' } }), 200, { origin, vary }],
  ['a field error is shared',           list,      from(origin, { json: { query: '{ fail }' } }),                        294, { origin, vary }],
  ['a refusal of the method is shared', list,      from(origin, { method: 'PUT' }),                                      405, { origin, vary }],
  ['a refusal of the length is shared', list,      from(origin, { body: ' '.repeat(1024 * 1024 + 1), headers: isJson }), 413, { origin, vary }],
  // What looks like the origin and is another; the suite cors-csrf has more of them.
  ...[`${origin}.evil.example`, `${origin}:443`, `${origin}/`, 'https://APP.example', `${origin}, ${origin}`, '*'].map(
    (site): Row => [`nothing is shared with ${site}`, tracing, from(site), 200, { vary }],
  ),
]

for (const [title, cors, request, status, fields] of rows) {
  void t.test(title, async (t) => {
    const handler = createHandler({ schema: createStandardSchema(), cors })
    const response = await testClient(handler)(request)
    t.equal(response.status, status)
    t.strictSame(sharedOf(response.headers), fields)
  })
}
