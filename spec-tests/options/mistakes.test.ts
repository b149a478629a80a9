import * as graphql16 from 'graphql-16'
import * as graphql from 'graphql'
import t from 'tap'
import { limitRows, reportableLimits } from '../../src/graphql/limits/limits.js'
import { requestRows } from '../../src/options/numeric-options.js'
import { runConformance } from '../../src/conformance/index.js'
import { toFetch } from '../../src/hosts/fetch.js'
import { connectionRows, listenRows } from '../../src/hosts/node/connection/connection-options.js'
import {
  createHostServer,
  listen,
  serve,
  toNodeListener,
  toNodeResponder,
  untilSignal,
} from '../../src/hosts/node/index.js'
import { testClient } from '../../src/hosts/testing.js'
import type { NumberRow } from '../../src/shapes/number-row.js'
import { thrower } from '../base/thrower.js'
import { createApiDescription, createRestHandler } from '@graphwire/rest'
import { buildSchema, createHandler, defineExtension, failure } from '../../src/index.js'

const schema = buildSchema('type Query { a: String }')
const route = { method: 'GET', path: '/a', operation: '{ a }' }
const info = { title: 'a', version: '1' }
const site = 'https://a.example'

type Row = readonly [options: unknown, message: string | RegExp]

const { maxCost: _, clientShare: __, ...wholeNumbers } = { ...requestRows, ...limitRows }

// oxfmt-ignore
const hooks = ['context', 'execute', 'formatError', 'onBug', 'authenticate', 'admit', 'around', 'responseHeaders', 'onLimit', 'createId']

/** What no browser sends as an origin. */
// oxfmt-ignore
const noOrigins = [
  'https://a.example/x', 'https://b.example/', 'app.example', 'https://App.example', '*', 'https://*.example',
  'https://a.example:443', 'http://a.example:80', 'https://user@a.example', 'https://a.example,https://b.example',
]

// oxfmt-ignore
const ofHandler: readonly Row[] = [
  [{ maxDepht: 3 },                            'maxDepht is not an option. Did you mean "maxDepth"?'],
  [{ maxdepth: 3 },                            'maxdepth is not an option. Did you mean "maxDepth"?'],
  [{ onbug() {} },                             'onbug is not an option. Did you mean "onBug"?'],
  [{ entirelyOther: 3 },                       'entirelyOther is not an option.'],
  [{ constructor: 3 },                         'constructor is not an option.'],
  [{ maxDepht: undefined },                    'maxDepht is not an option. Did you mean "maxDepth"?'],
  [{ cors: true },                             'cors: expected an object such as { origins: [...] }, or undefined, got true.'],
  [{ cors: null },                             'cors: expected an object such as { origins: [...] }, or undefined, got null.'],
  [{ cors: ['https://a.example'] },            'cors: expected an object such as { origins: [...] }, or undefined, got a list.'],
  [{ cors: {} },                               'cors.origins: expected "*" or a list of origins, or a function, got undefined.'],
  [{ cors: { origin: '*' } },                  'cors.origin is not an option. Did you mean "origins"?'],
  [{ cors: { origins: 'https://a.example' } }, 'cors.origins: expected "*" or a list of origins, or a function, got "https://a.example".'],
  ...noOrigins.map((origin): Row =>
    [{ cors: { origins: [site, origin] } }, `cors.origins[1]: expected an origin such as "https://example.com", or a regular expression, got "${origin}".`]),
  [{ cors: { origins: [undefined] } },             'cors.origins[0]: expected an origin such as "https://example.com", or a regular expression, got undefined.'],
  [{ cors: { origins: '*', credentials: 'yes' } }, 'cors.credentials: expected a boolean or undefined, got "yes".'],
  [{ cors: { origins: '*', credentials: true } },  'cors.credentials requires a list of origins, but origins is "*".'],
  [{ cors: { origins: '*', maxAge: '5' } },        'cors.maxAge: expected a whole number of at least 0 or undefined, got "5".'],
  ...[0.5, -1, Number.NaN, Infinity].map((maxAge): Row =>
    [{ cors: { origins: '*', maxAge } }, `cors.maxAge: expected a whole number of at least 0 or undefined, got ${maxAge}.`]),
  [{ cors: { origins: '*', allowedHeaders: 'x-a' } },        'cors.allowedHeaders: expected a list of header names or undefined, got "x-a".'],
  [{ cors: { origins: '*', allowedHeaders: ['x-a, x-b'] } }, 'cors.allowedHeaders[0]: expected a header name such as "x-mine", got "x-a, x-b".'],
  [{ cors: { origins: '*', exposedHeaders: [5] } },          'cors.exposedHeaders[0]: expected a header name such as "x-mine", got 5.'],
  [{ reportOnly: true },                                     `reportOnly: expected "all" or a list of limits, or undefined, got true.`],
  [{ reportOnly: ['maxCots'] },    `reportOnly[0]: expected one of "${reportableLimits.join('", "')}", got "maxCots". Did you mean "maxCost"?`],
  [{ reportOnly: ['maxNesting'] }, /^reportOnly\[0\]: expected one of .*, got "maxNesting"\. maxNesting is always enforced\.$/],
  [{ maxDepth: '3' },              'maxDepth: expected a whole number of at least 0, or Infinity, or undefined, got "3".'],
  [{ maxDepth: null },             'maxDepth: expected a whole number of at least 0, or Infinity, or undefined, got null.'],
  [{ maxNesting: 257 },            'maxNesting: expected a whole number from 0 to 256 or undefined, got 257.'],
  [{ maxJsonNesting: 5n },         'maxJsonNesting: expected a whole number from 1 to 512 or undefined, got 5n.'],
  ...Object.keys(wholeNumbers).map((name): Row => [{ [name]: 1.5 }, new RegExp(`^${name}: expected a whole number .* got 1\\.5\\.$`)]),
  [{ maxDepth: NaN },                'maxDepth: expected a whole number of at least 0, or Infinity, or undefined, got NaN.'],
  [{ documentCacheBytes: Infinity }, 'documentCacheBytes: expected a whole number of at least 0 or undefined, got Infinity.'],
  [{ path: 'graphql' },              'path: expected an absolute path as clients send it, without a query, such as "/graphql", or undefined, got "graphql".'],
  [{ path: '/é' },                   'path: expected an absolute path as clients send it, without a query, such as "/graphql", or undefined, got "/é".'],
  [{ path: '/a/../b' },              'path: expected an absolute path as clients send it, without a query, such as "/graphql", or undefined, got "/a/../b".'],
  [{ path: 'x'.repeat(1_000) },      `path: expected an absolute path as clients send it, without a query, such as "/graphql", or undefined, got "${'x'.repeat(40)}...".`],
  [{ edition: '2026-9' },            'edition: expected "2026-09", "2025-05" or undefined, got "2026-9". Did you mean "2026-09"?'],
  [{ partialSuccessStatus: 206 },    'partialSuccessStatus: expected 294, 200 or undefined, got 206.'],
  [{ getHeaders: 'x-mine' },         'getHeaders: expected a list of header names or undefined, got "x-mine".'],
  ...['a b', '', 'x-mine:', 'x\nmine', 'größe'].map((name): Row =>
    [{ getHeaders: ['x-mine', name] }, `getHeaders[1]: expected a header name such as "x-mine", got ${JSON.stringify(name)}.`]),
  [{ costSizeArguments: [null] },                     'costSizeArguments[0]: expected the name of an argument such as "first", got null.'],
  [{ costSizeArguments: ['page.first'] },             'costSizeArguments[0]: expected the name of an argument such as "first", got "page.first".'],
  [{ decoders: { gzip: 'x' } },                       'decoders.gzip: expected a function or undefined, got "x".'],
  ...['GZIP', 'identity', '', 'gzip,br'].map((name): Row =>
    [{ decoders: { [name]: () => undefined } }, `decoders: the member "${name}" must be the name of a coding in lower case, such as "gzip".`]),
  [{ decoders: true },                                'decoders: expected an object such as { gzip: decoders.gzip }, or undefined, got true.'],
  [{ validationRules: {} },                           'validationRules: expected a list of validation rules or undefined, got an object.'],
  [{ validationRules: ['x'] },                        'validationRules[0]: expected a function, got "x".'],
  [{ graphql: {} }, "graphql: expected the module that `import * as graphql from 'graphql'` gives or undefined, got an object."],
  ...hooks.flatMap((name): Row[] => [
    [{ [name]: {} }, `${name}: expected a function or undefined, got an object.`],
    [{ [name]: { toJSON: () => 'secret' } }, `${name}: expected a function or undefined, got an object.`],
  ]),
  ...['introspection', 'suggestions', 'maskErrors', 'credentialsFirst', 'get'].flatMap((name): Row[] => [
    [{ [name]: 'false' }, `${name}: expected a boolean or undefined, got "false".`],
    [{ [name]: () => true }, `${name}: expected a boolean or undefined, got a function.`],
  ]),
]

// oxfmt-ignore
const ofSchema: readonly Row[] = [
  [{ schema: undefined },               'schema: expected a GraphQLSchema, got undefined.'],
  [{ schema: null },                    'schema: expected a GraphQLSchema, got null.'],
  [{ schema: {} },                      'schema: expected a GraphQLSchema, got an object.'],
  [{ schema: 'type Query { a: Int }' }, 'schema: expected a GraphQLSchema, got a string. Build one from SDL with buildSchema(sdl, resolvers).'],
  [{ schema: Promise.resolve() }, 'schema: expected a GraphQLSchema, got a Promise. Await it, or pass a function that returns it: schema: () => promise.'],
]

const ofEverything = (example: string): readonly Row[] => [
  [undefined, `expected an object such as ${example}, got undefined.`],
  [null, `expected an object such as ${example}, got null.`],
  ['x', `expected an object such as ${example}, got "x".`],
  [schema, `expected an object such as ${example}, got a GraphQLSchema.`],
  [() => ({ schema }), `expected an object such as ${example}, got a function.`],
  [Promise.resolve({ schema }), `expected an object such as ${example}, got a Promise.`],
  [[], `expected an object such as ${example}, got an empty list.`],
]

// oxfmt-ignore
const ofHost: readonly Row[] = [
  [{ onbug() {} },    'onbug is not an option. Did you mean "onBug"?'],
  [{ onBug: true },   'onBug: expected a function or undefined, got true.'],
  [{ createId: 'x' }, 'createId: expected a function or undefined, got "x".'],
]

// oxfmt-ignore
const ofNodeHost: readonly Row[] = [
  ...ofHost,
  [{ sendTimeuot: 5 },             'sendTimeuot is not an option. Did you mean "sendTimeout"?'],
  [{ sendTimeout: 0 },             'sendTimeout: expected a whole number from 1 to 2147483647 or undefined, got 0.'],
  [{ lingerBytes: 1.5 },           'lingerBytes: expected a whole number of at least 0 or undefined, got 1.5.'],
  [{ lingerTimeout: -1 },          'lingerTimeout: expected a whole number from 0 to 2147483647 or undefined, got -1.'],
  [{ maxBufferedBytes: Infinity }, 'maxBufferedBytes: expected a whole number of at least 0 or undefined, got Infinity.'],
]

// oxfmt-ignore
const ofConnections: readonly Row[] = [
  ...ofNodeHost,
  [{ maxSocket: 5 },          'maxSocket is not an option. Did you mean "maxSockets"?'],
  [{ ready: true },           'ready: expected a function or undefined, got true.'],
  [{ livePath: true },        'livePath: expected false or an absolute path as clients send it, without a query, such as "/graphql", or undefined, got true.'],
  [{ readyPath: '/livez' },   'readyPath and livePath must differ, both are "/livez".'],
  [{ requestTimeout: 4_000 }, 'headersTimeout: 5000 exceeds requestTimeout (4000).'],
]

// oxfmt-ignore
const ofListen: readonly Row[] = [
  ...ofConnections,
  [{ port: '80' },    'port: expected a whole number from 0 to 65535 or undefined, got "80".'],
  [{ hostname: 'x' }, 'hostname is not an option.'],
  [{ host: 5 },       'host: expected a string or undefined, got 5.'],
  [{ backlog: 0 },    'backlog: expected a whole number from 1 to 2147483647 or undefined, got 0.'],
  ...Object.entries<NumberRow>({ ...listenRows, ...connectionRows }).flatMap(([name, { least = 0, most = Infinity }]) =>
    [least - 1, most + 1, least + 0.5, NaN].map((value): Row => [{ [name]: value }, new RegExp(`^${name}: expected a`)]),
  ),
]

// oxfmt-ignore
const ofRoutes: readonly Row[] = [
  [{ routes: undefined },                                           'routes: expected a list of at least one route, got undefined.'],
  [{ routes: {} },                                                  'routes: expected a list of at least one route, got an object.'],
  [{ routes: [] },                                                  'routes: expected a list of at least one route, got an empty list.'],
  [{ routes: [null] },                                              'routes[0]: expected an object such as { method, path, operation }, got null.'],
  [{ routes: [route, { ...route, sumary: 'x' }] },                  'routes[1].sumary is not an option. Did you mean "summary"?'],
  [{ routes: [{ ...route, method: 'HEAD' }] },                      'routes[0].method: expected one of "GET", "POST", "PUT", "PATCH", "DELETE", got "HEAD".'],
  [{ routes: [{ method: 'GET', path: '/x' }] },                     'routes[0].operation: expected a string, got undefined.'],
  [{ routes: [{ ...route, status: 203 }] },                         'routes[0].status: expected 200, 201, 202, 204 or undefined, got 203.'],
  [{ routes: [{ ...route, headers: {} }] },                         'routes[0].headers: expected a function or undefined, got an object.'],
  [{ routes: [{ ...route, tags: 'x' }] },                           'routes[0].tags: expected a list of names or undefined, got "x".'],
  [{ routes: [{ ...route, parameters: { a: { minimun: 1 } } }] },   'routes[0].parameters.a.minimun is not an option. Did you mean "minimum"?'],
  [{ routes: [{ ...route, parameters: { a: { minimum: '1' } } }] }, 'routes[0].parameters.a.minimum: expected a finite number or undefined, got "1".'],
  [{ routes: [{ ...route, parameters: { a: { minimum: 1 / 0 } } }] }, 'routes[0].parameters.a.minimum: expected a finite number or undefined, got Infinity.'],
]

// oxfmt-ignore
const ofRest: readonly Row[] = [
  ...ofRoutes,
  [{ maxDepht: 3 },              'maxDepht is not an option. Did you mean "maxDepth"?'],
  [{ path: '/graphql' },         'path is not an option.'],
  [{ authorize: true },          'authorize: expected a function or undefined, got true.'],
  [{ methodOverride: 'yes' },    'methodOverride: expected a boolean or undefined, got "yes".'],
  [{ problemBase: 5 },           'problemBase: expected a string or undefined, got 5.'],
  [{ statusOfCode: { X: 200 } }, 'statusOfCode.X: expected a whole number from 400 to 599 or undefined, got 200.'],
  [{ challenge: 'a\nb' },        'challenge: expected a value of WWW-Authenticate such as "Bearer", or undefined, got "a\\nb".'],
]

// oxfmt-ignore
const ofDescription: readonly Row[] = [
  ...ofRoutes,
  [{ infos: {} },              'infos is not an option. Did you mean "info"?'],
  [{ info: undefined },        'info: expected an object such as { title, version }, got undefined.'],
  [{ info: { title: 'x' } },   'info.version: expected a string, got undefined.'],
  [{ servers: 'x' },           'servers: expected a list of servers or undefined, got "x".'],
  [{ servers: [{}] },          'servers[0].url: expected a string, got undefined.'],
  [{ security: [] },           'security: expected a function or undefined, got an empty list.'],
  [{ scalars: { Date: 'x' } }, 'scalars.Date: expected an object such as that of OpenAPI, or undefined, got "x".'],
]

// oxfmt-ignore
const ofTest: readonly Row[] = [
  [{ jsno: {} },                'jsno is not an option. Did you mean "json"?'],
  [{ headers: { 'x-a': 5 } },   'headers.x-a: expected a string or a list of strings, or undefined, got 5.'],
  [{ headers: { 'x-a': [5] } }, 'headers.x-a[0]: expected a string, got 5.'],
  [{ body: {} },                'body: expected a string or bytes, or undefined, got an object.'],
]

const url = 'http://127.0.0.1:1/graphql'
// oxfmt-ignore
const ofConformance: readonly Row[] = [
  [{ suite: ['core'] },              'suite is not an option. Did you mean "suites"?'],
  [{ suites: 'core' },               'suites: expected a list of names or undefined, got "core".'],
  [{ url: 5 },                       'url: expected a string, got a number.'],
  [{ headers: 'Bearer secret' },     'headers: expected a list of header lines or undefined, got a string.'],
  [{ headers: [['Authorization']] }, "headers[0]: expected a name and a value, such as ['Authorization', 'Bearer ...'], got a list."],
  [{ headers: ['Bearer secret'] },   "headers[0]: expected a name and a value, such as ['Authorization', 'Bearer ...'], got a string."],
  [{ edition: '2026' },              'edition: expected "2024-01", "2025-05", "2026-04", "2026-09", "next" or undefined, got "2026".'],
  [{ concurrency: 0 },               'concurrency: expected a whole number from 1 to 1000 or undefined, got 0.'],
  [{ knownFailures: {} },            'knownFailures: expected a Map of reasons by the id of the case or undefined, got an object.'],
  [{ signal: {} },                   'signal: expected an AbortSignal or undefined, got an object.'],
]

// oxfmt-ignore
const ofSignal: readonly Row[] = [
  [{ onHangUp() {} },   'onHangUp is not an option. Did you mean "onHangup"?'],
  [{ secondCode: 256 }, 'secondCode: expected a whole number from 0 to 255 or undefined, got 256.'],
]

// oxfmt-ignore
const ofClose: readonly Row[] = [
  [{ garce: 5 },  'garce is not an option. Did you mean "grace"?'],
  [{ delay: -1 }, 'delay: expected a whole number from 0 to 2147483647 or undefined, got -1.'],
]

// oxfmt-ignore
const ofHealth: Row = [{ path: '/livez' }, 'path: /livez is already a health check; change livePath or readyPath.']

const listener = (): void => {}
const served = createHandler({ schema })
const ofServe = [...ofHandler, ...ofSchema, ...ofListen, ofHealth]
const described = { schema, routes: [route], info }

type Take = (options: never) => unknown

/** The functions, the options that make a row complete, undefined where there may be none, and an example of them. */
// oxfmt-ignore
const takers: readonly [caller: string, take: Take, beside: object | undefined, example: string, rows: readonly Row[]][] = [
  ['createHandler',           createHandler,                                          { schema }, '{ schema }',               [...ofHandler, ...ofSchema]],
  ['serve',                   serve,                                                  { schema }, '{ schema }',               ofServe],
  ['createRestHandler',       createRestHandler,                                      { schema, routes: [route] }, '{ schema, routes }',       ofRest],
  ['createApiDescription',    createApiDescription,                                   described,  '{ schema, routes, info }', ofDescription],
  ['listen',                  (options) => listen(listener, options),                 undefined,  '{ port: 4000 }',           ofListen],
  ['createHostServer',        (options) => createHostServer(listener, options),       undefined,  '{ maxSockets }',           ofConnections],
  ['toNodeListener',          (options) => toNodeListener(served, options),           undefined,  '{ onBug }',                ofNodeHost],
  ['toNodeResponder',         (options) => toNodeResponder(served, options),          undefined,  '{ onBug }',                ofNodeHost],
  ['toFetch',                 (options) => toFetch(served, options),                  undefined,  '{ onBug }',                ofHost],
  ['untilSignal',             untilSignal,                                            undefined,  '{ secondCode: 130 }',      ofSignal],
  ['close',                   (options) => createHostServer(listener).close(options), undefined,  '{ grace: 1000 }',          ofClose],
  ['A request of testClient', testClient(served),                                     undefined,  '{ json: { query } }',      ofTest],
  ['runConformance',          runConformance,                                         { url },    '{ url }',                  ofConformance],
]

for (const [caller, take, beside, example, rows] of takers) {
  void t.test(`${caller} says what is wrong with its options`, async (t) => {
    const messageOf = async (options: unknown): Promise<string> => {
      try {
        await take(options as never)
      } catch (error) {
        t.ok(error instanceof TypeError, String(error))
        return (error as Error).message
      }
      return 'it was taken'
    }
    for (const [options, message] of rows) {
      const wrong = { ...beside, ...(options as object) }
      for (const one of [wrong, Object.create(wrong) as unknown]) {
        const found = await messageOf(one)
        if (typeof message === 'string') t.equal(found, `${caller}: ${message}`)
        else t.match(found.slice(`${caller}: `.length), message)
      }
    }
    for (const [options, message] of ofEverything(example)) {
      if (options === undefined && beside === undefined) continue
      t.equal(await messageOf(options), `${caller}: ${message}`)
    }
  })
}

// oxfmt-ignore
const firsts: readonly [caller: string, call: (first: never) => unknown, expected: string][] = [
  ['toNodeListener',   toNodeListener,   'a handler, such as createHandler makes'],
  ['toFetch',          toFetch,          'a handler, such as createHandler makes'],
  ['testClient',       testClient,       'a handler, such as createHandler makes'],
  ['toNodeResponder',  toNodeResponder,  'a handler, such as createHandler makes'],
  ['listen',           listen,           'a listener, such as one made by toNodeListener'],
  ['createHostServer', createHostServer, 'a listener, such as one made by toNodeListener'],
]
for (const [caller, call, expected] of firsts) {
  void t.test(`${caller} wants a function first`, async (t) => {
    const values = { undefined: undefined, 'an object': { schema }, 'a GraphQLSchema': schema }
    for (const [got, first] of Object.entries(values)) {
      const message = `${caller}: expected ${expected}, got ${got}.`
      t.throws(() => call(first as never), { name: 'TypeError', message })
    }
  })
}

const origins = ['https://a.example', 'http://localhost:3000']
const cors = { origins, credentials: true, allowedHeaders: ['x-a'], exposedHeaders: [], maxAge: 0 }

/** Every option with the values that its documentation names. */
const right: { readonly [name: string]: readonly unknown[] } = {
  schema: [schema, () => schema, async () => schema],
  rootValue: [undefined, null, {}, 'x', () => 1],
  context: [() => ({}), async () => ({})],
  validationRules: [[], [graphql.NoSchemaIntrospectionCustomRule]],
  execute: [graphql.execute],
  graphql: [graphql, { ...graphql }],
  introspection: [true, false],
  edition: ['2026-09', '2025-05', '2026-08', 'september2026', 'September2026'],
  partialSuccessStatus: [294, 200],
  path: ['/', '/graphql'],
  cors: [{ origins: '*' }, { origins: [] }, { origins: () => true }, cors],
  getHeaders: [[], ['X-Mine']],
  decoders: [{}, { gzip: async () => failure('broken') }, { 'gzip, br': () => failure('broken') }],
  costSizeArguments: [[], ['limit']],
  reportOnly: ['all', [], ['maxDepth', 'maxCost']],
  maxDepth: [0, 3, Infinity],
  maxCost: [0, 1.5, Infinity],
  costMaxListSize: [Infinity],
  maxEventLoopDelay: [Infinity],
}
for (const [name, values] of Object.entries(right)) {
  void t.test(`createHandler takes what ${name} may be`, async (t) => {
    for (const value of [undefined, ...values]) {
      if (name === 'schema' && value === undefined) continue
      t.type(createHandler({ schema, [name]: value }), 'function')
    }
  })
}

void t.test('the other copy of graphql is an option, too', async (t) => {
  const other = graphql16.buildSchema('type Query { a: String }')
  t.type(createHandler({ schema: other, graphql: graphql16 } as never), 'function')
})

void t.test('options may be an instance of a class, whose members are inherited', async (t) => {
  class Config {
    readonly schema = schema
    readonly #principal = 'me'
    authenticate() {
      return { ok: true, value: this.#principal } as const
    }
    context() {
      return this.#principal
    }
  }
  const handler = createHandler(new Config())
  t.equal((await testClient(handler)({ json: { query: '{ a }' } })).status, 200)
  class Private extends Config {
    readonly use = [defineExtension({ name: 'any', admit: () => undefined })]
    readonly #own = { path: '/own', schema }
    readonly onBug = () => undefined
    readonly rootValue = { a: thrower(new Error('a')) }
    override readonly schema = (() => schema) as never
    get path() {
      return this.#own.path
    }
    createId() {
      return this.#own.path
    }
  }
  const { status, body } = await testClient(createHandler(new Private()))({
    target: '/own',
    json: { query: '{ a }' },
  })
  t.equal(status, 294)
  t.match(body, '"id":"/own"')
  class Wrong extends Config {
    readonly maxDepht = 3
  }
  const message = 'createHandler: maxDepht is not an option. Did you mean "maxDepth"?'
  t.throws(() => createHandler(new Wrong()), { message })
  class Server extends Config {
    readonly port = 0
    readonly host = '127.0.0.1'
  }
  const server = await serve(new Server())
  t.teardown(() => server.close({ grace: 0 }))
  t.equal((await fetch(`${server.url}?query={a}`)).status, 200)
})
