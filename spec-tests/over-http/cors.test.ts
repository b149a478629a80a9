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

interface CorsRow {
  readonly title: string
  readonly cors?: CorsOptions
  readonly request: HostRequest
  readonly status: number
  readonly fields: ExpectedFields
}

const methods = 'GET, HEAD, POST, QUERY'
const preflightOf: ExpectedFields = {
  ...shared,
  'access-control-allow-methods': methods,
  'access-control-max-age': '600',
}
const varyBoth = 'Origin, Access-Control-Request-Headers'

const preflightRows: readonly CorsRow[] = [
  {
    title: 'a preflight of POST allows what it asks for',
    cors: list,
    request: preflight(origin, 'POST', 'content-type, x-trace'),
    status: 204,
    fields: {
      ...preflightOf,
      'access-control-allow-headers': 'content-type, x-trace',
      vary: varyBoth,
    },
  },
  {
    title: 'a preflight of QUERY is answered like one of POST',
    cors: list,
    request: preflight(origin, 'QUERY', 'content-type'),
    status: 204,
    fields: { ...preflightOf, 'access-control-allow-headers': 'content-type', vary: varyBoth },
  },
  {
    title: 'a preflight that asks for no headers is told of none',
    cors: list,
    request: preflight(origin, 'POST'),
    status: 204,
    fields: { ...preflightOf, vary: varyBoth },
  },
  {
    title: 'allowedHeaders are told whatever a preflight asks for',
    cors: { ...list, allowedHeaders: ['content-type', 'authorization'] },
    request: preflight(origin, 'POST', 'x-other'),
    status: 204,
    fields: {
      ...preflightOf,
      'access-control-allow-headers': 'content-type, authorization',
      vary: 'Origin',
    },
  },
  {
    title: 'maxAge is told in plain digits',
    cors: { ...list, maxAge: Number.MAX_SAFE_INTEGER },
    request: preflight(origin, 'POST'),
    status: 204,
    fields: { ...preflightOf, 'access-control-max-age': '9007199254740991' },
  },
  {
    title: 'a preflight may allow cookies, and names no exposed headers',
    cors: { ...cookies, exposedHeaders: ['x-trace'] },
    request: preflight(origin, 'POST'),
    status: 204,
    fields: { ...preflightOf, 'access-control-allow-credentials': 'true' },
  },
  {
    title: 'a preflight for everybody names nobody',
    cors: everybody,
    request: preflight(origin, 'POST', 'content-type'),
    status: 204,
    fields: {
      ...preflightOf,
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
      vary: 'Access-Control-Request-Headers',
    },
  },
  {
    title: 'a preflight of another origin is answered and allows nothing',
    cors: cookies,
    request: preflight('https://other.example', 'POST', 'content-type'),
    status: 204,
    fields: { ...nothing, vary: 'Origin', allow: 'GET, HEAD, POST, QUERY, OPTIONS' },
  },
  {
    title: 'without Origin it is no preflight, and only says that everybody may read it',
    cors: everybody,
    request: { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
    status: 204,
    fields: { ...nothing, 'access-control-allow-origin': '*', vary: null },
  },
  {
    title: 'OPTIONS that is no preflight is shared like any answer',
    cors: { ...list, exposedHeaders: ['allow'] },
    request: from(origin, { method: 'OPTIONS' }),
    status: 204,
    fields: { ...shared, 'access-control-expose-headers': 'allow', vary: 'Origin' },
  },
  {
    title: 'without the option a preflight allows nothing',
    request: preflight(origin, 'POST', 'content-type'),
    status: 204,
    fields: { ...nothing, vary: null },
  },
]

const answerRows: readonly CorsRow[] = [
  {
    title: 'an answer is shared with an origin of the list',
    cors: list,
    request: from(origin),
    status: 200,
    fields: { ...shared, vary: 'Accept, Origin' },
  },
  {
    title: 'and with each of them by its own name',
    cors: list,
    request: from('http://localhost:3000'),
    status: 200,
    fields: { ...nothing, 'access-control-allow-origin': 'http://localhost:3000' },
  },
  {
    title: 'an answer to a request without Origin says that it depends on it',
    cors: list,
    request: post,
    status: 200,
    fields: { ...nothing, vary: 'Accept, Origin' },
  },
  {
    title: 'cookies are allowed where the option says so',
    cors: cookies,
    request: from(origin),
    status: 200,
    fields: { ...shared, 'access-control-allow-credentials': 'true' },
  },
  {
    title: 'exposed headers are named',
    cors: { ...list, exposedHeaders: ['retry-after', 'x-trace'] },
    request: from(origin),
    status: 200,
    fields: { ...shared, 'access-control-expose-headers': 'retry-after, x-trace' },
  },
  {
    title: 'an answer for everybody names nobody, and is the same without Origin',
    cors: everybody,
    request: from('https://anybody.example'),
    status: 200,
    fields: { ...nothing, 'access-control-allow-origin': '*', vary: 'Accept' },
  },
  {
    title: 'a request without Origin gets it too, since a cache may serve its answer to a page',
    cors: { ...everybody, exposedHeaders: ['etag'] },
    request: { query: inUrl('{ __typename }') },
    status: 200,
    fields: {
      ...nothing,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'etag',
      vary: 'Accept',
    },
  },
  {
    title: 'and so does its refusal',
    cors: everybody,
    request: { method: 'PUT', body: query },
    status: 405,
    fields: { ...nothing, 'access-control-allow-origin': '*' },
  },
  {
    title: 'everybody includes the origin that is null',
    cors: everybody,
    request: from('null'),
    status: 200,
    fields: { ...nothing, 'access-control-allow-origin': '*' },
  },
  {
    title: 'an allowed origin may GET',
    cors: list,
    request: from(origin, {
      query: inUrl('{ __typename }'),
      headers: { 'sec-fetch-site': 'cross-site' },
    }),
    status: 200,
    fields: { ...shared, vary: 'Accept, Origin' },
  },
  {
    title: 'a request error is shared',
    cors: list,
    request: from(origin, { body: JSON.stringify({ query: '{ nobody }' }) }),
    status: 422,
    fields: shared,
  },
  {
    title: 'a field error is shared',
    cors: list,
    request: from(origin, { body: JSON.stringify({ query: '{ fail }' }) }),
    status: 294,
    fields: shared,
  },
  {
    title: 'a refusal of the method is shared',
    cors: list,
    request: from(origin, { method: 'PUT', body: query }),
    status: 405,
    fields: shared,
  },
  {
    title: 'a refusal of the type is shared',
    cors: list,
    request: from(origin, { body: query, headers: { 'content-type': 'text/plain' } }),
    status: 415,
    fields: shared,
  },
  {
    title: 'a refusal of the length is shared',
    cors: list,
    request: from(origin, { body: ' '.repeat(1024 * 1024 + 1) }),
    status: 413,
    fields: shared,
  },
  {
    title: 'a refusal of the body is shared',
    cors: list,
    request: from(origin, { body: '{' }),
    status: 400,
    fields: shared,
  },
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

const refusedRows = similar.map((site): CorsRow => ({
  title: `nothing is shared with ${site}`,
  cors: { ...cookies, exposedHeaders: ['x-trace'] },
  request: from(site),
  status: 200,
  fields: { ...nothing, vary: 'Accept, Origin' },
}))

const offRows: readonly CorsRow[] = [
  {
    title: 'without the option no answer is shared, nor depends on Origin',
    request: from(origin),
    status: 200,
    fields: { ...nothing, vary: 'Accept' },
  },
  {
    title: 'without the option no refusal is shared',
    request: from(origin, { method: 'PUT' }),
    status: 405,
    fields: nothing,
  },
]

for (const row of [...preflightRows, ...answerRows, ...refusedRows, ...offRows]) {
  void t.test(row.title, async (t) => {
    const { send } = await startServer(t, { cors: row.cors })
    const answer = await send(row.request)
    t.equal(answer.status, row.status, 'status')
    checkFields(t, answer, row.fields)
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
