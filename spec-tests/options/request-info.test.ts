import t from 'tap'
import type { TestRequest } from '../../src/hosts/testing.js'
import { fieldValue, success, type Options, type RequestInfo } from '../../src/index.js'
import { thrower } from '../base/thrower.js'
import { clientOf } from '../handler/client-of.js'
import { majors } from '../handler/steps/majors.js'

const authenticate: Options['authenticate'] = () => success('me')
const secret = new Error('secret')
const json = { query: 'query Q { a fail }' }
const known = {
  target: '/graphql',
  head: { method: 'POST' },
  principal: 'me',
  params: { query: json.query },
  operation: { name: { value: 'Q' } },
  cost: 2,
}

const invalid = { json: { query: '{ nope }' } }
const early = (method: string) => ({ head: { method }, principal: undefined, params: undefined })
const noOperation = { operation: undefined, cost: undefined }
const unplanned = (query: string) => ({ ...known, params: { query }, ...noOperation })

/** Options that hand what the hook got as its request to `got`. */
type ToOptions = (got: (request: RequestInfo | undefined) => undefined) => Partial<Options>
type Row = readonly [title: string, options: ToOptions, expected: object, request?: TestRequest]

// oxfmt-ignore
const rows: readonly Row[] = [
  ['formatError, of a field', (got) => ({ formatError: (shown, _, request) => (got(request), shown) }), known],
  ['formatError, of a document without an operation', (got) => ({ formatError: (shown, _, request) => (got(request), shown) }), unplanned('{ nope }'), invalid],
  ['responseHeaders', (got) => ({ responseHeaders: (_, __, request) => got(request) }), known],
  ['responseHeaders, of a refusal of HTTP', (got) => ({ responseHeaders: (_, __, request) => got(request) }), early('PUT'), { method: 'PUT' }],
  ['onBug, of a field', (got) => ({ onBug: (_, __, request) => got(request) }),                          known],
  ['onBug, of context', (got) => ({ onBug: (_, __, request) => got(request), context: thrower(secret) }), known],
  ['onBug, of authenticate', (got) => ({ onBug: (_, __, request) => got(request), authenticate: thrower(secret) }), early('POST')],
  ['onLimit, of a document', (got) => ({ reportOnly: 'all', maxTokens: 1, onLimit: (_, request) => got(request && { ...request }) }), unplanned(json.query)],
  ['onLimit, of what an operation costs', (got) => ({ reportOnly: 'all', maxCost: 1, onLimit: (_, request) => got(request && { ...request }) }), known],
  ['onBug, of an onLimit that fails', (got) => ({ reportOnly: 'all', maxCost: 1, onLimit: thrower(secret), onBug: (_, __, request) => got(request) }), known],
]

for (const { name, graphql, schema } of majors) {
  for (const [title, options, expected, request = { json }] of rows) {
    void t.test(`the request is known to ${title}, ${name}`, async (t) => {
      let got: RequestInfo | undefined
      const { send } = clientOf({
        schema,
        graphql,
        rootValue: { a: 'x', fail: thrower(secret) },
        authenticate,
        ...options((one) => void (got ??= one)),
      })
      await send(request)
      t.match(got, expected)
    })
  }
}

const { schema } = majors[0]!

void t.test('the details of a bug name the operation where it is known', async (t) => {
  const named: unknown[] = []
  const onBug: Options['onBug'] = (_, { operationName }) => named.push(operationName)
  await clientOf({ schema, context: thrower(secret), onBug }).send({ json })
  t.strictSame(named, ['Q'])
})

void t.test('createId may reuse the id of a request', async (t) => {
  const createId: Options['createId'] = (head) =>
    (head && fieldValue(head.headers, 'x-request-id')) ?? 'none'
  const { send } = clientOf({ schema, rootValue: { fail: thrower(secret) }, createId })
  const response = await send({ json: { query: '{ fail }' }, headers: { 'X-Request-Id': 'a' } })
  t.match(response.json(), { errors: [{ extensions: { id: 'a' } }] })
})

// oxfmt-ignore
const broken: readonly [title: string, createId: () => unknown][] = [
  ['that throws',           thrower(new Error('away'))],
  ['whose promise rejects', () => Promise.reject(new Error('away'))],
  ['that gives no text',    () => undefined],
]

for (const [title, createId] of broken) {
  void t.test(`a createId ${title} is replaced, and the process goes on`, async (t) => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    t.teardown(() => process.off('unhandledRejection', note))
    const rootValue = { fail: () => Promise.reject(secret) }
    const { ask } = clientOf({ schema, rootValue, createId: createId as never })
    const errors = [{ extensions: { id: /^[0-9a-f-]{36}$/ } }]
    t.match((await ask('{ fail }')).json(), { errors })
    await new Promise((resolve) => setTimeout(resolve, 5))
    t.same(unhandled, [])
  })
}
