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

type GetRow = readonly [title: string, request: HostRequest, status: number, more?: More]

interface More {
  readonly options?: Partial<Options>
  readonly code?: string
  readonly fields?: ExpectedFields
}

const plain: HostRequest = { query }

function withHeaders(headers: Record<string, string>): HostRequest {
  return { query, headers }
}

/** Where the page that sends the request is, by Sec-Fetch-Site and Origin. */
// oxfmt-ignore
const siteRows: readonly GetRow[] = [
  ['a GET by nobody says nothing of itself', plain, 200],
  ...['same-origin', 'same-site', 'none'].map((site): GetRow => [
    `a GET with Sec-Fetch-Site: ${site} is answered`,
    withHeaders({ 'sec-fetch-site': site }),
    200,
  ]),
  ['a GET with Sec-Fetch-Site: cross-site is refused',  withHeaders({ 'sec-fetch-site': 'cross-site' }),                        403, { code: 'CROSS_SITE' }],
  ['a HEAD with Sec-Fetch-Site: cross-site is refused', { method: 'HEAD', ...withHeaders({ 'sec-fetch-site': 'cross-site' }) }, 403],
  ['a POST from another site is answered: what it can send needed a preflight', {
    body: '{"query":"{ __typename }"}',
    headers: { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' },
  }, 200],
  ['a GET with an Origin of its own host is answered',             withHeaders({ origin: 'http://api.example', host: 'api.example' }),           200],
  ['also where a proxy has ended TLS, so that the schemes differ', withHeaders({ origin: 'https://api.example', host: 'api.example' }),          200],
  ['also with a port',                                             withHeaders({ origin: 'http://api.example:4000', host: 'api.example:4000' }), 200],
  ['the case of Host makes no difference',                         withHeaders({ origin: 'http://api.example', host: 'API.Example' }),           200],
  ...[
    'https://other.example',
    'null',
    'https://api.example.evil.example',
    'https://evil-api.example',
    'https://www.api.example',
    'https://api.example:444',
    '',
  ].map((origin): GetRow => [
    `a GET with the Origin ${JSON.stringify(origin)} is refused`,
    withHeaders({ origin, host: 'api.example' }),
    403,
    { code: 'CROSS_SITE' },
  ]),
  [
    'a foreign Origin is refused whatever Sec-Fetch-Site says',
    withHeaders({ origin: 'https://other.example', 'sec-fetch-site': 'same-origin' }),
    403,
    { code: 'CROSS_SITE' },
  ],
  [
    'a GET from an origin that CORS allows is answered',
    withHeaders({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }),
    200,
    { options: { cors: { origins: ['https://app.example'] } } },
  ],
  [
    'a GET from an origin that CORS does not allow is refused',
    withHeaders({ origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }),
    403,
    { options: { cors: { origins: ['https://app.example'] } }, code: 'CROSS_SITE' },
  ],
  [
    'a link of another site has no Origin, and is refused for everybody',
    withHeaders({ 'sec-fetch-site': 'cross-site' }),
    403,
    { options: { cors: { origins: ['https://app.example'] } }, code: 'CROSS_SITE' },
  ],
]

// oxfmt-ignore
const typeRows: readonly GetRow[] = [
  ['a GET may say that it has JSON', withHeaders({ 'content-type': 'application/json; charset=utf-8' }), 200],
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'].map(
    (type): GetRow => [`a GET with Content-Type: ${type} is refused`, withHeaders({ 'content-type': type }), 415, { code: 'CONTENT_ON_GET' }],
  ),
]

const off = { get: false }
// oxfmt-ignore
const offRows: readonly GetRow[] = [
  ['with get: false a GET is refused', plain, 405, { options: off, code: 'METHOD_NOT_ALLOWED', fields: { allow: withoutGet } }],
  ['with get: false a HEAD is refused',    { method: 'HEAD', query },              405, { options: off, fields: { allow: withoutGet } }],
  ['with get: false another method is told no GET', { method: 'PUT', query }, 405, { options: off, code: 'METHOD_NOT_ALLOWED', fields: { allow: withoutGet } }],
  ['with get: false OPTIONS names no GET', { method: 'OPTIONS' },                  204, { options: off, fields: { allow: withoutGet } }],
  ['with get: false a POST is answered',   { body: '{"query":"{ __typename }"}' }, 200, { options: off }],
  ['by default OPTIONS names GET',         { method: 'OPTIONS' },                  204, { fields: { allow: allMethods } }],
]

const needed = { getHeaders: ['X-App', 'graphql-require-preflight'] }
// oxfmt-ignore
const headerRows: readonly GetRow[] = [
  ['with getHeaders a GET without any of them is refused', plain,                                  403, { options: needed, code: 'HEADER_MISSING' }],
  ['with getHeaders a GET with an empty one is refused',   withHeaders({ 'x-app': '' }),           403, { options: needed, code: 'HEADER_MISSING' }],
  ['with getHeaders a GET with the first is answered',     withHeaders({ 'x-app': 'web' }),        200, { options: needed }],
  ['with getHeaders a GET with another of them is answered', withHeaders({ 'GraphQL-Require-Preflight': '1' }), 200, { options: needed }],
  ['with getHeaders a POST needs none',                    { body: '{"query":"{ __typename }"}' }, 200, { options: needed }],
]

const rows = [...siteRows, ...typeRows, ...offRows, ...headerRows]
for (const [title, request, status, { options, code, fields = {} } = {}] of rows) {
  void t.test(title, async (t) => {
    const { send } = await startServer(t, options)
    const answer = await send(request)
    t.equal(answer.status, status, 'status')
    if (code !== undefined) t.equal(extensionsOf(answer)?.['code'], code)
    checkFields(t, answer, fields)
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
