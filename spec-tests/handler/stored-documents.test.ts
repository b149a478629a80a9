import t from 'tap'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createHandler, type LimitReport, type Options } from '../../src/index.js'
import { sha256 } from '../../src/base/sha256.js'
import { thrower } from '../base/thrower.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

const text = 'query ($s: String = "a") { echo(s: $s) }'
const two = 'query A { a: echo(s: "a") } query B { b: echo(s: "b") }'
const mutation = 'mutation { increment }'
const hash = sha256(text)
const documents = { [`sha256:${hash}`]: text, two, mutation, '/odd id': '{ echo(s: "odd") }' }
const path = '/graphql'

const clientOf = (options: Partial<Options>) =>
  testClient(createHandler({ schema: createStandardSchema(), ...options }))
const post = (json: object): TestRequest => ({ json })
const get = (target: string): TestRequest => ({ target: `/graphql${target}` })
const apollo = (sha256Hash: unknown, more: object = {}): TestRequest =>
  post({ extensions: { persistedQuery: { version: 1, sha256Hash } }, ...more })

const trusted = { trustedOnly: true }

const lazily = (value: boolean): PromiseLike<boolean> =>
  Object.assign(Promise.resolve(value), { kind: 'select' })

const unthenable: PromiseLike<boolean> = {
  // oxlint-disable-next-line unicorn/no-thenable -- it is what the row is about
  then: thrower(new Error('secret')),
}

const unknown = `sha256:${'0'.repeat(64)}`

// oxfmt-ignore
const rows: readonly { title: string; request: TestRequest; options?: Partial<Options>; status: number; data?: unknown; code?: string }[] = [
  { title: 'GET with an encoded id',                request: get('?documentId=%2Fodd+id'),                              status: 200, data: { echo: 'odd' } },
  { title: 'GET with an empty id, as if absent',    request: get('?documentId=&query=%7Becho%28s%3A%22a%22%29%7D'),     status: 200, data: { echo: 'a' } },
  { title: 'a mutation by QUERY',                   request: { ...post({ documentId: 'mutation' }), method: 'QUERY' },  status: 422, code: 'MUTATION_NOT_SUPPORTED' },
  { title: 'the same text beside the id',           request: post({ documentId: 'two', query: two, operationName: 'A' }), status: 200, data: { a: 'a' } },
  { title: 'another text beside the id',            request: post({ documentId: 'two', query: text }),                  status: 422, code: 'DOCUMENT_MISMATCH' },
  { title: 'an empty text beside the id',           request: post({ documentId: 'two', query: '' }),                    status: 422, code: 'DOCUMENT_MISMATCH' },
  { title: 'a text beside an unknown id',           request: post({ documentId: unknown, query: text }),                status: 422, code: 'DOCUMENT_NOT_FOUND' },
  { title: 'an id that is a list',                  request: post({ documentId: [unknown] }),                           status: 422, code: 'INVALID_PARAMETER' },
  { title: 'an id that is null, without a query',   request: post({ documentId: null }),                                status: 422, code: 'INVALID_PARAMETER' },
  { title: 'an id that is null, beside a query',    request: post({ documentId: null, query: text }),                   status: 200, data: { echo: 'a' } },

  { title: 'an id of a manifest as hash',           request: apollo('two', { operationName: 'A' }),                     status: 200, data: { a: 'a' } },
  { title: 'an unknown hash',                       request: apollo('0'.repeat(64)),                                    status: 422, code: 'PERSISTED_QUERY_NOT_FOUND' },
  { title: 'a hash with its text',                  request: apollo(sha256('{counter}'), { query: '{counter}' }),       status: 200, data: { counter: 0 } },
  { title: 'a stored hash with another text',       request: apollo(hash, { query: two }),                              status: 422, code: 'DOCUMENT_MISMATCH' },
  { title: 'a hash that is a number',               request: apollo(7, { query: text }),                                status: 422, code: 'INVALID_PARAMETER' },
  { title: 'an extension that is a number',         request: post({ extensions: { persistedQuery: 7 } }),               status: 422, code: 'INVALID_PARAMETER' },
  { title: 'an extension that is null',             request: post({ query: text, extensions: { persistedQuery: null } }), status: 200, data: { echo: 'a' } },
  { title: 'another version of the extension',      request: post({ extensions: { persistedQuery: { version: 2, sha256Hash: hash } } }), status: 422, code: 'INVALID_PARAMETER' },
  { title: 'an id beside an unknown hash',          request: apollo('0'.repeat(64), { documentId: `sha256:${hash}` }),  status: 200, data: { echo: 'a' } },

  { title: 'trusted: a hash of Apollo',             request: apollo(hash),                           options: trusted,  status: 200, data: { echo: 'a' } },
  { title: 'trusted: a query, even a stored one',   request: post({ query: text }),                  options: trusted,  status: 422, code: 'DOCUMENT_ID_REQUIRED' },
  { title: 'trusted: an unknown id and a query',    request: post({ documentId: unknown, query: text }), options: trusted, status: 422, code: 'DOCUMENT_NOT_FOUND' },
  { title: 'trusted: an unknown hash and its text', request: apollo(sha256('{counter}'), { query: '{counter}' }), options: trusted, status: 422, code: 'PERSISTED_QUERY_NOT_FOUND' },
  { title: 'trusted: nothing',                      request: post({}),                               options: trusted,  status: 422, code: 'INVALID_PARAMETER' },
  { title: 'trusted for some: one of them',         request: { ...post({ query: text }), headers: { web: '1' } }, options: { trustedOnly: ({ headers }) => headers.includes('web') }, status: 422, code: 'DOCUMENT_ID_REQUIRED' },
  { title: 'trusted for some: another',             request: post({ query: text }), options: { trustedOnly: async ({ headers }) => headers.includes('web') }, status: 200, data: { echo: 'a' } },
  { title: 'trusted: a promise with members of its own', request: post({ query: text }), options: { trustedOnly: () => lazily(false) }, status: 200, data: { echo: 'a' } },
  { title: 'trusted: a query that cannot start',     request: post({ query: text }), options: { trustedOnly: () => unthenable, onBug: () => undefined }, status: 500, code: 'INTERNAL_SERVER_ERROR' },
  { title: 'trusted: a check that throws',          request: post({ query: text }), options: { trustedOnly: () => { throw new Error('secret') }, onBug: () => undefined }, status: 500, code: 'INTERNAL_SERVER_ERROR' },

  { title: 'trusted: a check that returns nothing',  request: post({ query: text }), options: { trustedOnly: () => undefined as never, onBug: () => undefined }, status: 500, code: 'INTERNAL_SERVER_ERROR' },
  { title: 'trusted: one that returns a text, later', request: post({ query: text }), options: { trustedOnly: async () => 'no' as never, onBug: () => undefined }, status: 500, code: 'INTERNAL_SERVER_ERROR' },

  { title: 'a long document of a store',            request: post({ documentId: 'x' }), options: { documents: { get: () => text }, maxDocumentLength: 9 }, status: 413, code: 'DOCUMENT_TOO_LONG' },
  { title: 'a path without documentPath',           request: get('/two/A'),                                              status: 404, code: 'NOT_FOUND' },
]
for (const { title, request, options, status, data, code } of rows) {
  void t.test(`documents: ${title} is ${code ?? status}`, async (t) => {
    const response = await clientOf({ documents, path, ...options })(request)
    const body = response.json<{ data?: unknown; errors?: { extensions: { code: string } }[] }>()
    t.equal(response.status, status, response.body)
    t.same(body.data, data)
    t.equal(body.errors?.[0]?.extensions.code, code)
    if (status === 422) t.equal(response.headers.get('cache-control'), 'no-store')
  })
}

// oxfmt-ignore
const paths: readonly [request: TestRequest, status: number, data?: unknown][] = [
  [get(`/sha256%3A${hash}?variables={"s":"x"}`),                        200, { echo: 'x' }],
  [get('/two/A?operationName=A'),                                       200, { a: 'a' }],
  [get('/two/A?operationName=B'),                                       422],
  [get('/two/A?documentId=two'),                                        200, { a: 'a' }],
  [get('/two/A?documentId=mutation'),                                   422],
  [get('/two/C'),                                                       422],
  [{ ...get('/mutation'), json: {} },                                   200, { increment: 1 }],
  [{ ...get('/two'), json: { operationName: 'B' } },                    200, { b: 'b' }],
  [{ ...get('/two/B'), method: 'QUERY', json: {} },                     200, { b: 'b' }],
  [get('/'),                                                            404],
  [get('/two/A/'),                                                      404],
  [get('/two/1'),                                                       404],
  [get('/%2Fodd%20id'),                                                 404],
  [get('/%'),                                                           404],
  [get('x/two'),                                                        404],
  [{ ...get('/two/A'), method: 'OPTIONS' },                             204],
]
for (const [request, status, data] of paths) {
  void t.test(`paths: ${request.method ?? ''} ${request.target} is ${status}`, async (t) => {
    const response = await clientOf({ documents, path, documentPath: true })(request)
    t.equal(response.status, status, response.body)
    if (data !== undefined) t.same(response.json<{ data: unknown }>().data, data)
  })
}

void t.test('by default nothing looks at the name of a document', async (t) => {
  const send = clientOf({})
  const both = post({ documentId: 7, query: '{ counter }', extensions: { persistedQuery: 7 } })
  t.equal((await send(both)).status, 200)
  const errors = [{ message: 'The parameter "query" is missing.' }]
  t.match((await send(post({ documentId: 'two' }))).json(), { errors })
})

void t.test('trustedOnly can be reported instead of enforced', async (t) => {
  const reports: LimitReport[] = []
  const onLimit = (report: LimitReport) => void reports.push(report)
  const send = clientOf({ documents, ...trusted, reportOnly: ['trustedOnly'], onLimit })
  const query = 'query Other { counter }'
  t.equal((await send(post({ query, operationName: 'Other' }))).status, 200)
  t.equal((await send(apollo(sha256(query), { query }))).status, 200)
  t.equal((await send(apollo(sha256(query)))).status, 422, 'there is nothing to execute')
  t.equal((await send(post({ documentId: 'two', operationName: 'A' }))).status, 200)
  const named = { document: query, documentId: `sha256:${sha256(query)}` }
  const report = { limit: 'trustedOnly', allowed: 0, found: 1, ...named }
  const expected = ['Other', undefined].map((operationName) => ({ ...report, operationName }))
  t.same(reports, expected)
})

void t.test('hooks see the id and the text', async (t) => {
  const seen: unknown[] = []
  const send = clientOf({
    documents,
    admit: ({ params }) => void seen.push(params.documentId, params.query),
    onResult: ({ params }, result) =>
      void seen.push(params.documentId, result.documentId, result.document),
  })
  await send(post({ documentId: 'two', operationName: 'A' }))
  t.same(seen.splice(0), ['two', two, 'two', 'two', two])
  await send(post({ documentId: 'gone' }))
  t.same(seen.splice(0), ['gone', 'gone', ''])
  await send(apollo(hash))
  t.same(seen.splice(0), [`sha256:${hash}`, text, `sha256:${hash}`, `sha256:${hash}`, text])
  await send(post({ query: '{ counter }' }))
  t.same(seen, [undefined, '{ counter }', undefined, undefined, '{ counter }'])
})

void t.test('a subscription over SSE cannot avoid trustedOnly', async (t) => {
  const source = 'subscription { countdown(from: 1) }'
  const send = clientOf({ documents: { source }, ...trusted })
  const headers = { accept: 'text/event-stream' }
  const refused = await send({ ...post({ query: source }), headers })
  t.match(refused, { status: 422, body: /DOCUMENT_ID_REQUIRED/ })
  const { status, stream } = await send({ ...post({ documentId: 'source' }), headers })
  t.equal(status, 200)
  t.match(await new Response(stream).text(), /"countdown":0/)
})

void t.test('entries of a batch may be stored documents, trustedOnly holds', async (t) => {
  const send = clientOf({ documents: { known: '{ echo(s: "Hi") }' }, ...trusted, batch: {} })
  const json = [{ documentId: 'known' }, { documentId: 'other' }, { query: '{ counter }' }]
  const { status, body } = await send({ json })
  t.equal(status, 200)
  const failed = (code: string) => ({ errors: [{ extensions: { code } }] })
  const failures = ['DOCUMENT_NOT_FOUND', 'DOCUMENT_ID_REQUIRED'].map(failed)
  t.match(JSON.parse(body), [{ data: { echo: 'Hi' } }, ...failures])
})
