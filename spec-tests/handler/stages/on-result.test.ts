import t from 'tap'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import {
  createHandler,
  failure,
  success,
  type CompletedRequest,
  type Options,
  type ResultInfo,
} from '../../../src/index.js'
import { majors, type Major } from './majors.js'

const secret = new Error('password=hunter2')

function fail(error: unknown): () => never {
  return () => {
    throw error
  }
}

interface Told {
  readonly request: CompletedRequest
  readonly result: ResultInfo
}

/** Sends a request, and gives what `onResult` and `onBug` got. */
async function ask(major: Major, request: TestRequest, options: Partial<Options> = {}) {
  const told: Told[] = []
  const bugs: unknown[] = []
  const { GraphQLError } = major
  const handler = createHandler({
    schema: major.schema,
    graphql: major.graphql,
    rootValue: {
      a: 'x',
      m: 'y',
      fail: fail(secret),
      plain: fail(new GraphQLError('No code.')),
      coded: fail(new GraphQLError('Coded.', { extensions: { code: 'MINE' } })),
      later: async () => 'ä',
      wait: () => new Promise(() => undefined),
    },
    onBug: (bug) => bugs.push(bug),
    onResult: (one, result) => told.push({ request: one, result }),
    ...options,
  })
  const response = await testClient(handler)(request)
  return { response, told, bugs }
}

interface Row {
  readonly title: string
  readonly query?: string
  readonly request?: TestRequest
  readonly options?: Partial<Options>
  readonly told: Partial<ResultInfo>
}

const nothing = { operationName: undefined, operationType: undefined, cost: undefined }

const rows: readonly Row[] = [
  {
    title: 'a query',
    query: 'query Q { a }',
    told: {
      status: 200,
      operationName: 'Q',
      operationType: 'query',
      document: 'query Q { a }',
      errors: [],
      errorCodes: [],
      hasData: true,
      cost: 1,
      size: '{"data":{"a":"x"}}'.length,
    },
  },
  {
    title: 'an asynchronous query, with the size in bytes',
    query: '{ later }',
    told: { status: 200, hasData: true, operationName: undefined, size: 23 },
  },
  {
    title: 'a mutation',
    query: 'mutation M { m }',
    told: { status: 200, operationName: 'M', operationType: 'mutation', hasData: true },
  },
  {
    title: 'errors of fields, one code each',
    query: '{ a fail plain coded }',
    told: {
      status: 294,
      operationType: 'query',
      errorCodes: ['INTERNAL_SERVER_ERROR', 'UNKNOWN', 'MINE'],
      hasData: true,
    },
  },
  {
    title: 'what formatError makes of them',
    query: '{ fail }',
    options: { formatError: () => ({ message: 'm', extensions: { code: 'OTHER' } }) },
    told: { errors: [{ message: 'm', extensions: { code: 'OTHER' } }], errorCodes: ['OTHER'] },
  },
  {
    title: 'a document with a syntax error',
    query: '{',
    told: { ...nothing, status: 400, errorCodes: ['GRAPHQL_PARSE_FAILED'], hasData: false },
  },
  {
    title: 'an invalid document',
    query: 'query Q { nope }',
    told: { ...nothing, status: 422, errorCodes: ['GRAPHQL_VALIDATION_FAILED'], hasData: false },
  },
  {
    title: 'a document beyond a limit',
    query: '{ a }',
    options: { maxTokens: 1 },
    told: { ...nothing, status: 400, errorCodes: ['DOCUMENT_LIMIT_EXCEEDED'], hasData: false },
  },
  {
    title: 'an operation that costs too much',
    query: 'query Dear { a plain }',
    options: { maxCost: 1 },
    told: {
      status: 422,
      operationName: 'Dear',
      cost: 2,
      errorCodes: ['DOCUMENT_LIMIT_EXCEEDED'],
      hasData: false,
    },
  },
  {
    title: 'an operation that the document does not have',
    request: { json: { query: 'query Q { a }', operationName: 'Other' } },
    told: { ...nothing, status: 422, errorCodes: ['OPERATION_RESOLUTION_FAILURE'] },
  },
  {
    title: 'variables that do not fit',
    request: { json: { query: 'query V($n: Int!) { twice(n: $n) }', variables: { n: 'x' } } },
    told: { status: 422, operationName: 'V', errorCodes: ['BAD_USER_INPUT'], hasData: false },
  },
  {
    title: 'a subscription',
    request: { json: { query: 'subscription S { s }' }, headers: { Accept: 'application/json' } },
    told: { status: 406, operationName: 'S', errorCodes: ['NOT_ACCEPTABLE'] },
  },
  {
    title: 'a mutation by GET',
    request: { target: '/graphql?query=mutation%20M%7Bm%7D' },
    told: { status: 405, operationName: 'M', errorCodes: ['METHOD_NOT_ALLOWED'], hasData: false },
  },
  {
    title: 'a denial of admit',
    query: 'query Q { a }',
    options: { admit: () => ({ kind: 'rate-limited', retryAfter: 1 }) },
    told: { status: 429, operationName: 'Q', errorCodes: ['RATE_LIMITED'], hasData: false },
  },
  {
    title: 'an operation that takes too long',
    query: 'query Q { wait }',
    options: { executionTimeout: 5 },
    told: { status: 503, operationName: 'Q', errorCodes: ['CANCELLED'], hasData: false },
  },
  {
    title: 'a bug of context',
    query: 'query Q { a }',
    options: { context: fail(secret) },
    told: { status: 500, operationName: 'Q', errorCodes: ['INTERNAL_SERVER_ERROR'] },
  },
  {
    title: 'a bug of a function that gives the schema',
    query: 'query Q { a }',
    options: { schema: fail(secret) },
    told: { ...nothing, status: 500, errorCodes: ['INTERNAL_SERVER_ERROR'] },
  },
  {
    title: 'an answer that is too long, which has no data in the end',
    query: 'query Q { a }',
    options: { maxResponseBytes: 3 },
    told: { status: 500, errorCodes: ['INTERNAL_SERVER_ERROR'], hasData: false },
  },
]

for (const major of majors) {
  for (const { title, query, request = { json: { query } }, options, told: expected } of rows) {
    void t.test(`onResult is called once for ${title}, ${major.name}`, async (t) => {
      const { told, response } = await ask(major, request, options)
      t.equal(told.length, 1)
      t.match(told[0]?.result, expected)
      t.equal(told[0]?.result.status, response.status)
      t.equal(told[0]?.result.size, new TextEncoder().encode(response.body).byteLength)
      t.ok((told[0]?.result.duration ?? -1) >= 0)
    })
  }
}

const [major] = majors as [Major]
const json = { query: 'query Q { a }' }

/** What HTTP says before there is a request for GraphQL. */
// oxfmt-ignore
const refusals: readonly [title: string, request: TestRequest, options?: Partial<Options>][] = [
  ['another method',            { method: 'PUT' }],
  ['another path',              { target: '/elsewhere' }],
  ['a type that is not served', { json, headers: { Accept: 'text/csv' } }],
  ['a body that is not JSON',   { body: '{', headers: { 'Content-Type': 'application/json' } }],
  ['no query',                  { json: {} }],
  ['OPTIONS',                   { method: 'OPTIONS' }],
  ['a bad credential',          { json }, { authenticate: () => failure({ kind: 'unauthenticated', challenge: 'Bearer' }) }],
]

for (const [title, request, options] of refusals) {
  void t.test(`onResult is not called for what HTTP refuses: ${title}`, async (t) => {
    const { told, bugs } = await ask(major, request, { path: '/graphql', ...options })
    t.strictSame(told, [])
    t.strictSame(bugs, [])
  })
}

void t.test('onResult knows the request', async (t) => {
  const { told } = await ask(
    major,
    { json: { ...json, variables: { v: 1 } }, headers: { 'X-Request-Id': '7' }, raw: 'raw' },
    { authenticate: () => Promise.resolve(success('me')) },
  )
  t.match(told[0]?.request, {
    head: { method: 'POST', raw: 'raw' },
    target: '/graphql',
    principal: 'me',
    params: { query: json.query, variables: { v: 1 } },
    operation: { kind: 'OperationDefinition', name: { value: 'Q' } },
  })
})

void t.test('onResult decides how an answer is stored once its errors are known', async (t) => {
  const onResult: Options['onResult'] = (_, { errors, headers }) => {
    if (errors.length === 0) headers.set('Cache-Control', 'public, max-age=60')
  }
  const storing = async (query: string) => {
    const { response } = await ask(major, { target: `/graphql?query=${query}` }, { onResult })
    return response.headers.get('cache-control')
  }
  t.equal(await storing('%7Ba%7D'), 'public, max-age=60')
  t.equal(await storing('%7Bfail%7D'), 'no-store')
  t.equal(await storing('%7Bnope%7D'), 'no-store')
})

const wrongHooks: readonly [title: string, hook: NonNullable<Options['onResult']>][] = [
  ['throws', fail(secret)],
  ['rejects', () => Promise.reject(secret)],
  [
    'throws after it has set a header',
    (_, { headers }) => {
      headers.set('X-Set', '1')
      throw secret
    },
  ],
]

for (const [title, onResult] of wrongHooks) {
  void t.test(`an onResult that ${title} goes to onBug and changes nothing`, async (t) => {
    const { response, bugs } = await ask(major, { json }, { onResult })
    const { response: plain } = await ask(major, { json })
    t.strictSame([response.status, response.body], [plain.status, plain.body])
    t.strictSame([...response.headers], [...plain.headers])
    await new Promise(setImmediate)
    t.strictSame(bugs, [secret])
  })
}

void t.test('a header of onResult that cannot be sent is a bug', async (t) => {
  const onResult: Options['onResult'] = (_, { headers }) => headers.set('X-A', 5 as never)
  const { response, bugs } = await ask(major, { json }, { onResult })
  t.equal(response.status, 200)
  t.match(bugs, [{ name: 'TypeError', message: /X-A must be a string, not of type number/ }])
})

void t.test('onResult is called in the tick of a synchronous answer', async (t) => {
  let told = 0
  const handler = createHandler({
    schema: major.schema,
    rootValue: { a: 'x' },
    onResult: () => Promise.resolve((told += 1)),
  })
  const head = { method: 'GET', target: '/?query=%7Ba%7D', headers: [], raw: undefined }
  t.match(handler(head), { status: 200 })
  t.equal(told, 1)
})

void t.test('without onResult no clock is read', async (t) => {
  const clock = t.capture(performance, 'now', () => 0)
  const handler = createHandler({ schema: major.schema, rootValue: { a: 'x' } })
  const head = { method: 'GET', target: '/?query=%7Ba%7D', headers: [], raw: undefined }
  t.match(handler(head), { status: 200 })
  t.strictSame(clock(), [])
})

void t.test('a client that has disconnected is reported as such', async (t) => {
  const leaving = new AbortController()
  const asked = ask(major, { json: { query: '{ wait }' }, signal: leaving.signal })
  setImmediate(() => leaving.abort())
  const { told } = await asked
  t.equal(told.length, 1)
  t.match(told[0]?.result, { status: 499, errorCodes: ['CANCELLED'], hasData: false })
})
