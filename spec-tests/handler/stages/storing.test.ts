import t from 'tap'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import {
  createHandler,
  createRestHandler,
  success,
  type OperationRequest,
  type Options,
  type RestOptions,
  type ResultInfo,
} from '../../../src/index.js'
import { createPeople, routes } from '../../rest/people.js'
import { majors } from './majors.js'

const context: Options['context'] = (request) => request
const authenticate: Options['authenticate'] = () => success('me')

/** Sets the headers from a resolver; the root value has them under every name. */
function resolver(...fields: readonly (readonly [name: string, value: string])[]): object {
  const set = (_: unknown, { responseHeaders }: OperationRequest) => {
    for (const [name, value] of fields) responseHeaders.set(name, value)
    return 'x'
  }
  const fail = (_: unknown, request: OperationRequest) => {
    set(_, request)
    throw new Error('secret')
  }
  return { a: set, m: set, fail, failing: fail }
}

/** An `admit` that sets a header, as resolvers can. */
function admitting(name: string, value: string): NonNullable<Options['admit']> {
  return ({ responseHeaders }) => {
    responseHeaders.append(name, value)
    return undefined
  }
}

const get = (query: string): TestRequest => ({ target: `/?query=${encodeURIComponent(query)}` })
const post = (query: string): TestRequest => ({ json: { query } })
const query = (text: string): TestRequest => ({ json: { query: text }, method: 'QUERY' })
const longFresh = ['Cache-Control', 'public, max-age=60'] as const
const cookie = ['Set-Cookie', 'a=1'] as const

interface Row {
  readonly title: string
  readonly options?: Partial<Options>
  readonly request: TestRequest
  /** The value of `Cache-Control`. */
  readonly storing: string | null
  /** The values of other fields. */
  readonly fields?: { readonly [name: string]: string | null }
}

// oxfmt-ignore
const rows: readonly Row[] = [
  { title: 'a GET of what is the same for all', request: get('{a}'), storing: 'no-cache' },
  ...['Cookie', 'authorization'].map((field): Row => ({
    title: `a GET with ${field}`,
    request: { ...get('{a}'), headers: { [field]: 'a=1' } },
    storing: 'private, no-cache',
  })),
  ...(
    [
      ['authenticate', { authenticate }],
      ['context', { context }],
      ['admit', { admit: () => undefined }],
      ['a schema of its own', { schema: () => majors[0]!.schema as never }],
    ] as const
  ).flatMap(([title, options]): Row[] => [
    { title: `a GET, with ${title}`,    options, request: get('{a}'),                        storing: 'private, no-cache' },
    { title: `a HEAD, with ${title}`,   options, request: { ...get('{a}'), method: 'HEAD' }, storing: 'private, no-cache' },
    { title: `a QUERY, with ${title}`,  options, request: query('{a}'),                      storing: 'private, no-cache' },
    { title: `a POST, with ${title}`,   options, request: post('{a}'),                       storing: null },
    { title: `an error, with ${title}`, options, request: get('{fail}'),                     storing: 'no-store' },
  ]),
  {
    title: 'a resolver decides',
    options: { context, rootValue: resolver(longFresh) },
    request: get('{a}'),
    storing: longFresh[1],
  },
  {
    title: 'a resolver decides, also for one kind of cache',
    options: { context, rootValue: resolver(['CDN-Cache-Control', 'max-age=60']) },
    request: get('{a}'),
    storing: 'private, no-cache',
    fields: { 'cdn-cache-control': 'max-age=60' },
  },
  {
    title: 'responseHeaders decides',
    options: { context, responseHeaders: () => ({ 'Cache-Control': 'public' }) },
    request: get('{a}'),
    storing: 'public',
  },
  {
    title: 'onResult decides, over responseHeaders',
    options: {
      responseHeaders: () => ({ 'Cache-Control': 'public' }),
      onResult: (_, { headers }) => headers.set('Cache-Control', 'max-age=1'),
    },
    request: get('{a}'),
    storing: 'max-age=1',
  },
  ...[get('{a fail}'), post('{a fail}'), post('mutation{m}'), post('mutation{failing}')].map(
    (request): Row => ({
      title: `a resolver does not decide: ${JSON.stringify(request)}`,
      options: {
        rootValue: resolver(
          longFresh,
          ['CDN-Cache-Control', 'max-age=60'],
          ['Surrogate-Control', 'max-age=60'],
          ['Expires', 'Wed, 01 Jan 2120 00:00:00 GMT'],
          ['X-Other', '1'],
        ),
      },
      request,
      storing: 'no-store',
      fields: {
        'cdn-cache-control': null,
        'surrogate-control': null,
        expires: null,
        'x-other': '1',
      },
    }),
  ),
  {
    title: 'admit does not decide how its denial is stored',
    options: {
      admit: ({ responseHeaders }) => {
        responseHeaders.set(...longFresh)
        return { kind: 'forbidden' }
      },
    },
    request: get('{a}'),
    storing: 'no-store',
  },
  {
    title: 'responseHeaders has the last word on the answer to a mutation',
    options: { responseHeaders: () => ({ 'Cache-Control': 'private' }) },
    request: post('mutation{m}'),
    storing: 'private',
  },
  {
    title: 'onResult has the last word on an answer with errors',
    options: { onResult: (_, { headers }) => headers.set('Cache-Control', 'max-age=1') },
    request: get('{fail}'),
    storing: 'max-age=1',
  },
  {
    title: 'a resolver sets a cookie',
    options: { rootValue: resolver(cookie) },
    request: get('{a}'),
    storing: 'no-store',
    fields: { 'set-cookie': 'a=1' },
  },
  {
    title: 'a resolver sets a cookie where another decides',
    options: { rootValue: resolver(longFresh, cookie, ['CDN-Cache-Control', 'max-age=60']) },
    request: get('{a}'),
    storing: 'no-store',
    fields: { 'set-cookie': 'a=1', 'cdn-cache-control': null },
  },
  {
    title: 'a resolver sets a cookie, and responseHeaders decides',
    options: {
      rootValue: resolver(cookie),
      responseHeaders: () => ({ 'Cache-Control': 'public' }),
    },
    request: get('{a}'),
    storing: 'public',
  },
  {
    title: 'responseHeaders sets a cookie where a resolver decides',
    options: {
      rootValue: resolver(longFresh),
      responseHeaders: () => ({ 'Set-Cookie': 'b=2' }),
    },
    request: get('{a}'),
    storing: 'no-store',
  },
  {
    title: 'responseHeaders sets a cookie and decides',
    options: { responseHeaders: () => ({ 'Set-Cookie': 'b=2', 'Cache-Control': 'private' }) },
    request: get('{a}'),
    storing: 'private',
  },
  {
    title: 'onResult sets a cookie where responseHeaders decided without it',
    options: {
      responseHeaders: () => ({ 'Cache-Control': 'public' }),
      onResult: (_, { headers }) => headers.append('Set-Cookie', 'c=3'),
    },
    request: get('{a}'),
    storing: 'no-store',
  },
  {
    title: 'responseHeaders decides, without what a resolver told CDNs',
    options: {
      rootValue: resolver(['CDN-Cache-Control', 'max-age=60'], ['Expires', '0']),
      responseHeaders: () => ({ 'Cache-Control': 'private' }),
    },
    request: get('{a}'),
    storing: 'private',
    fields: { 'cdn-cache-control': null, expires: null },
  },
  {
    title: 'onResult forbids storing what responseHeaders allowed with a cookie',
    options: {
      responseHeaders: () => ({ 'Set-Cookie': 'b=2', 'Cache-Control': 'private' }),
      onResult: (_, { headers }) => headers.set('Cache-Control', 'private, No-Store'),
    },
    request: get('{a}'),
    storing: 'no-store',
  },
  {
    title: 'a resolver sets a cookie that onResult does not see',
    options: { rootValue: resolver(cookie), onResult: makePublic },
    request: get('{a}'),
    storing: 'no-store',
    fields: { 'set-cookie': 'a=1', 'cdn-cache-control': null },
  },
  {
    title: 'responseHeaders sets a cookie and decides, and onResult decides otherwise',
    options: {
      responseHeaders: () => ({ 'Set-Cookie': 'b=2', 'Cache-Control': 'private' }),
      onResult: makePublic,
    },
    request: get('{a}'),
    storing: 'private',
  },
  {
    title: 'a resolver sets a cookie, and how long nginx stores the response',
    options: { rootValue: resolver(cookie, ['X-Accel-Expires', '60']) },
    request: get('{a}'),
    storing: 'no-store',
    fields: { 'set-cookie': 'a=1', 'x-accel-expires': null },
  },
]

function makePublic(_: unknown, { headers }: ResultInfo): void {
  headers.set('Cache-Control', 'public, max-age=60')
  headers.set('CDN-Cache-Control', 'max-age=60')
}

for (const { name, graphql, schema } of majors) {
  for (const { title, options, request, storing, fields = {} } of rows) {
    void t.test(`whether an answer is stored: ${title}, ${name}`, async (t) => {
      const handler = createHandler({
        schema,
        graphql,
        rootValue: resolver(),
        onBug: () => undefined,
        ...options,
        // A function gives the schema of this major.
        ...(typeof options?.schema === 'function' && { schema: () => schema as never }),
      })
      const { headers } = await testClient(handler)(request)
      t.equal(headers.get('cache-control'), storing)
      for (const [field, value] of Object.entries(fields)) t.equal(headers.get(field), value)
    })
  }
}

const route = routes.find(({ method, path }) => method === 'GET' && path === '/person/{id}')!
const create = routes.find(({ path, status }) => path === '/person' && status === 201)!
const read: TestRequest = { target: '/person/1' }
const write: TestRequest = { target: '/person', json: { name: 'Cy' } }

// oxfmt-ignore
const resources: readonly [
  title: string,
  request: TestRequest,
  options: Partial<RestOptions>,
  storing: string,
][] = [
  ['a GET of what is the same for all',     read,  {},                                      'no-cache'],
  ['a GET that brings a cookie',            { ...read, headers: { Cookie: 'a=1' } }, {},    'private, no-cache'],
  ['a GET, with authenticate',              read,  { authenticate },                        'private, no-cache'],
  ['a GET, with authorize',                 read,  { authorize: () => undefined },          'private, no-cache'],
  ['a GET, with context',                   read,  { context },                             'private, no-cache'],
  ['a problem',                             { target: '/person/9' }, { context },           'no-store'],
  ['a write',                               write, { context },                             'no-store'],
  ['the route decides',                     read,  { context, routes: [{ ...route, headers: () => ({ 'Cache-Control': 'public' }) }] }, 'public'],
  ['the route sets a cookie',               read,  { routes: [{ ...route, headers: () => ({ 'Set-Cookie': 'a=1', 'Cache-Control': 'public' }) }] }, 'no-store'],
  [
    'a resolver sets a cookie where the route decides',
    read,
    {
      admit: admitting('Set-Cookie', 'r=1'),
      routes: [{ ...route, headers: () => ({ 'Cache-Control': 'public' }) }],
    },
    'no-store',
  ],
  ['the route decides otherwise than a resolver', read, { admit: admitting(...longFresh), routes: [{ ...route, headers: () => ({ 'Cache-Control': 'private' }) }] }, 'private'],
  ['a resolver does not decide on a write', write, { admit: admitting(...longFresh) },      'no-store'],
]

for (const [title, request, options, storing] of resources) {
  void t.test(`whether a resource is stored: ${title}`, async (t) => {
    const { schema } = createPeople()
    const send = testClient(createRestHandler({ schema, routes, ...options }))
    const response = await send(request)
    t.equal(response.headers.get('cache-control'), storing)
  })
}

void t.test('cookies of resolver, route, responseHeaders, onResult add up', async (t) => {
  const { schema } = createPeople()
  const handler = createRestHandler({
    schema,
    admit: admitting('Set-Cookie', 'a=1'),
    routes: [{ ...create, headers: () => ({ 'Set-Cookie': 'b=2' }) }],
    responseHeaders: () => ({ 'Set-Cookie': 'c=3' }),
    onResult: (_, { headers }) => headers.append('Set-Cookie', 'd=4'),
  })
  const { headers } = await testClient(handler)(write)
  t.strictSame(headers.getSetCookie().toSorted(), ['a=1', 'b=2', 'c=3', 'd=4'])
})
