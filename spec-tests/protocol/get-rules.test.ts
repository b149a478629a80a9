import t from 'tap'
import { buildSchema } from '../../src/engine/build-schema.js'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createHandler, type Options } from '../../src/index.js'

const site = 'https://example.com'
const partner = 'https://partner.example'
const target = '/graphql?query=%7Ba%7D'

/** A client, and how often anything ran for it. */
function counting(options: Partial<Options> = {}) {
  let ran = 0
  const run = () => ++ran
  const schema = buildSchema('type Query { a: Int } type Mutation { m: Int }', {
    Query: { a: run },
    Mutation: { m: run },
  })
  return { send: testClient(createHandler({ schema, ...options })), ran: () => ran }
}

interface Row {
  readonly title: string
  readonly headers: { readonly [name: string]: string | readonly string[] }
  readonly status: number
  readonly code?: string
  readonly options?: Partial<Options>
}

const allowed = { cors: { origins: [partner] } }
const everybody = { cors: { origins: '*' as const } }
const ofHeader = { getHeaders: ['X-Mine', 'x-Other'] }
const passes = { status: 200 }
const foreign = { status: 403, code: 'CROSS_SITE' }
const missing = { status: 403, code: 'HEADER_MISSING' }
const content = { status: 415, code: 'CONTENT_ON_GET' }

const rows: readonly Row[] = [
  { title: 'without any header', headers: {}, ...passes },
  { title: 'of a page of another site', headers: { 'Sec-Fetch-Site': 'cross-site' }, ...foreign },
  { title: 'of a page of the same site', headers: { 'Sec-Fetch-Site': 'same-site' }, ...passes },
  {
    title: 'of a page of the same origin',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    ...passes,
  },
  { title: 'of the address bar', headers: { 'Sec-Fetch-Site': 'none' }, ...passes },
  { title: 'of a foreign origin', headers: { Host: 'example.com', Origin: partner }, ...foreign },
  { title: 'of an origin, to no host', headers: { Origin: site }, ...foreign },
  { title: 'of the own origin', headers: { Host: 'example.com', Origin: site }, ...passes },
  {
    title: 'of the own origin without TLS',
    headers: { Host: 'example.com', Origin: 'http://example.com' },
    ...passes,
  },
  {
    title: 'of the own origin with a port',
    headers: { Host: 'localhost:4000', Origin: 'http://localhost:4000' },
    ...passes,
  },
  {
    title: 'of the own address',
    headers: { Host: '[::1]:4000', Origin: 'http://[::1]:4000' },
    ...passes,
  },
  {
    title: 'of the own origin, the host in capitals',
    headers: { Host: 'EXAMPLE.com', Origin: site },
    ...passes,
  },
  {
    title: 'of another port',
    headers: { Host: 'example.com', Origin: 'https://example.com:8443' },
    ...foreign,
  },
  {
    title: 'of a port where the host has another',
    headers: { Host: 'localhost:4000', Origin: 'http://localhost:3000' },
    ...foreign,
  },
  {
    title: 'of a subdomain',
    headers: { Host: 'example.com', Origin: 'https://evil.example.com' },
    ...foreign,
  },
  {
    title: 'of a longer name',
    headers: { Host: 'example.com', Origin: 'https://notexample.com' },
    ...foreign,
  },
  {
    title: 'of a name that begins alike',
    headers: { Host: 'example.com', Origin: 'https://example.com.evil.example' },
    ...foreign,
  },
  { title: 'of an opaque origin', headers: { Host: 'example.com', Origin: 'null' }, ...foreign },
  {
    title: 'of an opaque origin, to a host of its letters',
    headers: { Host: 'll', Origin: 'null' },
    ...foreign,
  },
  { title: 'of an empty origin', headers: { Host: '', Origin: '' }, ...foreign },
  {
    title: 'of two origins',
    headers: { Host: 'example.com', Origin: [site, partner] },
    ...foreign,
  },
  {
    title: 'of a foreign origin that says it is none',
    headers: { Host: 'example.com', Origin: partner, 'Sec-Fetch-Site': 'none' },
    ...foreign,
  },
  {
    title: 'of an allowed origin',
    headers: { Host: 'example.com', Origin: partner },
    options: allowed,
    ...passes,
  },
  {
    title: 'of an allowed origin of another site',
    headers: { Host: 'example.com', Origin: partner, 'Sec-Fetch-Site': 'cross-site' },
    options: allowed,
    ...passes,
  },
  {
    title: 'of an origin that is not the allowed one',
    headers: { Host: 'example.com', Origin: `${partner}.evil` },
    options: allowed,
    ...foreign,
  },
  {
    title: 'of another site without Origin, some allowed',
    headers: { 'Sec-Fetch-Site': 'cross-site' },
    options: allowed,
    ...foreign,
  },
  {
    title: 'of any origin, all allowed',
    headers: { Host: 'example.com', Origin: partner, 'Sec-Fetch-Site': 'cross-site' },
    options: everybody,
    ...passes,
  },
  { title: 'of JSON', headers: { 'Content-Type': 'application/json' }, ...passes },
  {
    title: 'of JSON in capitals',
    headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' },
    ...passes,
  },
  {
    title: 'of a form',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    ...content,
  },
  {
    title: 'of a form with files',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    ...content,
  },
  { title: 'of text', headers: { 'Content-Type': 'text/plain' }, ...content },
  {
    title: 'of what only names JSON',
    headers: { 'Content-Type': 'text/plain; a=application/json' },
    ...content,
  },
  {
    title: 'of what begins like JSON',
    headers: { 'Content-Type': 'application/json-patch+json' },
    ...content,
  },
  { title: 'of a type that is none', headers: { 'Content-Type': 'json' }, ...content },
  { title: 'of an empty type', headers: { 'Content-Type': '' }, ...content },
  {
    title: 'of two types',
    headers: { 'Content-Type': ['application/json', 'text/plain'] },
    ...content,
  },
  { title: 'without the header', headers: {}, options: ofHeader, ...missing },
  { title: 'with an empty header', headers: { 'X-Mine': '' }, options: ofHeader, ...missing },
  { title: 'with one of the headers', headers: { 'x-mine': '1' }, options: ofHeader, ...passes },
  { title: 'with the other header', headers: { 'X-OTHER': '1' }, options: ofHeader, ...passes },
  {
    title: 'with the header, of a foreign origin',
    headers: { 'X-Mine': '1', Host: 'example.com', Origin: partner },
    options: ofHeader,
    ...foreign,
  },
  {
    title: 'of an allowed origin without the header',
    headers: { Origin: partner },
    options: { ...allowed, ...ofHeader },
    ...missing,
  },
]
for (const { title, headers, status, code, options } of rows) {
  for (const method of ['GET', 'HEAD']) {
    void t.test(`a ${method} ${title}: ${status}`, async (t) => {
      const { send, ran } = counting(options)
      const response = await send({ method, target, headers })
      t.equal(response.status, status)
      t.equal(ran(), status === 200 ? 1 : 0)
      if (method === 'HEAD') t.equal(response.body, '')
      else if (code !== undefined) t.match(response.json(), { errors: [{ extensions: { code } }] })
      else t.strictSame(response.json(), { data: { a: 1 } })
    })
  }
}

for (const { title, headers, options } of rows.filter((row) => row.status === 403)) {
  void t.test(`a request with a body is not concerned: ${title}`, async (t) => {
    const { send } = counting(options)
    for (const method of ['POST', 'QUERY']) {
      t.equal((await send({ method, json: { query: '{ a }' }, headers })).status, 200, method)
    }
  })
}

for (const method of ['GET', 'HEAD']) {
  void t.test(`get: false refuses ${method} as a method`, async (t) => {
    const { send, ran } = counting({ get: false })
    const response = await send({ method, target })
    t.equal(response.status, 405)
    t.equal(response.headers.get('allow'), 'POST, QUERY, OPTIONS')
    t.equal(ran(), 0)
  })
}

void t.test('get: false lets others pass, and OPTIONS says so', async (t) => {
  const { send } = counting({ get: false })
  for (const method of ['POST', 'QUERY']) {
    t.equal((await send({ method, json: { query: '{ a }' } })).status, 200)
  }
  const described = await send({ method: 'OPTIONS' })
  t.equal(described.status, 204)
  t.equal(described.headers.get('allow'), 'POST, QUERY, OPTIONS')
  const other = await send({ method: 'PUT' })
  t.equal(other.headers.get('allow'), 'POST, QUERY, OPTIONS')
  t.notMatch(other.body, 'GET')
})

void t.test('by default GET and HEAD are allowed', async (t) => {
  const { send } = counting()
  for (const method of ['OPTIONS', 'PUT']) {
    const { headers } = await send({ method })
    t.equal(headers.get('allow'), 'GET, HEAD, POST, QUERY, OPTIONS')
  }
})

const mutation = JSON.stringify({ query: 'mutation { m }' })
const inForm = `query=${encodeURIComponent('mutation { m }')}`
const boundary = '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n'
const bodies: readonly [type: string | undefined, body: string][] = [
  ['application/x-www-form-urlencoded', inForm],
  ['application/x-www-form-urlencoded', mutation],
  ['multipart/form-data; boundary=x', `${boundary}${mutation}\r\n--x--\r\n`],
  ['multipart/form-data; boundary=application/json', mutation],
  ['text/plain', mutation],
  ['text/plain; charset=utf-8', mutation],
  ['text/plain; application/json', mutation],
  ['text/plain, application/json', mutation],
  ['application/json, text/plain', mutation],
  ['application/graphql', 'mutation { m }'],
  ['', mutation],
  [undefined, mutation],
]
for (const [type, body] of bodies) {
  void t.test(`a body of the type ${type ?? '(none)'} executes nothing: ${body}`, async (t) => {
    for (const options of [{}, { cors: { origins: '*' as const } }]) {
      const { send, ran } = counting(options)
      const headers = type === undefined ? {} : { 'Content-Type': type }
      for (const method of ['POST', 'QUERY', 'GET', 'HEAD', 'OPTIONS', 'PUT']) {
        const answer = await send({ method, body, headers, target: `/graphql?${inForm}` })
        t.notMatch(answer.body, '"data"', method)
        if (method === 'POST' || method === 'QUERY') t.equal(answer.status, 415, method)
      }
      t.equal(ran(), 0)
    }
  })
}

void t.test('a mutation by a safe method executes nothing', async (t) => {
  const { send, ran } = counting()
  const requests: readonly (readonly [request: TestRequest, status: number])[] = [
    [{ target: `/graphql?${inForm}` }, 405],
    [{ method: 'HEAD', target: `/graphql?${inForm}` }, 405],
    [{ method: 'QUERY', json: { query: 'mutation { m }' } }, 422],
  ]
  for (const [request, status] of requests) t.equal((await send(request)).status, status)
  t.equal(ran(), 0)
  await send({ json: { query: 'mutation { m }' } })
  t.equal(ran(), 1, 'and POST does')
})
