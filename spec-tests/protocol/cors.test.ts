import t, { type Test } from 'tap'
import { buildSchema } from '../../src/engine/build-schema.js'
import { testClient, type TestRequest, type TestResponse } from '../../src/hosts/testing.js'
import { createHandler, failure, type CorsOptions, type Options } from '../../src/index.js'

const schema = buildSchema('type Query { a: String  bug: String }', {
  Query: { a: () => 'x', bug: () => Promise.reject(new Error('secret')) },
})
const json = { query: '{ a }' }
const site = 'https://example.com'
const origins = [site, 'http://localhost:3000']

function clientFor(cors: CorsOptions | undefined, options: Partial<Options> = {}) {
  return testClient(createHandler({ schema, cors, onBug: () => {}, ...options }))
}

/** What CORS and Vary say in an answer, by names in lower case. */
function sharedHeaders({ headers }: TestResponse): { [name: string]: string } {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  )
}

function preflight(origin: string, method: string, asked?: string): TestRequest {
  return {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      ...(asked !== undefined && { 'Access-Control-Request-Headers': asked }),
    },
  }
}

const preflights: readonly [
  title: string,
  cors: CorsOptions,
  asked: string | undefined,
  expected: object,
][] = [
  [
    'what it asks for is granted',
    { origins },
    'content-type,x-mine',
    {
      'access-control-allow-origin': site,
      'access-control-allow-methods': 'GET, HEAD, POST, QUERY',
      'access-control-allow-headers': 'content-type,x-mine',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    },
  ],
  [
    'without headers none are granted',
    { origins },
    undefined,
    {
      'access-control-allow-origin': site,
      'access-control-allow-methods': 'GET, HEAD, POST, QUERY',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    },
  ],
  [
    'a list of headers is granted as it is',
    { origins, allowedHeaders: ['Content-Type', 'X-Mine'], maxAge: 5.9 },
    'x-other',
    {
      'access-control-allow-origin': site,
      'access-control-allow-methods': 'GET, HEAD, POST, QUERY',
      'access-control-allow-headers': 'Content-Type, X-Mine',
      'access-control-max-age': '5',
      vary: 'Origin',
    },
  ],
  [
    'credentials are granted, and exposed headers are none of its concern',
    { origins, credentials: true, exposedHeaders: ['X-Rate'], allowedHeaders: [], maxAge: 0 },
    'x-other',
    {
      'access-control-allow-origin': site,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, QUERY',
      'access-control-allow-headers': '',
      'access-control-max-age': '0',
      vary: 'Origin',
    },
  ],
  [
    'all origins at once',
    { origins: '*' },
    'x-mine',
    {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, QUERY',
      'access-control-allow-headers': 'x-mine',
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Headers',
    },
  ],
  [
    'nothing for an origin that is not allowed',
    { origins: [origins[1] as string] },
    'x-mine',
    { vary: 'Origin' },
  ],
  ['nothing where nobody is allowed', { origins: [] }, 'x-mine', { vary: 'Origin' }],
]
for (const [title, cors, asked, expected] of preflights) {
  for (const method of ['POST', 'QUERY', 'GET']) {
    void t.test(`a preflight of ${method}: ${title}`, async (t) => {
      const response = await clientFor(cors, { path: '/graphql' })(preflight(site, method, asked))
      t.equal(response.status, 204)
      t.equal(response.body, '')
      t.strictSame(sharedHeaders(response), expected)
    })
  }
}

void t.test('a preflight asks neither authenticate nor for a type of answer', async (t) => {
  const authenticate = () => failure({ kind: 'forbidden' as const })
  const request = preflight(site, 'POST')
  const response = await clientFor(
    { origins },
    { authenticate },
  )({
    ...request,
    headers: { ...request.headers, Accept: 'image/png' },
  })
  t.equal(response.status, 204)
  t.equal(response.headers.get('access-control-allow-origin'), site)
})

void t.test('OPTIONS that is no preflight is an answer like others', async (t) => {
  const send = clientFor({ origins, exposedHeaders: ['X-Rate'] })
  const response = await send({ method: 'OPTIONS', headers: { Origin: site } })
  t.strictSame(sharedHeaders(response), {
    'access-control-allow-origin': site,
    'access-control-expose-headers': 'X-Rate',
    vary: 'Origin',
  })
  t.match(response.headers.get('allow'), 'POST')
})

for (const origin of [
  'null',
  '',
  'https://example.com.evil.example',
  'https://evil-example.com',
  'https://sub.example.com',
  'https://example.co',
  'https://example.com/',
  'https://example.com:443',
  'https://example.com:8443',
  'http://example.com',
  'HTTPS://EXAMPLE.COM',
  'https://user@example.com',
  'https://example.com, http://localhost:3000',
  'http://localhost',
  'example.com',
  '*',
]) {
  void t.test(`the origin ${JSON.stringify(origin)} is not ${site}`, async (t) => {
    const send = clientFor({ origins, credentials: true, exposedHeaders: ['X-Rate'] })
    for (const request of [
      preflight(origin, 'POST', 'content-type'),
      { json, headers: { Origin: origin } },
      { method: 'QUERY', json, headers: { Origin: origin } },
    ]) {
      const { vary = '', ...others } = sharedHeaders(await send(request))
      t.strictSame(others, {})
      t.match(vary, /\bOrigin$/)
    }
  })
}

void t.test('two lines of Origin are no origin', async (t) => {
  const response = await clientFor({ origins })({ json, headers: { Origin: origins } })
  t.equal(response.headers.get('access-control-allow-origin'), null)
})

void t.test('each allowed origin is told itself', async (t) => {
  const send = clientFor({ origins })
  for (const origin of origins) {
    const response = await send({ json, headers: { Origin: origin } })
    t.equal(response.headers.get('access-control-allow-origin'), origin)
    t.notOk(response.headers.has('access-control-expose-headers'))
  }
})

const wrong: readonly [title: string, cors: object, message: RegExp][] = [
  ['credentials for everybody', { origins: '*', credentials: true }, /credentials/],
  ['a slash at the end', { origins: ['https://example.com/'] }, /"https:\/\/example\.com\/"/],
  ['a path', { origins: ['https://example.com/a'] }, /expected origins/],
  ['a query', { origins: ['https://example.com?a'] }, /expected origins/],
  ['capitals', { origins: ['https://Example.com'] }, /expected origins/],
  ['a host alone', { origins: ['example.com'] }, /expected origins/],
  ['a star in a list', { origins: [site, '*'] }, /expected origins/],
  ['a pattern', { origins: ['https://*.example.com'] }, /expected origins/],
  ['the usual port', { origins: ['https://example.com:443'] }, /expected origins/],
  ['the usual port of http', { origins: ['http://example.com:80'] }, /expected origins/],
  ['a user', { origins: ['https://user@example.com'] }, /expected origins/],
  ['null', { origins: ['null'] }, /expected origins/],
  ['nothing', { origins: [''] }, /expected origins/],
  ['two in one', { origins: ['https://a.example,https://b.example'] }, /expected origins/],
  ['a line of its own', { origins: ['https://a.example\r\nX: y'] }, /expected origins/],
  ['a negative maxAge', { origins, maxAge: -1 }, /maxAge/],
  ['a negative maxAge for everybody', { origins: '*', maxAge: -1 }, /maxAge/],
  ['a maxAge without end', { origins, maxAge: Infinity }, /maxAge/],
  ['a maxAge that is no number', { origins, maxAge: Number.NaN }, /maxAge/],
]
for (const [title, cors, message] of wrong) {
  void t.test(`cors with ${title} is told at the start`, async (t) => {
    const options = { schema, cors: cors as CorsOptions }
    t.throws(() => createHandler(options), { name: 'TypeError', message })
  })
}

/** One request for each way out of the handler. */
const answers: readonly [
  title: string,
  status: number,
  request: TestRequest,
  options?: Partial<Options>,
][] = [
  ['an answer', 200, { json }],
  ['an answer by GET', 200, { target: '/graphql?query=%7Ba%7D' }],
  ['an answer without a body', 200, { method: 'HEAD', target: '/graphql?query=%7Ba%7D' }],
  ['an answer with errors', 294, { json: { query: '{ bug }' } }],
  ['a document that is refused', 422, { json: { query: '{ nope }' } }],
  ['a syntax error', 400, { json: { query: '{' } }],
  ['a body that is no JSON', 400, { body: '{', headers: { 'Content-Type': 'application/json' } }],
  ['a path that is not served', 404, { json, target: '/other' }, { path: '/graphql' }],
  ['a method that is not served', 405, { method: 'PUT' }],
  ['a type that is not made', 406, { json, headers: { Accept: 'image/png' } }],
  ['a type that is not read', 415, { body: 'a=b', headers: { 'Content-Type': 'text/plain' } }],
  ['a body that is too large', 413, { json }, { maxBodyBytes: 1 }],
  ['a URL that is too long', 414, { json }, { maxUrlLength: 1 }],
  ['a denial', 403, { json }, { authenticate: () => failure({ kind: 'forbidden' }) }],
  ['a bug', 500, { json }, { context: () => Promise.reject(new Error('secret')) }],
  [
    'a bug at once',
    500,
    { json },
    {
      authenticate: () => {
        throw new Error('secret')
      },
    },
  ],
]
for (const [title, status, request, options] of answers) {
  void t.test(`${title} carries the headers: ${status}`, async (t) => {
    const cors = { origins, credentials: true, exposedHeaders: ['X-Rate', 'X-Id'], maxAge: 9 }
    const send = clientFor(cors, options)
    const withOrigin = await send({ ...request, headers: { ...request.headers, Origin: site } })
    t.equal(withOrigin.status, status)
    const { vary = '', ...others } = sharedHeaders(withOrigin)
    t.strictSame(others, {
      'access-control-allow-credentials': 'true',
      'access-control-allow-origin': site,
      'access-control-expose-headers': 'X-Rate, X-Id',
    })
    t.match(vary, /\bOrigin$/)
    const without = await send(request)
    t.equal(without.status, status)
    t.strictSame(Object.keys(sharedHeaders(without)), ['vary'])
    t.match(without.headers.get('vary'), /\bOrigin$/, 'also without Origin')
    await nothingWithoutCors(t, request, options)
  })
}

/** Off by default: the answer names neither CORS nor Origin. */
async function nothingWithoutCors(
  t: Test,
  request: TestRequest,
  options: Partial<Options> | undefined,
): Promise<void> {
  const headers = { ...request.headers, Host: 'example.com', Origin: site }
  const { vary = '', ...others } = sharedHeaders(
    await clientFor(undefined, options)({ ...request, headers }),
  )
  t.strictSame(others, {})
  t.notMatch(vary, 'Origin')
}

void t.test('a preflight without cors is a plain OPTIONS', async (t) => {
  const response = await clientFor(undefined)(preflight(site, 'POST', 'x-mine'))
  t.equal(response.status, 204)
  t.strictSame(sharedHeaders(response), {})
})

void t.test('where everybody is allowed, answers do not depend on Origin', async (t) => {
  const send = clientFor({ origins: '*', exposedHeaders: ['X-Rate'] })
  for (const origin of [site, 'null', 'https://anybody.example']) {
    const { vary, ...others } = sharedHeaders(await send({ json, headers: { Origin: origin } }))
    t.strictSame(others, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Rate',
    })
    t.notMatch(vary, 'Origin')
  }
  t.notOk((await send({ json })).headers.has('access-control-allow-origin'))
})

void t.test('responseHeaders sees the headers of CORS and adds its own', async (t) => {
  const seen: string[] = []
  const send = clientFor(
    { origins },
    {
      responseHeaders: ({ headers }) => {
        seen.push(...headers)
        return { 'X-Rate': '9', Vary: 'X-Mine', 'Access-Control-Expose-Headers': 'X-Rate' }
      },
    },
  )
  const response = await send({ json, headers: { Origin: site } })
  t.equal(response.headers.get('x-rate'), '9')
  t.equal(response.headers.get('vary'), 'Accept, Origin, X-Mine')
  t.equal(response.headers.get('access-control-expose-headers'), 'X-Rate')
  t.equal(response.headers.get('access-control-allow-origin'), site)
  t.ok(seen.includes('Access-Control-Allow-Origin'))
})

void t.test('origins of other ports, schemes and addresses are allowed', async (t) => {
  const allowed = [
    'http://a.example:8080',
    'http://a.example:443',
    'https://a.example:80',
    'http://[::1]:4000',
    'http://[::80]',
    'capacitor://localhost',
  ]
  const send = clientFor({ origins: allowed })
  for (const origin of allowed) {
    const { headers } = await send({ json, headers: { Origin: origin } })
    t.equal(headers.get('access-control-allow-origin'), origin)
  }
})
