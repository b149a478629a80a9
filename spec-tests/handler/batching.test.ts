import t from 'tap'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { installedGraphQL, splitsExecution } from '../../src/graphql/js/graphql.js'
import type { Options } from '../../src/index.js'
import { thrower } from '../base/thrower.js'
import { clientOf } from './client-of.js'

const is17 = splitsExecution(installedGraphQL)

const json = 'application/json'
const jsonl = 'application/jsonl'
const graphql = 'application/graphql-response+json'
/** What clients that send lists accept. */
const usual = `${graphql}, ${json};q=0.9`
const needy = { query: 'query ($s: String!) { echo(s: $s) }' }

/** A client of a schema that counts, and what was counted. */
function counting(options: Partial<Options> = {}) {
  let count = 0
  const schema = buildSchema(
    `type Query { hello: String  echo(s: String!): String  fail: String  many(first: Int): [String] }
     type Mutation { increment: Int }
     type Subscription { ticks: Int }`,
    {
      Query: {
        hello: () => 'world',
        echo: (_: unknown, { s }: { readonly s: string }) => s,
        fail: thrower(new Error('secret')),
        many: () => ['one'],
      },
      Mutation: { increment: () => (count += 1) },
    },
  )
  const { send } = clientOf({ schema, batch: {}, createId: () => 'an id', ...options })
  return { send, counted: () => count }
}

const hello = { query: '{ hello }' }
const world = { data: { hello: 'world' } }
const increment = { query: 'mutation { increment }' }
const failed = (code: string, more?: object) => ({ errors: [{ extensions: { code, ...more } }] })
const times = (length: number, entry: unknown): unknown[] => Array.from({ length }, () => entry)

interface Row {
  readonly title: string
  readonly body: unknown
  readonly method?: string
  /** Default: what clients that send lists accept; null for none. */
  readonly accept?: string | null
  readonly options?: Partial<Options>
  /** Default: 200. */
  readonly status?: number
  /** Default: application/json for 200, else application/graphql-response+json. */
  readonly type?: string
  readonly result: unknown
  readonly counted?: number
}

// oxfmt-ignore
const lists: readonly Row[] = [
  { title: 'mutations see each other in order',           body: times(3, increment),                               result: [1, 2, 3].map((n) => ({ data: { increment: n } })), counted: 3 },
  { title: 'a field error is that of its operation',      body: [{ query: '{ fail hello }' }, hello],              result: [{ errors: [{ path: ['fail'] }], data: { fail: null, hello: 'world' } }, world] },
  { title: 'a missing variable fails alone',              body: [needy, hello],                                    result: [failed('BAD_USER_INPUT'), world] },
  ...[7, null, 'x', {}, [], [hello], { query: 5 }, { query: '{ hello }', variables: 5 }].map((entry): Row => (
  { title: `${JSON.stringify(entry)} fails alone`,        body: [hello, entry, increment],                         result: [world, failed('INVALID_PARAMETER'), { data: { increment: 1 } }], counted: 1 })),
  { title: 'a long document fails alone',                 body: [hello, { query: `{ hello }${' '.repeat(65_536)}` }], result: [world, failed('DOCUMENT_TOO_LONG', { allowed: 65_536 })] },
  { title: 'an operation that costs too much fails alone', body: [hello, { query: '{ many(first: 30000) }' }],      result: [world, failed('DOCUMENT_LIMIT_EXCEEDED', { limit: 'maxCost' })] },
  { title: 'a subscription fails alone',                  body: [{ query: 'subscription { ticks }' }, hello],      result: [failed('NOT_IN_BATCH'), world] },
  { title: 'a list of variables needs lines',             body: [{ ...needy, variables: [{ s: 'x' }] }, hello],    result: [failed('INVALID_PARAMETER'), world] },
  { title: 'lists by QUERY are refused',                  body: [increment, hello], method: 'QUERY', status: 422,               result: failed('BATCHING_NOT_SUPPORTED'), counted: 0 },
  { title: 'data beside errors is 200 too',               body: [{ query: '{ fail }' }], options: { edition: '2025-05' }, result: [{ data: { fail: null } }] },
  { title: 'in edition 2025-05 an empty list is 400',     body: [], options: { edition: '2025-05' }, status: 400,  result: failed('BATCH_EMPTY') },
  { title: 'a long list is refused as a whole',           body: times(11, increment),   status: 413,               result: failed('BATCH_TOO_LONG', { allowed: 10, found: 11 }), counted: 0 },
  { title: 'the limit of the list can be changed',        body: times(2, hello), options: { batch: { maxOperations: 1 } }, status: 413, result: failed('BATCH_TOO_LONG', { allowed: 1, found: 2 }) },
  { title: 'the costs of all operations are added up',    body: times(3, increment), options: { batch: { maxCost: 2 } }, status: 422, result: { errors: [{ message: /^The operations of the batch cost 3, /, extensions: { code: 'BATCH_TOO_EXPENSIVE', allowed: 2, found: 3 } }] }, counted: 0 },
  { title: 'an operation that fails costs nothing',       body: [increment, { query: '{ x }' }, hello], options: { batch: { maxCost: 2 } }, result: [{ data: { increment: 1 } }, failed('GRAPHQL_VALIDATION_FAILED'), world] },
  { title: 'introspection is added up as well',           body: times(3, { query: '{ __schema { types { name } } }' }), options: { maxIntrospectionSize: 60 }, status: 422, result: failed('BATCH_TOO_EXPENSIVE', { allowed: 60 }) },
  { title: 'introspection may be as large as the limit',  body: times(2, { query: '{ __type(name: "Query") { name } }' }), options: { maxIntrospectionSize: 4 }, result: times(2, { data: { __type: {} } }) },
  { title: 'and no larger',                               body: times(2, { query: '{ __type(name: "Query") { name } }' }), options: { maxIntrospectionSize: 3 }, status: 422, result: failed('BATCH_TOO_EXPENSIVE', { allowed: 3, found: 4 }) },
  { title: 'one introspection is within the limit',       body: [{ query: '{ __schema { types { name } } }' }, hello], options: { maxIntrospectionSize: 60 }, result: [{ data: { __schema: {} } }, world] },
  { title: 'without the option lists are refused',        body: [increment], options: { batch: undefined }, status: 422, result: failed('BATCHING_NOT_SUPPORTED'), counted: 0 },
  { title: 'without it lists of variables are, too',      body: { ...needy, variables: [{ s: 'x' }] }, options: { batch: undefined }, status: 422, result: failed('INVALID_PARAMETER') },
  { title: 'inherited names are not variables',           body: '{"query":"{ hello }","__proto__":{"variables":[1]}}', type: graphql, result: world },
]

// oxfmt-ignore
const types: readonly Row[] = [
  { title: 'no Accept gets a list',                       body: [hello], accept: null,                             result: [world] },
  { title: 'application/* is a list',                     body: [hello], accept: 'application/*',                  result: [world] },
  { title: 'lines with a charset are named',              body: [hello], accept: `${jsonl}; charset=utf-8`,        type: jsonl, result: [{ requestIndex: 0, ...world }] },
  { title: 'lines may be excluded',                       body: [hello], accept: `${json}, ${jsonl};q=0`,          result: [world] },
  { title: 'a list is not a GraphQL response',            body: [increment], accept: graphql, status: 406,         result: failed('NOT_ACCEPTABLE'), counted: 0 },
  { title: 'nor is it a stream of events',                body: [increment], accept: 'text/event-stream', status: 406, result: failed('NOT_ACCEPTABLE'), counted: 0 },
  { title: 'a list of variables gets no list',            body: { ...needy, variables: [{ s: 'x' }] }, status: 422, result: failed('INVALID_PARAMETER') },
  { title: 'refusals of lines are JSON',                  body: times(11, hello), accept: jsonl, status: 413,      result: failed('BATCH_TOO_LONG') },
]

// oxfmt-ignore
const lines: readonly Row[] = [
  { title: 'each line has the index of its request',      body: [hello, { query: '{ x }' }],                       result: [{ requestIndex: 0, ...world }, { requestIndex: 1, ...failed('GRAPHQL_VALIDATION_FAILED') }] },
  { title: 'variables that are not an object fail alone', body: { ...needy, variables: [7, [{ s: 'x' }], { s: 'x' }] }, result: [{ variableIndex: 0, ...failed('INVALID_PARAMETER') }, { variableIndex: 1, ...failed('INVALID_PARAMETER') }, { variableIndex: 2, data: { echo: 'x' } }] },
  { title: 'nor does it within a list',                   body: [{ ...increment, variables: [] }, hello],          result: [{ requestIndex: 1, ...world }], counted: 0 },
  { title: 'mutations run for each entry',                body: { ...increment, variables: [{}, null, {}] },       result: [1, 2, 3].map((n) => ({ data: { increment: n } })), counted: 3 },
  { title: 'a request with a mistake fails on each line', body: { query: 5, variables: [{}, {}] },                 result: times(2, failed('INVALID_PARAMETER')) },
  { title: 'entries of both lists count together',        body: [hello, { ...needy, variables: times(10, { s: 'x' }) }], status: 413, type: graphql, result: failed('BATCH_TOO_LONG', { allowed: 10, found: 11 }) },
].map((row): Row => ({ accept: jsonl, type: jsonl, ...row }))

for (const row of [...lists, ...types, ...lines]) {
  void t.test(row.title, async (t) => {
    const { accept = usual, status = 200, options, method = 'POST', body } = row
    const { send, counted } = counting(options)
    const type = row.type ?? (status === 200 ? json : graphql)
    const response = await send({
      method,
      ...(typeof body === 'string' ? { body } : { json: body }),
      headers: { 'Content-Type': json, ...(accept !== null && { Accept: accept }) },
    })
    t.equal(response.status, status)
    t.equal(response.headers.get('content-type')?.split(';')[0], type)
    const written = response.body.split('\n').slice(0, -1)
    const result =
      type === jsonl ? written.map((line) => JSON.parse(line) as unknown) : response.json()
    t.match(result, row.result)
    if (Array.isArray(row.result)) t.equal((result as unknown[]).length, row.result.length)
    if (row.counted !== undefined) t.equal(counted(), row.counted)
    t.equal(response.headers.get('vary'), 'Accept')
  })
}

void t.test('@defer is not for batches, unless it is inactive', { skip: !is17 }, async (t) => {
  const { send } = counting()
  const query = 'query ($if: Boolean!) { hello ... @defer(if: $if) { a: hello } }'
  const entries = [true, false].map((active) => ({ query, variables: { if: active } }))
  const inactive = { data: { hello: 'world', a: 'world' } }
  t.match((await send({ json: entries })).json(), [failed('NOT_IN_BATCH'), inactive])
})

void t.test('the option takes an object of limits', async (t) => {
  const make = (batch: unknown) => () => counting({ batch: batch as never })
  t.throws(make(true), { message: /batch: expected an object such as \{ maxOperations: 10 \}/ })
  t.throws(make({ maxOperation: 1 }), { message: /Did you mean "?maxOperations/ })
  t.throws(make({ maxOperations: 0 }), { message: /batch\.maxOperations: expected/ })
})
