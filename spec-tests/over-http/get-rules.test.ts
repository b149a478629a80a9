import t from 'tap'
import type { Options } from '../../src/index.js'
import type { HostRequest } from '../hosts/exchange.js'
import {
  checkFields,
  countOf,
  extensionsOf,
  inUrl,
  startServer,
  type ExpectedFields,
} from './real-server.js'

const query = inUrl('{ __typename }')
const allMethods = 'GET, HEAD, POST, QUERY, OPTIONS'
const withoutGet = 'POST, QUERY, OPTIONS'

interface GetRow {
  readonly title: string
  readonly options?: Partial<Options>
  readonly request?: HostRequest
  readonly status: number
  readonly code?: string
  readonly fields?: ExpectedFields
}

function withHeaders(headers: Record<string, string>): HostRequest {
  return { query, headers }
}

/** Where the page that sends the request is, by Sec-Fetch-Site and Origin. */
const siteRows: readonly GetRow[] = [
  { title: 'a GET by nobody says nothing of itself', status: 200 },
  ...['same-origin', 'same-site', 'none'].map((site): GetRow => ({
    title: `a GET with Sec-Fetch-Site: ${site} is answered`,
    request: withHeaders({ 'sec-fetch-site': site }),
    status: 200,
  })),
  {
    title: 'a GET with Sec-Fetch-Site: cross-site is refused',
    request: withHeaders({ 'sec-fetch-site': 'cross-site' }),
    status: 403,
    code: 'CROSS_SITE',
  },
  {
    title: 'a HEAD with Sec-Fetch-Site: cross-site is refused',
    request: { method: 'HEAD', ...withHeaders({ 'sec-fetch-site': 'cross-site' }) },
    status: 403,
  },
  {
    title: 'a POST from another site is answered: what it can send needed a preflight',
    request: {
      body: '{"query":"{ __typename }"}',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' },
    },
    status: 200,
  },
  {
    title: 'a GET with an Origin of its own host is answered',
    request: withHeaders({ origin: 'http://api.example', host: 'api.example' }),
    status: 200,
  },
  {
    title: 'also where a proxy has ended TLS, so that the schemes differ',
    request: withHeaders({ origin: 'https://api.example', host: 'api.example' }),
    status: 200,
  },
  {
    title: 'also with a port',
    request: withHeaders({ origin: 'http://api.example:4000', host: 'api.example:4000' }),
    status: 200,
  },
  {
    title: 'the case of Host makes no difference',
    request: withHeaders({ origin: 'http://api.example', host: 'API.Example' }),
    status: 200,
  },
  ...[
    'https://other.example',
    'null',
    'https://api.example.evil.example',
    'https://evil-api.example',
    'https://www.api.example',
    'https://api.example:444',
    '',
  ].map((origin): GetRow => ({
    title: `a GET with the Origin ${JSON.stringify(origin)} is refused`,
    request: withHeaders({ origin, host: 'api.example' }),
    status: 403,
    code: 'CROSS_SITE',
  })),
  {
    title: 'a foreign Origin is refused whatever Sec-Fetch-Site says',
    request: withHeaders({ origin: 'https://other.example', 'sec-fetch-site': 'same-origin' }),
    status: 403,
    code: 'CROSS_SITE',
  },
  {
    title: 'a GET from an origin that CORS allows is answered',
    options: { cors: { origins: ['https://app.example'] } },
    request: withHeaders({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }),
    status: 200,
  },
  {
    title: 'a GET from an origin that CORS does not allow is refused',
    options: { cors: { origins: ['https://app.example'] } },
    request: withHeaders({ origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }),
    status: 403,
    code: 'CROSS_SITE',
  },
  {
    title: 'a link of another site has no Origin, and is refused for everybody',
    options: { cors: { origins: ['https://app.example'] } },
    request: withHeaders({ 'sec-fetch-site': 'cross-site' }),
    status: 403,
    code: 'CROSS_SITE',
  },
]

const typeRows: readonly GetRow[] = [
  {
    title: 'a GET may say that it has JSON',
    request: withHeaders({ 'content-type': 'application/json; charset=utf-8' }),
    status: 200,
  },
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'].map(
    (type): GetRow => ({
      title: `a GET with Content-Type: ${type} is refused`,
      request: withHeaders({ 'content-type': type }),
      status: 415,
      code: 'CONTENT_ON_GET',
    }),
  ),
]

const off = { get: false }
// oxfmt-ignore
const offRows: readonly GetRow[] = [
  { title: 'with get: false a GET is refused',     options: off, status: 405, code: 'METHOD_NOT_ALLOWED', fields: { allow: withoutGet } },
  { title: 'with get: false a HEAD is refused',    options: off, request: { method: 'HEAD', query },              status: 405, fields: { allow: withoutGet } },
  {
    title: 'with get: false another method is told no GET',
    options: off,
    request: { method: 'PUT', query },
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    fields: { allow: withoutGet },
  },
  { title: 'with get: false OPTIONS names no GET', options: off, request: { method: 'OPTIONS' },                  status: 204, fields: { allow: withoutGet } },
  { title: 'with get: false a POST is answered',   options: off, request: { body: '{"query":"{ __typename }"}' }, status: 200 },
  { title: 'by default OPTIONS names GET',                       request: { method: 'OPTIONS' },                  status: 204, fields: { allow: allMethods } },
]

const needed = { getHeaders: ['X-App', 'graphql-require-preflight'] }
// oxfmt-ignore
const headerRows: readonly GetRow[] = [
  { title: 'with getHeaders a GET without any of them is refused', options: needed, status: 403, code: 'HEADER_MISSING' },
  { title: 'with getHeaders a GET with an empty one is refused', options: needed, request: withHeaders({ 'x-app': '' }), status: 403, code: 'HEADER_MISSING' },
  { title: 'with getHeaders a GET with the first is answered', options: needed, request: withHeaders({ 'x-app': 'web' }), status: 200 },
  { title: 'with getHeaders a GET with another of them is answered', options: needed, request: withHeaders({ 'GraphQL-Require-Preflight': '1' }), status: 200 },
  { title: 'with getHeaders a POST needs none', options: needed, request: { body: '{"query":"{ __typename }"}' }, status: 200 },
]

for (const row of [...siteRows, ...typeRows, ...offRows, ...headerRows]) {
  void t.test(row.title, async (t) => {
    const { send } = await startServer(t, row.options)
    const answer = await send(row.request ?? { query })
    t.equal(answer.status, row.status, 'status')
    if (row.code !== undefined) t.equal(extensionsOf(answer)?.['code'], row.code)
    checkFields(t, answer, row.fields ?? {})
  })
}

/** What a form of any page can send without a preflight. */
const mutation = 'mutation { increment }'
const json = JSON.stringify({ query: mutation })
const boundary = 'k3q'
const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
// oxfmt-ignore
const formBodies: readonly [title: string, type: string | undefined, body: string][] = [
  ['a form',                              'application/x-www-form-urlencoded',         inUrl(mutation).slice(1)],
  ['a form whose one name is JSON',       'application/x-www-form-urlencoded',         json],
  ['plain text',                          'text/plain',                                json],
  ['plain text that mentions JSON',       'text/plain; application/json',              json],
  ['plain text with JSON as a parameter', 'text/plain; type="application/json"',       json],
  ['two types',                           'text/plain, application/json',              json],
  ['multipart',                           `multipart/form-data; boundary=${boundary}`, `${part('query', mutation)}--${boundary}--`],
  ['multipart with operations',           `multipart/form-data; boundary=${boundary}`, `${part('operations', json)}${part('map', '{}')}--${boundary}--`],
  ['nothing said',                        '',                                          json],
]

for (const [title, type, body] of formBodies) {
  void t.test(`a body of ${title} never runs anything`, async (t) => {
    const server = await startServer(t)
    const answer = await server.send({ body, headers: { 'content-type': type ?? '' } })
    t.equal(answer.status, 415)
    t.equal(await countOf(server), 0)
  })
}

void t.test('a refused GET runs nothing', async (t) => {
  const server = await startServer(t)
  const headers = { origin: 'https://other.example' }
  const answer = await server.send({ query: inUrl(mutation), headers })
  t.equal(answer.status, 403)
  t.equal(await countOf(server), 0)
})
