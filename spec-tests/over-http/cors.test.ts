import t from 'tap'
import type { CorsOptions } from '../../src/index.js'
import { createHandler } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import type { HostRequest } from '../hosts/exchange.js'
import { checkFields, countOf, inUrl, startServer, type ExpectedFields } from './real-server.js'

const origin = 'https://app.example'
const query = JSON.stringify({ query: '{ __typename }' })
const post: HostRequest = { body: query }
const list: CorsOptions = { origins: [origin, 'http://localhost:3000'] }
const everybody: CorsOptions = { origins: '*' }
const cookies: CorsOptions = { ...list, credentials: true }

/** What no answer may have that is not shared. */
const nothing: ExpectedFields = {
  'access-control-allow-origin': null,
  'access-control-allow-credentials': null,
  'access-control-allow-methods': null,
  'access-control-allow-headers': null,
  'access-control-expose-headers': null,
  'access-control-max-age': null,
}
const shared: ExpectedFields = { ...nothing, 'access-control-allow-origin': origin }

function from(site: string, request: HostRequest = post): HostRequest {
  return { ...request, headers: { ...request.headers, origin: site } }
}

/** What a browser sends before a request that no form could send. */
function preflight(site: string, method: string, headers?: string): HostRequest {
  return {
    method: 'OPTIONS',
    headers: {
      origin: site,
      'access-control-request-method': method,
      ...(headers !== undefined && { 'access-control-request-headers': headers }),
    },
  }
}

type CorsRow = readonly [
  title: string,
  cors: CorsOptions | undefined,
  request: HostRequest,
  status: number,
  fields: ExpectedFields,
]

const methods = 'GET, HEAD, POST, QUERY'
const preflightOf: ExpectedFields = {
  ...shared,
  'access-control-allow-methods': methods,
  'access-control-max-age': '600',
}
const varyBoth = 'Origin, Access-Control-Request-Headers'

// oxfmt-ignore
const preflightRows: readonly CorsRow[] = [
  ['a preflight of POST allows what it asks for', list, preflight(origin, 'POST', 'content-type, x-trace'), 204, {
    ...preflightOf,
    'access-control-allow-headers': 'content-type, x-trace',
    vary: varyBoth,
  }],
  [
    'a preflight of QUERY is answered like one of POST',
    list,
    preflight(origin, 'QUERY', 'content-type'),
    204,
    { ...preflightOf, 'access-control-allow-headers': 'content-type', vary: varyBoth },
  ],
  ['a preflight that asks for no headers is told of none', list, preflight(origin, 'POST'), 204, { ...preflightOf, vary: varyBoth }],
  [
    'allowedHeaders are told whatever a preflight asks for',
    { ...list, allowedHeaders: ['content-type', 'authorization'] },
    preflight(origin, 'POST', 'x-other'),
    204,
    { ...preflightOf, 'access-control-allow-headers': 'content-type, authorization', vary: 'Origin' },
  ],
  [
    'maxAge is told in plain digits',
    { ...list, maxAge: Number.MAX_SAFE_INTEGER },
    preflight(origin, 'POST'),
    204,
    { ...preflightOf, 'access-control-max-age': '9007199254740991' },
  ],
  [
    'a preflight may allow cookies, and names no exposed headers',
    { ...cookies, exposedHeaders: ['x-trace'] },
    preflight(origin, 'POST'),
    204,
    { ...preflightOf, 'access-control-allow-credentials': 'true' },
  ],
  ['a preflight for everybody names nobody', everybody, preflight(origin, 'POST', 'content-type'), 204, {
    ...preflightOf,
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'content-type',
    vary: 'Access-Control-Request-Headers',
  }],
  [
    'a preflight of another origin is answered and allows nothing',
    cookies,
    preflight('https://other.example', 'POST', 'content-type'),
    204,
    { ...nothing, vary: 'Origin', allow: 'GET, HEAD, POST, QUERY, OPTIONS' },
  ],
  [
    'without Origin it is no preflight, and only says that everybody may read it',
    everybody,
    { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
    204,
    { ...nothing, 'access-control-allow-origin': '*', vary: null },
  ],
  [
    'OPTIONS that is no preflight is shared like any answer',
    { ...list, exposedHeaders: ['allow'] },
    from(origin, { method: 'OPTIONS' }),
    204,
    { ...shared, 'access-control-expose-headers': 'allow', vary: 'Origin' },
  ],
  ['without the option a preflight allows nothing', undefined, preflight(origin, 'POST', 'content-type'), 204, { ...nothing, vary: null }],
]

// oxfmt-ignore
const answerRows: readonly CorsRow[] = [
  ['an answer is shared with an origin of the list',                   list,    from(origin), 200, { ...shared, vary: 'Accept, Origin' }],
  ['and with each of them by its own name', list, from('http://localhost:3000'), 200, { ...nothing, 'access-control-allow-origin': 'http://localhost:3000' }],
  ['an answer to a request without Origin says that it depends on it', list,    post,         200, { ...nothing, vary: 'Accept, Origin' }],
  ['cookies are allowed where the option says so',                     cookies, from(origin), 200, { ...shared, 'access-control-allow-credentials': 'true' }],
  [
    'exposed headers are named',
    { ...list, exposedHeaders: ['retry-after', 'x-trace'] },
    from(origin),
    200,
    { ...shared, 'access-control-expose-headers': 'retry-after, x-trace' },
  ],
  [
    'an answer for everybody names nobody, and is the same without Origin',
    everybody,
    from('https://anybody.example'),
    200,
    { ...nothing, 'access-control-allow-origin': '*', vary: 'Accept' },
  ],
  [
    'a request without Origin gets it too, since a cache may serve its answer to a page',
    { ...everybody, exposedHeaders: ['etag'] },
    { query: inUrl('{ __typename }') },
    200,
    { ...nothing, 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag', vary: 'Accept' },
  ],
  ['and so does its refusal',                    everybody, { method: 'PUT', body: query }, 405, { ...nothing, 'access-control-allow-origin': '*' }],
  ['everybody includes the origin that is null', everybody, from('null'),                   200, { ...nothing, 'access-control-allow-origin': '*' }],
  ['an allowed origin may GET', list, from(origin, {
    query: inUrl('{ __typename }'),
    headers: { 'sec-fetch-site': 'cross-site' },
  }), 200, { ...shared, vary: 'Accept, Origin' }],
  ['a request error is shared',         list, from(origin, { body: JSON.stringify({ query: '{ nobody }' }) }),          422, shared],
  ['a field error is shared',           list, from(origin, { body: JSON.stringify({ query: '{ fail }' }) }),            294, shared],
  ['a refusal of the method is shared', list, from(origin, { method: 'PUT', body: query }),                             405, shared],
  ['a refusal of the type is shared',   list, from(origin, { body: query, headers: { 'content-type': 'text/plain' } }), 415, shared],
  ['a refusal of the length is shared', list, from(origin, { body: ' '.repeat(1024 * 1024 + 1) }),                      413, shared],
  ['a refusal of the body is shared',   list, from(origin, { body: '{' }),                                              400, shared],
]

/** What looks like https://app.example and is another origin. */
const similar = [
  'null',
  'https://other.example',
  'https://app.example.evil.example',
  'https://evil-app.example',
  'https://sub.app.example',
  'https://appxexample',
  'http://app.example',
  'https://app.example:444',
  'https://app.example:443',
  'https://app.example/',
  'https://APP.example',
  'https://app.example, https://app.example',
  '*',
]

const refusedRows = similar.map((site): CorsRow => [
  `nothing is shared with ${site}`,
  { ...cookies, exposedHeaders: ['x-trace'] },
  from(site),
  200,
  { ...nothing, vary: 'Accept, Origin' },
])

// oxfmt-ignore
const offRows: readonly CorsRow[] = [
  ['without the option no answer is shared, nor depends on Origin', undefined, from(origin),                    200, { ...nothing, vary: 'Accept' }],
  ['without the option no refusal is shared',                       undefined, from(origin, { method: 'PUT' }), 405, nothing],
]

const rows = [...preflightRows, ...answerRows, ...refusedRows, ...offRows]
for (const [title, cors, request, status, fields] of rows) {
  void t.test(title, async (t) => {
    const { send } = await startServer(t, { cors })
    const answer = await send(request)
    t.equal(answer.status, status, 'status')
    checkFields(t, answer, fields)
  })
}

void t.test('a preflight runs nothing', async (t) => {
  const server = await startServer(t, { cors: list })
  await server.send({
    ...preflight(origin, 'POST', 'content-type'),
    query: inUrl('mutation { increment }'),
  })
  t.equal(await countOf(server), 0)
})

// oxfmt-ignore
const mistakes: readonly [title: string, cors: CorsOptions, message: RegExp][] = [
  ['cookies for every origin',         { origins: '*', credentials: true },                  /^createHandler: cors\.credentials requires a list of origins, but/],
  ['an origin with a path',            { origins: ['https://app.example/x'] },               /expected an origin such as/],
  ['an origin with a slash',           { origins: ['https://app.example/'] },                /expected an origin such as/],
  ['a host without a scheme',          { origins: ['app.example'] },                         /expected an origin such as/],
  ['capitals, which no browser sends', { origins: ['https://App.example'] },                 /expected an origin/],
  ['a star among others',              { origins: ['*'] },                                   /expected an origin such as/],
  ['a pattern',                        { origins: ['https://*.example'] },                   /expected an origin/],
  ['the usual port of https',          { origins: ['https://a.example:443'] },               /expected an origin/],
  ['the usual port of http',           { origins: ['http://a.example:80'] },                 /expected an origin/],
  ['a user',                           { origins: ['https://user@a.example'] },              /expected an origin/],
  ['two origins in one',               { origins: ['https://a.example,https://b.example'] }, /expected an origin/],
  ['a time below nothing',             { origins: '*', maxAge: -1 },                         /cors\.maxAge: expected a whole number of at least 0/],
  ['a time that is none',              { origins: '*', maxAge: Number.NaN },                 /cors\.maxAge: expected/],
  ['a time without end',               { origins: [origin], maxAge: Infinity },              /cors\.maxAge: expected/],
]

for (const [title, cors, message] of mistakes) {
  void t.test(`createHandler takes no ${title}`, async (t) => {
    const create = () => createHandler({ schema: createStandardSchema(), cors })
    t.throws(create, { name: 'TypeError', message })
  })
}
