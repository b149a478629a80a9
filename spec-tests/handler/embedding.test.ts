import * as graphql16 from 'graphql-16'
import * as graphql from 'graphql'
import t from 'tap'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import { createEndpoint, createHandler, failure, fieldValue, success } from '../../src/index.js'
import { defineOptions } from '../../src/options/define-options.js'
import type { Denial, HttpResponse, OperationRequest, Options } from '../../src/index.js'
import { clientOf } from './client-of.js'

const sdl = 'type Query { a: String b: String } type Mutation { m: String }'
const json = { query: '{ a }' }

function schemaThat(a: (...args: unknown[]) => unknown = () => 'x') {
  return buildSchema(sdl, { Query: { a }, Mutation: { m: a } })
}

function clientFor(options: Partial<Options>) {
  return testClient(createHandler({ schema: schemaThat(), ...options }))
}

// oxfmt-ignore
const denials: readonly [denial: Denial, status: number, code: string, headers: object][] = [
  [{ kind: 'unauthenticated', challenge: 'Bearer realm="x"' }, 401, 'UNAUTHENTICATED', { 'www-authenticate': 'Bearer realm="x"' }],
  [{ kind: 'forbidden', message: 'No.' },                      403, 'FORBIDDEN',       {}],
  [{ kind: 'rate-limited', retryAfter: 2.2 },                  429, 'RATE_LIMITED',    { 'retry-after': '3' }],
  [{ kind: 'unavailable', retryAfter: 0 },                     503, 'UNAVAILABLE',     { 'retry-after': '0' }],
  [{ kind: 'denied', status: 402, message: 'Pay.' },           402, 'DENIED',          {}],
]

for (const [denial, status, code, headers] of denials) {
  void t.test(`admit can reject a request: ${denial.kind}`, async (t) => {
    let ran = false
    const schema = schemaThat(() => (ran = true))
    const response = await clientFor({ schema, admit: async () => denial })({ json })
    t.equal(response.status, status)
    t.match(response.json(), { errors: [{ extensions: { code } }] })
    t.match(Object.fromEntries(response.headers), headers)
    t.notOk(ran)
  })
}

const post = { method: 'POST', target: '/', raw: undefined }

void t.test('a handler in place of a listener or of a fetch function says how to wrap it', (t) => {
  const handler = createHandler({ schema: schemaThat() }) as unknown as (asked: object) => unknown
  t.throws(() => handler(new Request('http://localhost/')), /toFetch\(handler\)/)
  t.throws(
    () => handler({ headers: {}, rawHeaders: [] }),
    /createServer\(toNodeListener\(handler\)\)/,
  )
  t.end()
})

void t.test('authenticate runs before the body is requested', async (t) => {
  const authenticate: Options['authenticate'] = ({ headers }) =>
    headers.includes('let me in') ? success('me') : failure({ kind: 'forbidden' })
  const handler = createHandler({ schema: schemaThat(), authenticate })
  const asked: number[] = []
  const read = (maxBytes: number) => (asked.push(maxBytes), { json })
  const ask = (key: string) => {
    const headers = ['Content-Type', 'application/json', 'X-Key', key]
    return handler({ ...post, headers, body: { read } })
  }
  t.match(ask('no'), { status: 403 })
  t.strictSame(asked, [])
  t.match(ask('let me in'), { status: 200 })
  t.strictSame(asked, [1024 * 1024])
})

void t.test('a parsed body counts by its own properties only', async (t) => {
  const handler = createHandler({ schema: schemaThat() })
  const headers = ['Content-Type', 'application/json']
  const proceed = (parsed: unknown) =>
    handler({ ...post, headers, body: { read: () => ({ json: parsed }) } })
  t.match(proceed(json), { status: 200 })
  t.match(proceed(Object.create(json)), { status: 422 })
  t.match(proceed(undefined), { status: 422 })
})

void t.test('admit knows the operation, its root fields by alias, and the principal', async (t) => {
  const seen: unknown[] = []
  const send = clientFor({
    authenticate: () => success({ id: 7 }),
    admit: ({ operation: { name, operation }, rootFields, principal, params }) =>
      void seen.push(name?.value, operation, rootFields, principal, params.query),
  })
  const query =
    'query Q { x: a ...f a a } fragment f on Query { y: a b ... { z: b } ...g } fragment g on Query { a }'
  t.equal((await send({ json: { query } })).status, 200)
  t.strictSame(seen, ['Q', 'query', ['a', 'a', 'b', 'b', 'a'], { id: 7 }, query])
})

void t.test('admit sees the whole document', async (t) => {
  const query = 'query Q { ...f } query R { b } fragment f on Query { a }'
  const seen: string[] = []
  const send = clientFor({ admit: ({ document }) => void seen.push(graphql.print(document)) })
  t.equal((await send({ json: { query, operationName: 'Q' } })).status, 200)
  t.strictSame(seen, [graphql.print(graphql.parse(query))])
})

// oxfmt-ignore
const conditions: readonly [query: string, variables: object, fields: readonly string[]][] = [
  ['{ a @skip(if: true) b }',                                      {},           ['b']],
  ['{ a @include(if: false) b @include(if: true) }',               {},           ['b']],
  ['{ a @skip(if: true) }',                                        {},           []],
  ['{ a @skip(if: true) a }',                                      {},           ['a']],
  ['{ a @skip(if: false) @include(if: false) b }',                 {},           ['b']],
  ['query ($v: Boolean!) { a @skip(if: $v) b @include(if: $v) }',  { v: true },  ['b']],
  ['query ($v: Boolean!) { a @skip(if: $v) b @include(if: $v) }',  { v: false }, ['a']],
  ['query ($v: Boolean! = true) { a @skip(if: $v) b }',            {},           ['b']],
  ['query ($v: Boolean! = true) { a @skip(if: $v) b }',            { v: false }, ['a', 'b']],
  ['{ ...f @skip(if: true) b } fragment f on Query { a }',         {},           ['b']],
  ['{ ...f @skip(if: true) ...f } fragment f on Query { a }',      {},           ['a']],
  ['{ ... @include(if: false) { a } ... { b @skip(if: false) } }', {},           ['b']],
]
for (const [query, variables, fields] of conditions) {
  const sent = JSON.stringify(variables)
  void t.test(`of ${query} with ${sent} the root fields are those that run`, async (t) => {
    const seen: unknown[] = []
    const send = clientFor({ admit: ({ rootFields }) => void seen.push(rootFields) })
    const response = await send({ json: { query, variables } })
    t.equal(response.status, 200)
    t.strictSame(seen, [fields])
    t.equal(Object.keys(response.json<{ data: object }>().data).length, fields.length)
  })
}

void t.test('admit is not asked for a request that GraphQL refuses', async (t) => {
  const send = clientFor({ admit: () => t.fail('it was asked') as never })
  for (const query of ['{', '{ nope }', 'subscription { a }']) await send({ json: { query } })
  t.pass()
})

void t.test('responseHeaders may give several lines, also for refusals', async (t) => {
  const send = clientFor({
    responseHeaders: ({ status }) => ({ 'X-Status': String(status), 'X-Two': ['1', '2'] }),
  })
  t.equal((await send({ json })).headers.get('x-two'), '1, 2')
  t.equal((await send({ method: 'PUT' })).headers.get('x-status'), '405')
})

// oxlint-disable-next-line unicorn/no-thenable -- it is what the row is about
const thenable = { then: (done: (value: unknown) => void) => void setTimeout(done, 1, 'c') }
const context: Options['context'] = async ({ head, principal }) => [head.raw, principal]

/** What the resolver of `a` returns: the context, a header, or what the root value has. */
// oxfmt-ignore
const resolved: readonly [title: string, options: Partial<Options>, a: unknown][] = [
  ['context makes the context value',     { authenticate: async () => success('me'), context, schema: schemaThat((_, __, made) => String(made)) }, 'raw,me'],
  ['a thenable of another kind is waited for', { context: () => thenable, schema: schemaThat((_, __, made) => made) }, 'c'],
  ['a header of any case, its lines joined', { schema: schemaThat((_, __, request) => (request as OperationRequest).header('X-ID')) }, '1, 2'],
  ['rootValue is the source of root fields',   { schema: buildSchema(sdl), rootValue: { a: 'root' } }, 'root'],
  ['rootValue may have functions',             { schema: buildSchema(sdl), rootValue: { a: () => 'called' } }, 'called'],
]
for (const [title, options, a] of resolved) {
  void t.test(title, async (t) => {
    const response = await clientFor(options)({ json, headers: { 'x-id': ['1', '2'] }, raw: 'raw' })
    t.strictSame(response.json(), { data: { a } })
  })
}

void t.test('the schema can depend on the request, also later', async (t) => {
  const one = schemaThat(() => 'one')
  const two = buildSchema('type Query { only: String }', { Query: { only: () => 'two' } })
  const later = Promise.resolve(two)
  const schema: Options['schema'] = ({ headers }) => (fieldValue(headers, 'x-two') ? later : one)
  const send = clientFor({ schema })
  const headers = { 'X-Two': 'yes' }
  for (let round = 0; round < 2; round++) {
    t.strictSame((await send({ json })).json(), { data: { a: 'one' } })
    t.equal((await send({ json, headers })).status, 422, 'a document is checked for each schema')
    const only = { query: '{ only }' }
    t.strictSame((await send({ json: only, headers })).json(), { data: { only: 'two' } })
    t.equal((await send({ json: only })).status, 422)
  }
})

void t.test('a function as schema gets the caller, and credentials are checked once', async (t) => {
  const schemas = { ada: schemaThat(() => 'of ada'), bob: schemaThat(() => 'of bob') }
  let checked = 0
  const options = defineOptions<{ readonly principal: 'ada' | 'bob' }>({
    authenticate({ headers }) {
      checked += 1
      const user = fieldValue(headers, 'x-user')
      return user === 'ada' || user === 'bob' ? success(user) : failure({ kind: 'forbidden' })
    },
    schema: (head, { head: own, principal }) => (head === own ? schemas[principal] : schemas.bob),
  })
  const { send, bugs } = clientOf({ ...options, batch: {} })
  const routes = [{ method: 'GET', path: '/a', operation: '{ a }' }] as const
  const sendToRoute = testClient(createRestHandler({ ...options, routes }))
  const { operations } = createEndpoint(options)
  const result = (user: string) => ({ data: { a: `of ${user}` } })
  for (const user of ['ada', 'bob'] as const) {
    const headers = { 'X-User': user }
    checked = 0
    t.strictSame((await send({ json, headers })).json(), result(user))
    t.strictSame((await send({ target: '/?query={a}', headers })).json(), result(user))
    t.strictSame((await send({ json: [json, json], headers })).json(), [result(user), result(user)])
    t.equal((await sendToRoute({ target: '/a', headers })).json(), `of ${user}`)
    t.equal(checked, 4)
    const head = { method: 'GET', target: '/', headers: ['X-User', user], raw: undefined }
    const sent: string[] = []
    const next = (text: string) => sent.push(text) > 0
    operations.start({ head, principal: user }, json, { next, complete() {}, error: next })
    t.strictSame(sent, [JSON.stringify(result(user))])
  }
  t.equal((await send({ json })).status, 403)
  t.strictSame(bugs, [])
})

void t.test('validationRules are applied beside those of the specification', async (t) => {
  const rule: graphql.ValidationRule = (validation) => ({
    Field({ name }) {
      if (name.value === 'b') validation.reportError(new graphql.GraphQLError('No b.'))
    },
  })
  const send = clientFor({ validationRules: [rule] })
  t.equal((await send({ json })).status, 200)
  t.match((await send({ json: { query: '{ b }' } })).json(), { errors: [{ message: 'No b.' }] })
  t.equal((await send({ json: { query: '{ nope }' } })).status, 422)
})

void t.test('execute has the signature of graphql-js, and its extensions arrive', async (t) => {
  const seen: unknown[] = []
  const execute: Options['execute'] = (args) => {
    seen.push(args.operationName, args.variableValues, args.rootValue, args.contextValue)
    return { data: { a: 1 }, extensions: { cost: 1 } }
  }
  const send = clientFor({ execute, rootValue: 'r', context: () => 'c' })
  const response = await send({ json: { query: 'query Q { a }', variables: { v: 1 } } })
  t.strictSame(response.json(), { data: { a: 1 }, extensions: { cost: 1 } })
  t.strictSame(seen, ['Q', { v: 1 }, 'r', 'c'])
})

void t.test('no executor runs resolvers with variables that cannot be coerced', async (t) => {
  const a = () => t.fail('ran')
  const schema = buildSchema('type Query { a(n: Int!): Int }', { Query: { a } })
  const query = 'query ($n: Int!) { a(n: $n) }'
  for (const execute of [undefined, graphql.execute as Options['execute']]) {
    const send = clientFor({ schema, execute })
    t.equal((await send({ json: { query, variables: { n: 'x' } } })).status, 422)
  }
})

void t.test('createHandler reports a schema of another copy of graphql', async (t) => {
  const foreign = graphql16.buildSchema('type Query { a: String }')
  if (foreign instanceof graphql.GraphQLSchema) return t.pass('this run has one copy only')
  const message =
    /different copy of graphql[^]*npm ls graphql[^]*createHandler\(\{ schema, graphql \}\)/
  t.throws(() => createHandler({ schema: foreign as never }), { name: 'SchemaError', message })
  return undefined
})

void t.test('what a schema function gives wrongly is a bug that says so', async (t) => {
  const { send, bugs } = clientOf({ schema: () => ({}) as never })
  t.equal((await send({ json })).status, 500)
  t.match(bugs, [{ name: 'SchemaError', message: /expected a GraphQLSchema, got an object/ }])
})

void t.test('an injected module replaces the imported one entirely', async (t) => {
  const schema = graphql16.buildSchema('type Query { a: String  b(n: Int!): Int }')
  const options = { schema, graphql: graphql16, rootValue: { a: 'x' } }
  const { ask } = clientOf(options as unknown as Options)
  t.strictSame((await ask('{ a }')).json(), { data: { a: 'x' } })
  t.equal((await ask('{ nope }')).status, 422)
  t.equal((await ask('{')).status, 400)
  t.equal((await ask('query ($n: Int!) { b(n: $n) }')).status, 422)
})

void t.test('createHandler reports an invalid schema, and a path with a query', async (t) => {
  const schema = graphql.buildASTSchema(graphql.parse('type A { a: Int }'), { assumeValid: false })
  t.throws(() => createHandler({ schema }), { message: /not valid[^]*Query root type/ })
  t.throws(() => createHandler({ schema: schemaThat(), path: '/graphql?x' }), { message: /path/ })
})

void t.test('an operation without its root type never executes', async (t) => {
  const send = clientFor({ schema: buildSchema('type Query { a: String }') })
  for (const query of ['mutation { a }', 'subscription { a }']) {
    const { status, body } = await send({ json: { query } })
    t.equal(status, 422)
    t.notMatch(body, '"data"')
  }
})

void t.test('a subscription is refused if the client accepts no stream', async (t) => {
  const schema = buildSchema('type Query { a: String } type Subscription { s: Int }')
  const send = clientFor({ schema })
  const headers = { Accept: 'text/event-stream;q=0, text/html' }
  t.equal((await send({ json: { query: 'subscription { s }' }, headers })).status, 406)
  // A rule of graphql 16 throws of it.
  const skipped = await send({ json: { query: 'subscription ($b: Boolean!) { s @skip(if: $b) }' } })
  t.equal(skipped.status, 422)
})

void t.test('headers that admit sets are on its denial too', async (t) => {
  const send = clientFor({
    admit: ({ responseHeaders }) => (responseHeaders.set('X-Rate', '0'), { kind: 'forbidden' }),
  })
  t.equal((await send({ json })).headers.get('x-rate'), '0')
})

void t.test('the headers that all answers share cannot be changed', async (t) => {
  const handler = createHandler({ schema: schemaThat() })
  const head = { method: 'GET', target: '/?query=%7Ba%7D', headers: [], raw: undefined }
  const reply = handler(head) as HttpResponse
  t.throws(() => (reply.headers as string[]).push('X-Leak', '1'), TypeError)
})

void t.test('a set that fails keeps the value from before', async (t) => {
  const schema = schemaThat((_, __, request) => {
    const { responseHeaders } = request as OperationRequest
    responseHeaders.set('X-A', 'kept')
    try {
      responseHeaders.set('X-A', 'bad\n')
    } catch {
      return 'threw'
    }
    return 'took it'
  })
  const response = await clientFor({ schema })({ json })
  t.equal(response.headers.get('x-a'), 'kept')
  t.strictSame(response.json(), { data: { a: 'threw' } })
})

// oxfmt-ignore
const refusals: readonly [status: number, request: TestRequest][] = [
  [405, { method: 'PUT' }],
  [404, { target: '/elsewhere', json }],
  [406, { headers: { Accept: 'text/csv' }, json }],
  [415, { headers: { 'Content-Type': 'text/plain' }, body: '{' }],
]

void t.test('credentialsFirst reports a bad credential before other errors', async (t) => {
  const deny = () => failure<Denial>({ kind: 'unauthenticated', challenge: 'Bearer' })
  const ask = (credentialsFirst: boolean, authenticate: NonNullable<Options['authenticate']>) =>
    clientFor({ path: '/graphql', credentialsFirst, authenticate })
  for (const [status, request] of refusals) {
    t.equal((await ask(true, deny)(request)).status, 401)
    t.equal((await ask(false, deny)(request)).status, status)
    const known = await ask(true, () => success(undefined))(request)
    t.equal(known.status, status, 'with a valid one the status is that of the rest')
  }
  t.equal((await ask(true, deny)({ method: 'OPTIONS' })).status, 204, 'it brings no credentials')
})
