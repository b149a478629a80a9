import t from 'tap'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createHandler, type Options } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

const get: TestRequest = { target: '/graphql?query={counter}' }
const head: TestRequest = { ...get, method: 'HEAD' }
const post: TestRequest = { json: { query: '{ counter }' } }
const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' }
const off = { get: false }
const needed = { getHeaders: ['X-App', 'graphql-require-preflight'] }
const withoutGet = 'POST, QUERY, OPTIONS'

type Row = readonly [title: string, TestRequest, Partial<Options>, status: number, allow?: string]

// oxfmt-ignore
const rows: readonly Row[] = [
  ['a GET from another site is refused',                     { ...get, headers: foreign },                              {},     403],
  ['a HEAD from another site is refused',                    { ...head, headers: foreign },                             {},     403],
  ['a POST from another site needed a preflight',            { ...post, headers: foreign },                             {},     200],
  ['a link of another site has no Origin for CORS', { ...get, headers: { 'sec-fetch-site': 'cross-site' } }, { cors: { origins: ['https://a.test'] } }, 403],
  ['with get: false a GET is refused',                       get,                                                       off,    405, withoutGet],
  ['with get: false a HEAD is refused',                      head,                                                      off,    405, withoutGet],
  ['with get: false Allow has no GET',                        { ...post, method: 'PUT' },                                off,    405, withoutGet],
  ['with get: false OPTIONS names no GET',                   { method: 'OPTIONS' },                                     off,    204, withoutGet],
  ['with get: false a POST is answered',                     post,                                                      off,    200],
  ['with getHeaders a GET without any of them is refused',   get,                                                       needed, 403],
  ['with getHeaders a GET with an empty one is refused',     { ...get, headers: { 'x-app': '' } },                      needed, 403],
  ['with getHeaders a GET with the first is answered',       { ...get, headers: { 'x-app': 'web' } },                   needed, 200],
  ['with getHeaders a GET with another of them is answered', { ...get, headers: { 'GraphQL-Require-Preflight': '1' } }, needed, 200],
  ['with getHeaders a POST needs none',                      post,                                                      needed, 200],
]

for (const [title, request, options, status, allow = null] of rows) {
  void t.test(title, async (t) => {
    const handler = createHandler({ schema: createStandardSchema(), ...options })
    const response = await testClient(handler)(request)
    t.equal(response.status, status)
    t.equal(response.headers.get('allow'), allow)
  })
}
