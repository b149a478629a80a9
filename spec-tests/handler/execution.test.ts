import { buildSchema, GraphQLError, type GraphQLField } from 'graphql'
import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { compiledExecution } from '../../src/compiled/index.js'
import type { Execution, Options, ResultInfo } from '../../src/index.js'
import { testClient } from '../../src/hosts/testing.js'
import { sourceOf } from '../streams/stream-test.js'
import { clientOf } from './client-of.js'
import { isCompiled } from './steps/majors.js'

const schema = buildSchema('type Query { hello: String } type Subscription { ticks: String }')
const ticks = () => sourceOf({ ticks: 'one' }, { ticks: 'two' })
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

/** A client, and by what each operation was executed. */
function telling(options: Partial<Options>) {
  const executions: ResultInfo['execution'][] = []
  const onResult: Options['onResult'] = (_, { execution }) => void executions.push(execution)
  return { ...clientOf({ schema, rootValue, onResult, ...options }), executions }
}

for (const [name, query, status, body, execution] of rows) {
  void t.test(name, async (t) => {
    const { ask, executions } = telling({ execution: writing, formatError: () => failure })
    const response = await ask(query)
    t.equal(response.status, status)
    t.equal(response.body, body)
    t.same(executions, [execution])
  })
}

void t.test('nothing is executed with wrong variables', async (t) => {
  const { ask, executions } = telling({ execution: compiledExecution() })
  const response = await ask('query ($if: Boolean!) { hello @include(if: $if) }')
  t.equal(response.status, 422)
  t.strictSame(executions, [undefined])
})

void t.test('what is noted on a resolver stays when the schema is served', async (t) => {
  const own = buildSchema('type Query { hello: String }')
  const field = own.getQueryType()?.getFields()['hello'] as GraphQLField<unknown, unknown>
  const resolve = Object.assign(() => 'yes', { isPublic: true })
  field.resolve = resolve
  await clientOf({ schema: own }).ask('{ hello }')
  t.not(field.resolve, resolve)
  t.ok((field.resolve as Partial<typeof resolve>).isPublic)
})

void t.test('events are text, too', async (t) => {
  const headers = { Accept: 'text/event-stream' }
  const json = { query: 'subscription { ticks }' }
  const { stream } = await telling({ execution: writing }).send({ headers, json })
  const text = await new Response(stream).text()
  t.match(text, /\{"event":\{"ticks":"one"\}\}[^]*\{"event":\{"ticks":"two"\}\}/)
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
  const { ask, executions } = telling({})
  await ask('{ hello }')
  await ask('{ nope }')
  t.same(executions, [isCompiled ? 'compiled' : 'not-enabled', undefined])
})

void t.test('it excludes a custom execute', async (t) => {
  const make = () => telling({ execution: writing, execute: () => ({ data: {} }) })
  const message =
    'createHandler: expected execute or execution, not both: execution runs operations itself.'
  t.throws(make, new TypeError(message))
})
