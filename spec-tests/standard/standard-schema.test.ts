import { execute, parse, subscribe, type ExecutionResult, type GraphQLObjectType } from 'graphql'
import t from 'tap'
import { readFixtures } from '../conformance/read-fixtures.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

type Results = AsyncIterableIterator<ExecutionResult>

function serve() {
  const schema = createStandardSchema()
  const run = async (query: string): Promise<Record<string, unknown>> => {
    const { data } = await (execute({ schema, document: parse(query) }) as Promise<ExecutionResult>)
    return { ...data }
  }
  return {
    run,
    start: async (field: string) =>
      await subscribe({ schema, document: parse(`subscription { ${field} }`) }),
    openSources: async () => (await run('{ openSources }'))['openSources'],
  }
}

async function collect(results: Results): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const { data, errors } of results) {
    values.push(...Object.values(data ?? {}), ...(errors ? ['error'] : []))
  }
  return values
}

// oxfmt-ignore
const finite: readonly (readonly [field: string, values: readonly unknown[]])[] = [
  ['countdown(from: 2)',            [2, 1, 0]],
  ['countdown(from: 2, delay: 5)',  [2, 1, 0]],
  ['countdown(from: -1)',           []],
  ['countdown(from: 0, delay: null)', [0]],
  ['odd(count: 3)',                 [0, null, 'error', 2]],
]

for (const [field, values] of finite) {
  void t.test(`${field} sends ${JSON.stringify(values)} and ends`, async (t) => {
    const server = serve()
    const results = await server.start(field)
    t.equal(await server.openSources(), 1)
    t.strictSame(await collect(results as Results), values)
    t.equal(await server.openSources(), 0)
  })
}

// oxfmt-ignore
const refused = ['refused', 'countdown(from: 1, delay: -1)', 'flood(bytes: -1)', 'flood(bytes: 1048577)']

for (const field of refused) {
  void t.test(`${field} is an error, and no source is open`, async (t) => {
    const server = serve()
    const result = (await server.start(field)) as ExecutionResult
    t.equal(result.errors?.length, 1)
    t.equal(await server.openSources(), 0)
  })
}

void t.test('counter sends its value and each further one, awaited or not', async (t) => {
  const server = serve()
  await server.run('mutation { increment }')
  const results = (await server.start('counter')) as Results
  t.same((await results.next()).value.data, { counter: 1 })
  await server.run('mutation { a: increment b: increment }')
  t.same((await results.next()).value.data, { counter: 2 })
  t.same((await results.next()).value.data, { counter: 3 })
  const waiting = results.next()
  await server.run('mutation { increment }')
  t.same((await waiting).value.data, { counter: 4 })
  await results.return?.()
  t.equal(await server.openSources(), 0)
})

void t.test('flood sends as often as it is asked', async (t) => {
  const server = serve()
  const results = (await server.start('flood(bytes: 3)')) as Results
  t.same((await results.next()).value.data, { flood: 'xxx' })
  t.same((await results.next()).value.data, { flood: 'xxx' })
  await results.return?.()
  t.equal(await server.openSources(), 0)
})

void t.test('silent and a long countdown end when closed, and count exactly', async (t) => {
  const server = serve()
  const silent = (await server.start('silent')) as Results
  const slow = (await server.start('countdown(from: 9, delay: 60000)')) as Results
  t.same((await slow.next()).value.data, { countdown: 9 })
  t.equal(await server.openSources(), 2)
  await Promise.all([silent.return?.(), slow.return?.()])
  t.equal(await server.openSources(), 0)
})

void t.test('people are the persons in their order', async (t) => {
  const { run } = serve()
  const { people } = await run('{ people { id } }')
  const expected = Array.from('123456789', (id) => ({ id }))
  t.same(people, expected)
})

void t.test('fixtures/standard/behaviour.json describes each field of a root', async (t) => {
  const { fields } = readFixtures('standard/behaviour.json') as { readonly fields: object }
  const schema = createStandardSchema()
  for (const root of ['Query', 'Mutation', 'Subscription']) {
    const type = schema.getType(root) as GraphQLObjectType
    for (const name of Object.keys(type.getFields())) {
      t.ok(Object.hasOwn(fields, `${root}.${name}`), `${root}.${name}`)
    }
  }
})
