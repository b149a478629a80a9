import * as graphql16 from 'graphql-16'
import {
  GraphQLScalarType,
  GraphQLObjectType,
  GraphQLSchema,
  execute,
  type GraphQLResolveInfo,
} from 'graphql'
import t from 'tap'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { testClient } from '../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import { createHandler, type GraphQLModule, type Options } from '../../src/index.js'
import { clientOf } from '../handler/client-of.js'
import { overSocket } from '../handler/over-socket.js'
import { accepts, without17 } from './client.js'
import { mergeParts } from './merge-parts.js'

const skip = without17
const sdl =
  'type Query { a: String  list(first: Int): [Item]  seen: Int } type Item { b: String  items: [Item] }'
const root = { a: 'x', list: [{ b: 'y' }], seen: 1 }
const query = '{ a ... @defer { list { b } } }'
const whole = { data: { a: 'x', list: [{ b: 'y' }] } }

const standard =
  'directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT ' +
  'directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD '
const nullable =
  'directive @defer(label: String, if: Boolean) on FRAGMENT_SPREAD | INLINE_FRAGMENT ' +
  'directive @stream(if: Boolean, label: String, initialCount: Int = 0) on FIELD '
const others = 'directive @defer(until: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT '

const graphql = graphql16 as unknown as GraphQLModule & { buildSchema(sdl: string): GraphQLSchema }

// oxfmt-ignore
const rows: readonly [title: string, options: () => Options, delivered: 'in parts' | 'whole' | 'refused', needs17?: true][] = [
  ['graphql 17',                                      () => ({ schema: buildSchema(sdl) }),                             'in parts', true],
  ['a schema that declares the directives',           () => ({ schema: buildSchema(standard + sdl) }),                  'in parts', true],
  ['a schema that declares them with nullable arguments', () => ({ schema: buildSchema(nullable + sdl) }),              'in parts', true],
  ['a schema for each request',                       () => ({ schema: () => buildSchema(sdl) }),                       'in parts', true],
  ['a schema that declares another @defer',           () => ({ schema: buildSchema(others + sdl) }),                    'whole'],
  ['a schema with an Int of its own',                 () => ({ schema: withOwnInt() }),                                 'refused'],
  ['incremental: false',                              () => ({ schema: buildSchema(sdl), incremental: false }),         'refused'],
  ['incremental: false, declared',                    () => ({ schema: buildSchema(standard + sdl), incremental: false }), 'whole'],
  ['a custom executor',                               () => ({ schema: buildSchema(sdl), execute: (args) => execute(args) }), 'refused'],
  ['graphql 16',                                      () => ({ schema: graphql.buildSchema(sdl), graphql }),            'refused'],
  ['graphql 16, declared',                            () => ({ schema: graphql.buildSchema(standard + sdl), graphql }), 'whole'],
]

for (const [title, options, delivered, needs17] of rows) {
  void t.test(`${title}: ${delivered}`, { skip: needs17 === true && skip }, async (t) => {
    const send = testClient(createHandler({ rootValue: root, ...options() }))
    for (let round = 0; round < 2; round++) {
      const Accept = 'multipart/mixed, application/json'
      const response = await send({ json: { query }, headers: { Accept } })
      t.equal(response.stream !== undefined, delivered === 'in parts')
      await response.stream?.cancel()
      t.equal(response.status, delivered === 'refused' ? 422 : 200)
      if (delivered === 'whole') t.strictSame(response.json(), whole)
      if (delivered === 'refused') {
        t.match(response.json(), { errors: [{ message: 'Unknown directive "@defer".' }] })
      }
    }
  })
}

void t.test("graphql 16: resolvers see a @stream that is the schema's own", async (t) => {
  const seen = (_: unknown, __: unknown, { fieldNodes }: GraphQLResolveInfo): unknown =>
    fieldNodes[0]?.directives?.length
  const schema = graphql.buildSchema(
    'directive @stream(quality: Int) on FIELD type Query { seen: Int }',
  )
  const { body } = await clientOf({ schema, graphql, rootValue: { seen } }).ask(
    '{ seen @stream(quality: 2) }',
  )
  t.equal(body, '{"data":{"seen":1}}')
})

/** A schema has only one type of a name, so @stream with the usual Int does not fit. */
function withOwnInt(): GraphQLSchema {
  const int = new GraphQLScalarType({ name: 'Int' })
  const fields = { a: { type: int }, list: { type: int } }
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields }) })
}

void t.test('introspection shows the directives that clients may use', { skip }, async (t) => {
  const names = async (options: Partial<Options>): Promise<readonly string[]> => {
    const { ask } = clientOf({ schema: buildSchema(sdl), ...options })
    const { body } = await ask('{ __schema { directives { name } } }')
    return Array.from(body.matchAll(/"name":"(\w+)"/g), ([, name = '']) => name)
  }
  const usual = await names({ incremental: false })
  t.notOk(usual.includes('defer'))
  t.strictSame(await names({}), [...usual, 'defer', 'stream'])
  const declared = await names({ schema: buildSchema(standard + sdl) })
  t.strictSame(declared.toSorted(), (await names({})).toSorted())
})

void t.test('resolvers and hooks see the schema of the options', { skip }, async (t) => {
  const schemas: GraphQLSchema[] = []
  const schema = buildSchema(sdl, {
    Query: { seen: (_: unknown, __: unknown, ___: unknown, info) => schemas.push(info.schema) },
  })
  const admit: Options['admit'] = (request) => void schemas.push(request.schema)
  const { ask, send } = clientOf({ schema, admit })
  for (const text of [
    '{ seen }',
    'query defer { seen }',
    '{ seen @include(if: true) # upstream\n }',
  ]) {
    await ask(text)
    t.strictSame(schemas.splice(0), [schema, schema])
  }
  const Accept = accepts['v0.2']
  const response = await send({ json: { query: '{ seen ... @defer { a } }' }, headers: { Accept } })
  await response.stream?.cancel()
  t.equal(schemas[0], schema, 'hooks also if the document defers')
  t.equal(schemas[1]?.getType('Item'), schema.getType('Item'), 'and types are shared')
})

// oxfmt-ignore
const costs: readonly [query: string, variables: object, cost: number][] = [
  ['{ a }',                                                       {},            1],
  ['{ ... @defer { a } }',                                        {},            11],
  ['{ ... @defer(if: false) { a } }',                             {},            1],
  ['query ($if: Boolean!) { ... @defer(if: $if) { a } }',         { if: false }, 1],
  ['query ($if: Boolean!) { ... @defer(if: $if) { a } }',         { if: true },  11],
  ['{ list(first: 5) { b } }',                                    {},            6],
  ['{ list(first: 5) { ... @defer { b } } }',                     {},            56],
  ['{ list(first: 5) @stream { b } }',                            {},            56],
  ['{ list(first: 5) { items @stream { b } } }',                  {},            1 + 5 * (1 + 5 * 11)],
  ['{ ...F @defer } fragment F on Query { a ... @defer { seen } }', {},          22],
]
for (const [source, variables, cost] of costs) {
  void t.test(`${source} with ${JSON.stringify(variables)} costs ${cost}`, { skip }, async (t) => {
    let found = 0
    const admit: Options['admit'] = (request) => void (found = request.cost)
    const { ask } = clientOf({ schema: buildSchema(sdl), admit })
    for (let round = 0; round < 2; round++) {
      await ask(source, variables)
      t.equal(found, cost)
    }
  })
}

void t.test('routes ignore the directives', { skip }, async (t) => {
  const handler = createRestHandler({
    schema: buildSchema(sdl),
    rootValue: root,
    routes: [{ method: 'GET', path: '/all', operation: '{ list @stream { ... @defer { b } } }' }],
  })
  for (const Accept of ['application/json', 'multipart/mixed, application/json']) {
    const response = await testClient(handler)({ target: '/all', headers: { Accept } })
    t.equal(response.status, 200)
    t.strictSame(response.json(), [{ b: 'y' }])
  }
})

void t.test('over a socket the result comes in parts, in v0.2', { skip }, async (t) => {
  const options = { schema: buildSchema(sdl), rootValue: root }
  const play = (text: string) => overSocket(options, { query: text })
  const [first = '', second = '', ...end] = await play(query)
  t.strictSame(end, ['complete'])
  t.strictSame(mergeParts([JSON.parse(first), JSON.parse(second)], 'v0.2').data, whole.data)
  t.strictSame(await play('{ a }'), ['{"data":{"a":"x"}}', 'complete'])
  t.match(await play('{ a @defer }'), [/may not be used on FIELD/])
})

void t.test('onResult is called once, with the first part', { skip }, async (t) => {
  const results: unknown[] = []
  const onResult: Options['onResult'] = (_, { status, hasData, operationType, size }) =>
    results.push({ status, hasData, operationType, size })
  const send = testClient(createHandler({ schema: buildSchema(sdl), rootValue: root, onResult }))
  const response = await send({ json: { query }, headers: { Accept: accepts['v0.2'] } })
  await response.stream?.cancel()
  t.strictSame(results, [{ status: 200, hasData: true, operationType: 'query', size: 0 }])
})
