import { createHash } from 'node:crypto'
import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import { compiledExecution } from '../../../src/compiled/index.js'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import { createHandler, success, type OperationRequest, type Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../client-of.js'

const sdl = `
  directive @cacheControl(maxAge: Int, scope: CacheControlScope) on FIELD_DEFINITION
  enum CacheControlScope { PUBLIC PRIVATE }
  type Query {
    plain: String
    a: String @cacheControl(maxAge: 60)
    open: String @cacheControl(maxAge: 60, scope: PUBLIC)
    mine: String @cacheControl(maxAge: 60, scope: PRIVATE)
    fail: String @cacheControl(maxAge: 60)
    later: String @cacheControl(maxAge: 60)
  }
  type Mutation { m: String @cacheControl(maxAge: 60) }
`

const sixteen = graphql16 as unknown as typeof graphql
/** Both majors, and the compiled executor, which writes text from the first use on. */
const executors = (
  [
    ['graphql 17', graphql, {}],
    ['graphql 16', sixteen, {}],
    ['compiled', graphql, { execution: compiledExecution({ afterUses: 0 }) }],
  ] as const
).map(([name, module, options]) => {
  const schema = module.buildSchema(sdl)
  return { name, options: { ...options, schema, graphql: module } }
})

type Resolve = (request: OperationRequest) => void

function rootValue(resolve: Resolve = () => {}): object {
  const value = (_: unknown, request: OperationRequest): string => (resolve(request), 'x')
  const later = async (...given: Parameters<typeof value>) =>
    Promise.resolve().then(() => value(...given))
  const fail = thrower(new Error('secret'))
  return { plain: value, a: value, open: value, mine: value, m: value, later, fail }
}

const get = (query: string, headers: TestRequest['headers'] = {}): TestRequest => ({
  target: `/?query=${encodeURIComponent(query)}`,
  headers,
})
const send = (method: string, query: string, headers = {}) => ({ method, json: { query }, headers })

const both: Partial<Options> = { etag: true, cacheHints: true }
const authorization = { Authorization: 'Bearer x' }
const cookie = { Cookie: 'a=1' }
const authenticate: Options['authenticate'] = () => success('me')
const byCaller = 'Accept, Authorization, Cookie'
const from = { Origin: 'https://a.example' }
const cors = { origins: [from.Origin] }
const hintOften: Resolve = (request) => {
  request.cacheHint({ maxAge: 5 })
  request.cacheHint({ maxAge: 7, scope: 'PRIVATE' })
  request.cacheHint({ scope: 'PUBLIC' })
  request.cacheHint({})
}

interface More {
  readonly options?: Partial<Options>
  readonly resolve?: Resolve
  readonly status?: number
  readonly vary?: string
}

/** `control` is the value of Cache-Control. */
type Row = readonly [title: string, request: TestRequest, control: string | null, more?: More]

// oxfmt-ignore
const rows: readonly Row[] = [
  // Who asks, and what the schema says.
  ['a lifetime',               get('{a}'),      'max-age=60, private', { vary: byCaller }],
  ['nothing said',             get('{plain}'),  'no-cache'],
  ['PUBLIC',                   get('{open}'),   'max-age=60, public',  { vary: 'Accept' }],
  ['PRIVATE',                  get('{mine}'),   'max-age=60, private', { vary: byCaller }],
  ['PUBLIC beside a lifetime', get('{open a}'), 'max-age=60, private', { vary: byCaller }],
  ...[authorization, cookie].flatMap((headers): Row[] => {
    const how = `with ${Object.keys(headers).join()}`
    return [
      [`a lifetime, ${how}`,   get('{a}', headers),     'max-age=60, private', { vary: byCaller }],
      [`PUBLIC, ${how}`,       get('{open}', headers),  'max-age=60, public',  { vary: 'Accept' }],
      [`nothing said, ${how}`, get('{plain}', headers), 'private, no-cache'],
    ]
  }),
  ...(
    [['authenticate', { authenticate }], ['admit', { admit: () => undefined }], ['around', { around: (_, proceed) => proceed() }], ['context', { context: (request) => request }]] satisfies [string, Partial<Options>][]
  ).flatMap(([name, options]): Row[] => [
    [`a lifetime, with ${name}`,   get('{a}'),     'max-age=60, private', { options, vary: byCaller }],
    [`PUBLIC, with ${name}`,       get('{open}'),  'max-age=60, public',  { options, vary: 'Accept' }],
    [`nothing said, with ${name}`, get('{plain}'), 'private, no-cache',   { options }],
  ]),
  // Methods.
  ['HEAD',                 { ...get('{a}'), method: 'HEAD' },               'max-age=60, private', { vary: byCaller }],
  ['QUERY',                send('QUERY', '{a}'),                            'max-age=60, private', { vary: byCaller }],
  ['POST',                 send('POST', '{a}'),                             null,                  { vary: 'Accept' }],
  ['a mutation',           send('POST', 'mutation {m}'),                    'no-store',            { vary: 'Accept' }],
  // Failures.
  ['a field error',        get('{a fail}'),                                 'no-store',            { status: 294, vary: 'Accept' }],
  ['a field error as 200', get('{a fail}', { Accept: 'application/json' }), 'no-store'],
  ['a field error by partialSuccessStatus', get('{a fail}'), 'no-store', { options: { partialSuccessStatus: 200 } }],
  ['an invalid query',     get('{zz}'),                                     'no-store',            { status: 422 }],
  // Encodings.
  ['application/json',     get('{a}', { Accept: 'application/json' }),      'max-age=60, private'],
  ['events',               get('{a}', { Accept: 'text/event-stream' }),     'no-store, no-transform'],
  // Hints of resolvers.
  ['a hint shortens',      get('{a}'),                                      'max-age=5, private',  { resolve: (request) => request.cacheHint({ maxAge: 5 }) }],
  ['a hint of a late resolver shortens', get('{later}'), 'max-age=5, private', { resolve: (request) => request.cacheHint({ maxAge: 5 }) }],
  ['a hint does not lengthen', get('{a}'), 'max-age=60, private', { resolve: (request) => request.cacheHint({ maxAge: 500 }) }],
  ['a hint gives no lifetime', get('{plain}'), 'no-cache', { resolve: (request) => request.cacheHint({ maxAge: 500 }) }],
  ['a hint of 0',          get('{a}'),                                      'no-cache',            { resolve: (request) => request.cacheHint({ maxAge: 0 }) }],
  ['a hint of PRIVATE', get('{open}'), 'max-age=60, private', { resolve: (request) => request.cacheHint({ scope: 'PRIVATE' }), vary: byCaller }],
  ['a hint of PUBLIC does not open', get('{mine}'), 'max-age=60, private', { resolve: (request) => request.cacheHint({ scope: 'PUBLIC' }) }],
  ['several hints',        get('{open}'),   'max-age=5, private', { resolve: hintOften }],
  ['a hint that is wrong',   get('{a}'),    'no-store', { resolve: (request) => request.cacheHint({ maxAge: -1 }), status: 294 }],
  // Layers.
  ['a resolver decides',     get('{a}'),    'private',  { resolve: ({ responseHeaders }) => responseHeaders.set('Cache-Control', 'private'), vary: byCaller }],
  ['a cookie of a resolver', get('{open}'), 'no-store', { resolve: ({ responseHeaders }) => responseHeaders.set('Set-Cookie', 'a=1') }],
  ['responseHeaders decides', get('{a}'), 'public', { options: { responseHeaders: () => ({ 'Cache-Control': 'public', Vary: 'X' }) }, vary: `${byCaller}, X` }],
  ['onResult decides', get('{a}'), 'max-age=2', { options: { onResult: (_, { headers }) => headers.set('Cache-Control', 'max-age=2') } }],
  ['one origin', get('{open}', from), 'max-age=60, public', { options: { cors }, vary: 'Accept, Origin' }],
  // Only as options.
  ['hints without the option', get('{a}'), 'no-cache', { options: { cacheHints: false }, vary: 'Accept' }],
  ['hints of resolvers without the option', get('{a}'), 'no-cache', { options: { cacheHints: false }, resolve: hintOften }],
]

for (const { name, options: base } of executors) {
  for (const [title, request, control, more = {}] of rows) {
    void t.test(`${name}: ${title}`, async (t) => {
      const { options, resolve, status = 200, vary } = more
      const given = { ...base, rootValue: rootValue(resolve), cacheHints: true, ...options }
      const response = await clientOf(given).send(request)
      t.equal(response.status, status, response.body)
      t.equal(response.headers.get('cache-control'), control)
      if (vary !== undefined) t.equal(response.headers.get('vary'), vary)
      t.equal(response.headers.get('etag'), null)
    })
  }
}

/** The tag of a body, which is a promise to clients of the same type only. */
function tagOf(body: string, type = 'graphql'): string {
  return `"${type}.${createHash('sha256').update(body).digest('base64')}"`
}

const known = tagOf('{"data":{"a":"x"}}')

/** The default of `etag` is the tag of the body. */
// oxfmt-ignore
type TagRow = readonly [title: string, request: TestRequest, status: number, etag?: string | null, more?: More]

const match = (field: string, query = '{a}'): TestRequest => get(query, { 'If-None-Match': field })

// oxfmt-ignore
const tagRows: readonly TagRow[] = [
  ['GET',                             get('{a}'),                                                200],
  ['HEAD',                            { ...get('{a}'), method: 'HEAD' },                         200, known],
  ['QUERY',                           send('QUERY', '{a}'),                                      200],
  ['POST',                            send('POST', '{a}'),                                       200, null],
  ['a mutation',                      send('POST', 'mutation {m}'),                              200, null],
  ['a field error',                   get('{a fail}'),                                           294, null],
  ['a field error as 200',            get('{a fail}', { Accept: 'application/json' }),           200, null],
  ['an invalid query',                get('{zz}'),                                               422, null],
  ['events',                          get('{a}', { Accept: 'text/event-stream' }),               200, null],
  ['application/json',                get('{a}', { Accept: 'application/json' }),                200, tagOf('{"data":{"a":"x"}}', 'json')],
  ['the tag by QUERY',                send('QUERY', '{a}', { 'If-None-Match': known }),          304, known],
  ['the tag of a late response',      match(tagOf('{"data":{"later":"x"}}'), '{later}'),         304, tagOf('{"data":{"later":"x"}}')],
  ['any, for a field error',          match('*', '{a fail}'),                                    294, null],
  ['the tag of another query',        match(known, '{open}'),                                    200],
  ['a tag of a resolver',             match('*'),                                                200, '"1"', { resolve: ({ responseHeaders }) => responseHeaders.set('ETag', '"1"') }],
  ['a tag of responseHeaders',        get('{a}'),                                                200, '"2"', { options: { responseHeaders: () => ({ ETag: '"2"' }) } }],
  ['any, without the option',         match('*'),                                                200, null, { options: { etag: false } }],
]

for (const { name, options: base } of executors) {
  for (const [title, request, status, etag, { options, resolve } = {}] of tagRows) {
    void t.test(`${name}, ETag: ${title}`, async (t) => {
      const given = { ...base, rootValue: rootValue(resolve), etag: true, ...options }
      const response = await clientOf(given).send(request)
      t.equal(response.status, status, response.body)
      t.equal(response.headers.get('etag'), etag === undefined ? tagOf(response.body) : etag)
      if (status === 304) {
        t.equal(response.body, '')
        t.equal(response.headers.get('content-type'), null)
      }
    })
  }
}

void t.test('a 304 has the headers of its 200, but those of its content', async (t) => {
  const { send: client } = clientOf({
    ...executors[0]!.options,
    rootValue: rootValue(({ responseHeaders }) => {
      responseHeaders.set('Expires', 'Wed, 01 Jan 2120 00:00:00 GMT')
      responseHeaders.set('X-Mine', '1')
    }),
    cors,
    responseHeaders: ({ status }) => ({ 'X-Status': String(status) }),
    ...both,
  })
  const full = await client(get('{a}', from))
  const etag = full.headers.get('etag') ?? ''
  const same = await client(get('{a}', { ...from, 'If-None-Match': etag }))
  t.equal(same.status, 304)
  const { 'content-type': type, ...rest } = Object.fromEntries(full.headers)
  t.match(type, 'application/graphql-response+json')
  t.strictSame(Object.fromEntries(same.headers), { ...rest, 'x-status': '304' })
})

void t.test('onResult sees a 304 and its operation', async (t) => {
  const seen: unknown[] = []
  const onResult: Options['onResult'] = (_, { status, operationType, size, hasData }) =>
    void seen.push({ status, operationType, size, hasData })
  const options = { ...executors[0]!.options, rootValue: rootValue(), onResult, ...both }
  await clientOf(options).send(match('*'))
  t.strictSame(seen, [{ status: 304, operationType: 'query', size: 0, hasData: true }])
})

/* oxfmt-ignore */
for (const [hint, message] of [
  [{ maxAge: -1 },         'cacheHint: maxAge: expected a whole number from 0 to 2147483647 or undefined, got -1.'],
  [{ maxAge: 1.5 },        /maxAge/],
  [{ maxAge: '60' },       /maxAge/],
  [{ maxage: 1 },          'Did you mean "maxAge"?'],
  [{ scope: 'private' },   /scope: expected "PUBLIC", "PRIVATE"/],
  [60,                     /cacheHint: expected/],
] as const) {
  void t.test(`cacheHint(${JSON.stringify(hint)}) is a TypeError`, async (t) => {
    const { send: client, bugs } = clientOf({
      ...executors[0]!.options,
      rootValue: rootValue((request) => request.cacheHint(hint as never)),
      ...both,
    })
    t.equal((await client(get('{a}'))).status, 294)
    t.match(bugs, [{ name: 'TypeError', message }])
  })
}

interface InfoOfApollo extends graphql.GraphQLResolveInfo {
  readonly cacheControl?: { setCacheHint(hint: object): void }
}
type ResolveOfApollo = (_: unknown, args: unknown, context: unknown, info: InfoOfApollo) => unknown

// oxfmt-ignore
const ofApollo: readonly [resolve: ResolveOfApollo, isRefused: boolean][] = [
  [(_, _args, _context, info) => info.cacheControl!.setCacheHint({ maxAge: 5 }),        true],
  [(_, _args, _context, info) => info.cacheControl?.setCacheHint({ maxAge: 5 }),        true],
  [(_, _args, _context, { cacheControl }) => cacheControl?.setCacheHint({ maxAge: 5 }), true],
  [(_, _args, _context, info) => /* no setCacheHint */ info.cacheControl === undefined, false],
]
for (const [resolve, isRefused] of ofApollo) {
  void t.test(`a hint as on Apollo Server: ${String(resolve)}`, async (t) => {
    const message =
      /the resolver of Query\.a calls info\.cacheControl\.setCacheHint.* call request\.cacheHint\(/
    const field = { type: graphql.GraphQLInt, resolve: resolve as () => unknown }
    const query = new graphql.GraphQLObjectType({ name: 'Query', fields: { a: field } })
    const made = new graphql.GraphQLSchema({ query })
    await clientOf({ schema: made }).send(get('{a}')) // wraps its resolvers
    const { send: client, bugs } = clientOf({ schema: () => made, ...both })
    await client(get('{__typename}'))
    const create = (): unknown => createHandler({ schema: made, ...both })
    if (isRefused) {
      t.throws(create, { name: 'SchemaError', message })
      t.match(bugs, [{ name: 'SchemaError', message }])
    } else {
      t.doesNotThrow(create)
      t.strictSame(bugs, [])
    }
  })
}

void t.test('without node:crypto, Web Crypto makes the same tag, a little later', async (t) => {
  const { getBuiltinModule } = process
  t.teardown(() => Object.assign(process, { getBuiltinModule }))
  Object.assign(process, { getBuiltinModule: undefined })
  const handler = createHandler({ ...executors[0]!.options, rootValue: rootValue(), ...both })
  const head = { method: 'GET', target: '/?query={a}', headers: [], raw: undefined }
  t.type(handler(head), Promise)
  for (const field of ['"a"', known]) {
    const response = await testClient(handler)(match(field))
    t.equal(response.status, field === known ? 304 : 200)
    t.equal(response.headers.get('etag'), known)
  }
})
