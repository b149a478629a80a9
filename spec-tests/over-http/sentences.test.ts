import t from 'tap'
import { decoders } from '../../src/hosts/node/index.js'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { buildSchema, createHandler, type Options } from '../../src/index.js'

const schema = buildSchema(
  'type Query { a: String } type Mutation { b: String } type Subscription { c: String }',
)
const query = '/?query={a}'
const json = { 'content-type': 'application/json' }
const encoded = { ...json, 'content-encoding': 'x' }
const onlyGzip = { decoders: { gzip: decoders.gzip } }
const how = 'Use POST; the operator can allow the origin with `cors.origins`.'
const limit = 'maxIntrospectionSize'
const small: Partial<Options> = { batch: {}, [limit]: 1, reportOnly: [limit] }

// oxfmt-ignore
const rows: readonly [request: TestRequest, message: string, options?: Partial<Options>][] = [
  [{ target: '/?query=mutation{b}' },                            'A mutation cannot be sent with GET, which is a safe method: use POST.'],
  [{ method: 'QUERY', json: { query: 'mutation { b }' } },       'A mutation cannot be sent with QUERY, which is a safe method: use POST.'],
  [{ target: query, headers: { 'content-type': 'text/plain' } }, 'A GET cannot have the Content-Type "text/plain": omit it, or use POST.'],
  [{ target: query },                                            'A GET must have the header x-a.', { getHeaders: ['x-a'] }],
  [{ target: query },                                            'A GET must have at least one of the headers x-a, x-b.', { getHeaders: ['x-a', 'x-b'] }],
  [{ target: query, headers: { origin: 'https://e.com' } },      `Cross-site GET requests are blocked (origin "https://e.com"). ${how}`],
  [{ target: query, headers: { 'sec-fetch-site': 'cross-site' } }, `Cross-site GET requests are blocked. ${how}`],
  [{ target: '/?query={a+a+a+a}' },                              'The URL has 17 characters, more than the limit of 10: use POST or QUERY.', { maxUrlLength: 10 }],
  [{ method: 'POST', body: '{}' },                               'Content-Type is missing: send application/json.'],
  [{ method: 'POST', headers: json, body: '' },                  'The body is not valid JSON: it is empty.'],
  [{ method: 'POST', headers: json, body: '{x' },                'The body is not valid JSON: error at character 1.'],
  [{ target: '/?query={a}&variables={x' },                       'The parameter "variables" is not valid JSON: error at character 1.'],
  [{ target: '/?query={a}&extensions={x' },                      'The parameter "extensions" is not valid JSON: error at character 1.'],
  [{ target: '/' },                                              'The parameter "query" is missing.'],
  [{ json: { query: 5 } },                                       'The parameter "query" must be a string.'],
  [{ json: 5 },                                                  'The body must be a JSON object.'],
  [{ json: [5] },                                                'An entry of the batch must be a JSON object.', { batch: {} }],
  [{ json: [{ query: '{ __schema { description } }' }] }, 'The introspection in the batch has size 2, more than the limit of 1: send several batches.', small],
  [{ json: [{ query: 'subscription { c }' }] },                  'A subscription cannot be part of a batch: send it on its own.', { batch: {} }],
  [{ json: { query: '\n\n\n{ a }' } },                            'The document has 4 lines, more than the limit of 3.', { maxLines: 3 }],
  [{ json: { query: '{ a\n\n\n}' } },                            'The document has 4 lines, more than the limit of 3.', { maxLines: 3 }],
  [{ json: { query: '{ a(b: 1234) }' } },                        'The document has a number of 4 characters, more than the limit of 3.', { maxNumberLength: 3 }],
  [{ method: 'POST', headers: encoded, body: '{}' }, 'The Content-Encoding "x" is not supported: send the body uncompressed or gzip.', onlyGzip],
]

for (const [request, message, options] of rows) {
  void t.test(`a client reads: ${message}`, async (t) => {
    const response = await testClient(createHandler({ schema, ...options }))(request)
    const [first] = [response.json<{ errors: { message: string }[] }>()].flat()
    t.equal(first?.errors[0]?.message, message)
  })
}
