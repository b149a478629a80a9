import { buildSchema, GraphQLError } from 'graphql'
import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { createHandler, type Execution, type ResultInfo } from '../../src/index.js'
import { testClient } from '../../src/hosts/testing.js'
import { isCompiled } from './steps/majors.js'

const schema = buildSchema('type Query { hello: String } type Subscription { ticks: String }')
const ticks = async function* (): AsyncGenerator<object> {
  yield { ticks: 'one' }
  yield { ticks: 'two' }
}
const rootValue = { hello: 'interpreted', ticks }

/** Writes what nothing else would, with an error if the operation asks for one. */
const writing: Execution = ({ interpret }) => ({
  execute(operation, input) {
    const name = operation.definition.name?.value
    if (name === 'Interpreted') return interpret(operation, input)
    const errors = name === 'Failing' ? [new GraphQLError('No.', { path: ['hello'] })] : []
    return { ok: true, value: { kind: 'written', body: '{"data":{"hello":"written"}}', errors } }
  },
  executeEvent: (_, { rootValue: event }) => ({
    ok: true,
    value: { kind: 'written', body: `{"data":{"event":${JSON.stringify(event)}}}`, errors: [] },
  }),
  describe: ({ definition }) =>
    definition.name?.value === 'Interpreted' ? 'few-uses' : 'compiled',
})

const failure = { message: 'Internal server error', extensions: { code: 'X', id: 'x' } }

// oxfmt-ignore
const rows: readonly [name: string, query: string, status: number, body: string, execution: string][] = [
  ['text is sent as it is',          '{ hello }',                   200, '{"data":{"hello":"written"}}',                                                              'compiled'],
  ['errors come before it',          'query Failing { hello }',     294, `{"errors":[${JSON.stringify(failure)}],"data":{"hello":"written"}}`,                        'compiled'],
  ['objects are written as always',  'query Interpreted { hello }', 200, '{"data":{"hello":"interpreted"}}',                                                          'few-uses'],
]

for (const [name, query, status, body, execution] of rows) {
  void t.test(name, async (t) => {
    const seen: ResultInfo[] = []
    const handler = createHandler({
      schema,
      rootValue,
      execution: writing,
      onBug: () => undefined,
      formatError: () => failure,
      onResult: (_, result) => void seen.push(result),
    })
    const headers = { Accept: 'application/graphql-response+json' }
    const response = await testClient(handler)({ headers, json: { query } })
    t.equal(response.status, status)
    t.equal(response.body, body)
    t.equal(seen[0]?.execution, execution)
  })
}

void t.test('events are text, too', async (t) => {
  const handler = createHandler({ schema, rootValue, execution: writing })
  const headers = { Accept: 'text/event-stream' }
  const json = { query: 'subscription { ticks }' }
  const { stream } = await testClient(handler)({ headers, json })
  t.match(
    await new Response(stream).text(),
    /\{"event":\{"ticks":"one"\}\}[^]*\{"event":\{"ticks":"two"\}\}/,
  )
})

void t.test('routes read the data, so graphql-js executes them', async (t) => {
  const seen: ResultInfo[] = []
  const handler = createRestHandler({
    schema,
    rootValue,
    execution: writing,
    onResult: (_, result) => void seen.push(result),
    routes: [{ method: 'GET', path: '/hello', operation: '{ hello }' }],
  })
  const response = await testClient(handler)({ target: '/hello' })
  t.equal(response.body, '"interpreted"')
  t.equal(seen[0]?.execution, undefined)
})

void t.test('without it, nothing is compiled', async (t) => {
  const seen: ResultInfo[] = []
  const handler = createHandler({
    schema,
    rootValue,
    onResult: (_, result) => void seen.push(result),
  })
  await testClient(handler)({ json: { query: '{ hello }' } })
  await testClient(handler)({ json: { query: '{ nope }' } })
  t.same(
    seen.map(({ execution }) => execution),
    [isCompiled ? 'compiled' : 'not-enabled', undefined],
  )
})

void t.test('it excludes a custom execute', async (t) => {
  t.throws(
    () => createHandler({ schema, execution: writing, execute: () => ({ data: {} }) }),
    new TypeError(
      'createHandler: expected execute or execution, not both: execution runs operations itself.',
    ),
  )
})
