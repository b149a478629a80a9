import t from 'tap'
import type { TestRequest } from '../../../src/hosts/testing.js'
import { createHandler, failure, success } from '../../../src/index.js'
import type { CompletedRequest, Options, ResultInfo } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../client-of.js'
import { majors, type Major } from './majors.js'

const secret = new Error('password=hunter2')

/** Sends a request, and gives what `onResult` and `onBug` got. */
async function ask(major: Major, request: TestRequest, options: Partial<Options> = {}) {
  const results: { readonly request: CompletedRequest; readonly result: ResultInfo }[] = []
  const { GraphQLError } = major
  const { send, bugs } = clientOf({
    schema: major.schema,
    graphql: major.graphql,
    rootValue: {
      a: 'x',
      m: 'y',
      fail: thrower(secret),
      plain: thrower(new GraphQLError('No code.')),
      coded: thrower(new GraphQLError('Coded.', { extensions: { code: 'MINE' } })),
      later: async () => 'ä',
      wait: () => new Promise(() => undefined),
    },
    onResult: (one, result) => results.push({ request: one, result }),
    ...options,
  })
  return { response: await send(request), results, bugs }
}

// oxfmt-ignore
type Row = readonly [title: string, request: string | TestRequest, results: Partial<ResultInfo>, options?: Partial<Options>]

const nothing = { operationName: undefined, operationType: undefined, cost: undefined }
const failed = (status: number, code: string, more: Partial<ResultInfo> | object = {}) => {
  return { status, errorCodes: [code], hasData: false, ...more }
}
const named = (status: number, code: string) => failed(status, code, { operationName: 'Q' })
const query = 'query Q { a }'
const variables = { json: { query: 'query Q($n: Int!) { twice(n: $n) }', variables: { n: 'x' } } }
const masked = 'INTERNAL_SERVER_ERROR'
const changed = { message: 'm', extensions: { code: 'OTHER' } }

// oxfmt-ignore
const rows: readonly Row[] = [
  ['a query', query, {
    status: 200, operationName: 'Q', operationType: 'query', document: query, errors: [], errorCodes: [], hasData: true, cost: 1,
    size: '{"data":{"a":"x"}}'.length,
  }],
  ['an asynchronous query, with the size in bytes', '{ later }', { status: 200, hasData: true, operationName: undefined, size: 23 }],
  ['a body of bytes',                    query, { status: 200, size: 3 }, { around: () => ({ status: 200, headers: [], body: new Uint8Array([123, 32, 125]) }) }],
  ['a mutation',                         'mutation M { m }', { status: 200, operationName: 'M', operationType: 'mutation', hasData: true }],
  ['errors of fields, one code each', '{ a fail plain coded }', {
    status: 294, operationType: 'query', errorCodes: [masked, 'UNKNOWN', 'MINE'], hasData: true,
  }],
  ['what formatError makes of them',     '{ fail }', { errors: [changed], errorCodes: ['OTHER'] }, { formatError: () => changed }],
  ['a document with a syntax error',     '{',                      failed(400, 'GRAPHQL_PARSE_FAILED', nothing)],
  ['an invalid document',                'query Q { nope }',       failed(422, 'GRAPHQL_VALIDATION_FAILED', nothing)],
  ['a document beyond a limit',          '{ a }',                  failed(400, 'DOCUMENT_LIMIT_EXCEEDED', nothing), { maxTokens: 1 }],
  ['an operation that costs too much',   'query Q { a plain }',    { ...named(422, 'DOCUMENT_LIMIT_EXCEEDED'), cost: 2 }, { maxCost: 1 }],
  ['an operation that is not there',     { json: { query, operationName: 'Other' } }, failed(422, 'OPERATION_RESOLUTION_FAILURE', nothing)],
  ['variables that do not fit',          variables,                named(422, 'BAD_USER_INPUT')],
  ['a subscription',                     { json: { query: 'subscription Q { s }' }, headers: { Accept: 'application/json' } }, named(406, 'NOT_ACCEPTABLE')],
  ['a mutation by GET',                  { target: '/graphql?query=mutation%20Q%7Bm%7D' }, named(405, 'METHOD_NOT_ALLOWED')],
  ['a denial of admit',                  query,                    named(429, 'RATE_LIMITED'), { admit: () => ({ kind: 'rate-limited', retryAfter: 1 }) }],
  ['an operation that takes too long',   'query Q { wait }',       named(503, 'CANCELLED'), { executionTimeout: 5 }],
  ['a bug of context',                   query,                    named(500, masked), { context: thrower(secret) }],
  ['a bug of a function that gives the schema', query,             failed(500, masked, nothing), { schema: thrower(secret) }],
  ['an answer that is too long',         query,                    failed(500, masked), { maxResponseBytes: 3 }],
]

for (const major of majors) {
  for (const [title, sent, expected, options] of rows) {
    void t.test(`onResult is called once for ${title}, ${major.name}`, async (t) => {
      const request = typeof sent === 'string' ? { json: { query: sent } } : sent
      const { results, response } = await ask(major, request, options)
      t.equal(results.length, 1)
      t.match(results[0]?.result, expected)
      t.equal(results[0]?.result.status, response.status)
      t.equal(results[0]?.result.size, new TextEncoder().encode(response.body).byteLength)
      const { duration = -1 } = results[0]?.result ?? {}
      t.ok(duration >= 0 && duration < 10_000, `${duration} ms`)
    })
  }
}

const [major] = majors as [Major]
const json = { query }

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
    const { results, bugs } = await ask(major, request, { path: '/graphql', ...options })
    t.strictSame(results, [])
    t.strictSame(bugs, [])
  })
}

void t.test('onResult knows the request', async (t) => {
  const request = { json: { ...json, variables: { v: 1 } }, raw: 'raw' }
  const authenticate = () => Promise.resolve(success('me'))
  const { results } = await ask(major, request, { authenticate })
  t.match(results[0]?.request, {
    head: { method: 'POST', raw: 'raw' },
    target: '/graphql',
    principal: 'me',
    params: { query: json.query, variables: { v: 1 } },
    operation: { kind: 'OperationDefinition', name: { value: 'Q' } },
  })
})

const wrongHooks: readonly [title: string, hook: NonNullable<Options['onResult']>][] = [
  ['throws', thrower(secret)],
  ['rejects', () => Promise.reject(secret)],
  ['throws with a header set', (_, { headers }) => (headers.set('X-Set', '1'), thrower(secret)())],
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

void t.test('onResult is called in the tick of its answer; else no clock is read', async (t) => {
  const head = { method: 'GET', target: '/?query=%7Ba%7D', headers: [], raw: undefined }
  const options = { schema: major.schema, rootValue: { a: 'x' } }
  const handler = createHandler(options)
  // A document that is not in the cache may take long, which others are to know.
  t.match(handler(head), { status: 200 })
  const clock = t.capture(performance, 'now', () => 0)
  t.match(handler(head), { status: 200 })
  t.strictSame(clock(), [])
  let calls = 0
  const onResult = () => Promise.resolve((calls += 1))
  t.match(createHandler({ ...options, onResult })(head), { status: 200 })
  t.equal(calls, 1)
})

void t.test('a client that has disconnected is reported as such', async (t) => {
  const leaving = new AbortController()
  const asked = ask(major, { json: { query: '{ wait }' }, signal: leaving.signal })
  setImmediate(() => leaving.abort())
  const { results } = await asked
  t.equal(results.length, 1)
  t.match(results[0]?.result, { status: 499, errorCodes: ['CANCELLED'], hasData: false })
})
