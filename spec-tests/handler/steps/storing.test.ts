import t from 'tap'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import { createRestHandler, type RestOptions } from '@graphwire/rest'
import { success } from '../../../src/index.js'
import type { OperationRequest, Options, ResultInfo } from '../../../src/index.js'
import { createPeople, routes } from '../../../packages/rest/spec-tests/people.js'
import { clientOf } from '../client-of.js'
import { majors } from './majors.js'

const context: Options['context'] = (request) => request
const authenticate: Options['authenticate'] = () => success('me')

type Lines = readonly (readonly [name: string, value: string])[]

/** Sets the headers from a resolver; the root value has them under every name. */
function resolver(...fields: Lines): object {
  const set = (_: unknown, { responseHeaders }: OperationRequest) => {
    for (const [name, value] of fields) responseHeaders.set(name, value)
    return 'x'
  }
  const fail = async (...given: Parameters<typeof set>) => {
    set(...given)
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
const cdn = ['CDN-Cache-Control', 'max-age=60'] as const
const forever = ['Expires', 'Wed, 01 Jan 2120 00:00:00 GMT'] as const

type Given = Partial<Options>
const byResolver = (...fields: Lines): Given => ({ rootValue: resolver(...fields) })
const byHeaders = (control: string | undefined, cookies?: string): Given => ({
  responseHeaders: () => ({
    ...(control !== undefined && { 'Cache-Control': control }),
    ...(cookies !== undefined && { 'Set-Cookie': cookies }),
  }),
})
const byResult = (control: string): Given => ({
  onResult: (_, { headers }) => headers.set('Cache-Control', control),
})
/** An `around` that adds headers. */
const byAround = (...fields: Lines): Given => ({
  async around(_, proceed) {
    const response = await proceed()
    return { ...response, headers: [...response.headers, ...fields.flat()] }
  },
})
const admitFresh: Options['admit'] = ({ responseHeaders }) => {
  responseHeaders.set(...longFresh)
  return { kind: 'forbidden' }
}

type Fields = { readonly [name: string]: string | null }
/** What may be stored without a cookie, or with the cookie alone. */
const cookieAlone = { 'set-cookie': 'a=1', 'cdn-cache-control': null }
const left = { 'cdn-cache-control': null, 'surrogate-control': null, expires: null, 'x-other': '1' }

/** `storing` is the value of `Cache-Control`, and `fields` are those beside it. */
// oxfmt-ignore
type Row = readonly [title: string, request: TestRequest, storing: string | null, options?: Given, fields?: Fields]

// oxfmt-ignore
const rows: readonly Row[] = [
  ['a GET of what is the same for all', get('{a}'), 'no-cache'],
  ...['Cookie', 'authorization'].map((field): Row => [`a GET with ${field}`, { ...get('{a}'), headers: { [field]: 'a=1' } }, 'private, no-cache']),
  ...(
    [
      ['authenticate', { authenticate }],
      ['context', { context }],
      ['admit', { admit: () => undefined }],
      ['a schema of its own', { schema: () => majors[0]!.schema as never }],
    ] as const
  ).flatMap(([title, options]): Row[] => [
    [`a GET, with ${title}`,    get('{a}'),                        'private, no-cache', options],
    [`a HEAD, with ${title}`,   { ...get('{a}'), method: 'HEAD' }, 'private, no-cache', options],
    [`a QUERY, with ${title}`,  query('{a}'),                      'private, no-cache', options],
    [`a POST, with ${title}`,   post('{a}'),                       null,                options],
    [`an error, with ${title}`, get('{fail}'),                     'no-store',          options],
  ]),
  ['a resolver decides',                              get('{a}'), longFresh[1], { context, ...byResolver(longFresh) }],
  ['a resolver decides, also for one kind of cache',  get('{a}'), 'private, no-cache', { context, ...byResolver(cdn) }, { 'cdn-cache-control': 'max-age=60' }],
  ['responseHeaders decides',                         get('{a}'), 'public',     { context, ...byHeaders('public') }],
  ['onResult decides, over responseHeaders',          get('{a}'), 'max-age=1',  { ...byHeaders('public'), ...byResult('max-age=1') }],
  ...[get('{a fail}'), post('{a fail}'), post('mutation{m}'), post('mutation{failing}')].map((request): Row => {
    const options = byResolver(longFresh, cdn, ['Surrogate-Control', 'max-age=60'], forever, ['X-Other', '1'])
    return [`a resolver does not decide: ${JSON.stringify(request)}`, request, 'no-store', options, left]
  }),
  ['admit does not decide how its denial is stored',  get('{a}'),          'no-store',  { admit: admitFresh }],
  ['responseHeaders has the last word on a mutation', post('mutation{m}'), 'private',   byHeaders('private')],
  ['onResult has the last word on errors',            get('{fail}'),       'max-age=1', byResult('max-age=1')],
  ['a resolver sets a cookie',                        get('{a}'),          'no-store',  byResolver(cookie), { 'set-cookie': 'a=1' }],
  ['a resolver sets a cookie where another decides',  get('{a}'),          'no-store',  byResolver(longFresh, cookie, cdn), cookieAlone],
  ['a resolver sets a cookie, and responseHeaders decides',   get('{a}'),  'public',    { ...byResolver(cookie), ...byHeaders('public') }],
  ['responseHeaders sets a cookie where a resolver decides',  get('{a}'),  'no-store',  { ...byResolver(longFresh), ...byHeaders(undefined, 'b=2') }],
  ['responseHeaders sets a cookie and decides',               get('{a}'),  'private',   byHeaders('private', 'b=2')],
  ['onResult sets a cookie where responseHeaders decided without it', get('{a}'), 'no-store', {
    ...byHeaders('public'),
    onResult: (_, { headers }) => headers.append('Set-Cookie', 'c=3'),
  }],
  ['responseHeaders decides, without what a resolver set for CDNs', get('{a}'), 'private', { ...byResolver(cdn, ['Expires', '0']), ...byHeaders('private') }, { 'cdn-cache-control': null, expires: null }],
  ['onResult forbids what responseHeaders allowed with a cookie', get('{a}'), 'no-store', { ...byHeaders('private', 'b=2'), ...byResult('private, No-Store') }],
  ['a resolver sets a cookie that onResult does not see',         get('{a}'), 'no-store', { ...byResolver(cookie), onResult: makePublic }, cookieAlone],
  ['responseHeaders decides on its cookie, not onResult',         get('{a}'), 'private',  { ...byHeaders('private', 'b=2'), onResult: makePublic }],
  ['around sets a cookie where a resolver decides', get('{a}'), 'no-store', { ...byResolver(longFresh, cdn), ...byAround(cookie) }, cookieAlone],
  ['around sets a cookie and decides',              get('{a}'), 'private, no-cache, private', byAround(cookie, ['Cache-Control', 'private']), { 'set-cookie': 'a=1' }],
  ['around sets another header',                    get('{a}'), 'private, no-cache', byAround(['X-Other', '1']), { 'x-other': '1' }],
  ['a resolver sets a cookie, and how long nginx stores',         get('{a}'), 'no-store', byResolver(cookie, ['X-Accel-Expires', '60']), { 'set-cookie': 'a=1', 'x-accel-expires': null }],
]

function makePublic(_: unknown, { headers }: ResultInfo): void {
  headers.set('Cache-Control', 'public, max-age=60')
  headers.set('CDN-Cache-Control', 'max-age=60')
}

for (const { name, graphql, schema } of majors) {
  for (const [title, request, storing, options, fields = {}] of rows) {
    void t.test(`whether an answer is stored: ${title}, ${name}`, async (t) => {
      const { send } = clientOf({
        graphql,
        rootValue: resolver(),
        ...options,
        // A function gives the schema of this major.
        schema: typeof options?.schema === 'function' ? () => schema as never : schema,
      })
      const { headers } = await send(request)
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
const resources: readonly [title: string, request: TestRequest, options: Partial<RestOptions>, storing: string][] = [
  ['a GET of what is the same for all',     read,  {},                                      'no-cache'],
  ['a GET that brings a cookie',            { ...read, headers: { Cookie: 'a=1' } }, {},    'private, no-cache'],
  ['a GET, with authenticate',              read,  { authenticate },                        'private, no-cache'],
  ['a GET, with authorize',                 read,  { authorize: () => undefined },          'private, no-cache'],
  ['a GET, with context',                   read,  { context },                             'private, no-cache'],
  ['a problem',                             { target: '/person/9' }, { context },           'no-store'],
  ['a write',                               write, { context },                             'no-store'],
  ['the route decides',                     read,  { context, routes: [{ ...route, headers: () => ({ 'Cache-Control': 'public' }) }] }, 'public'],
  ['the route sets a cookie',               read,  { routes: [{ ...route, headers: () => ({ 'Set-Cookie': 'a=1', 'Cache-Control': 'public' }) }] }, 'no-store'],
  ['a resolver sets a cookie where the route decides', read, { admit: admitting(...cookie), routes: [{ ...route, headers: () => ({ 'Cache-Control': 'public' }) }] }, 'no-store'],
  ['the route decides otherwise than a resolver', read, { admit: admitting(...longFresh), routes: [{ ...route, headers: () => ({ 'Cache-Control': 'private' }) }] }, 'private'],
  ['onResult decides',                      read,  { onResult: (_, { headers }) => headers.set('Cache-Control', 'max-age=1') }, 'max-age=1'],
  ['a resolver does not decide on a write', write, { admit: admitting(...longFresh) },      'no-store'],
]

for (const [title, request, options, storing] of resources) {
  void t.test(`whether a resource is stored: ${title}`, async (t) => {
    const { schema } = createPeople()
    const send = testClient(createRestHandler({ schema, routes, ...options }))
    t.equal((await send(request)).headers.get('cache-control'), storing)
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
