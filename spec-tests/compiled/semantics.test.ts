import { tracingChannel } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildSchema, concatAST, execute, GraphQLError, parse } from 'graphql'
import type { GraphQLResolveInfo, GraphQLScalarType } from 'graphql'
import { createBytes, readText, writeText } from '../../src/compiled/text-bytes.js'
import t from 'tap'
import { compiledExecution, createTextExecutor, executeText } from '../../src/compiled/index.js'
import { installedGraphQL, splitsExecution } from '../../src/graphql/js/graphql.js'
import { thrower } from '../base/thrower.js'
import { clientOf } from '../handler/client-of.js'
import { executeByReference } from './differential/executors.js'
import { atOnce, outcomeOf, schemaWith, toArgs } from './outcome.js'

const is17 = splitsExecution(installedGraphQL)

const sdl = `
  directive @experimental_disableErrorPropagation on QUERY
  enum Color { RED GREEN }
  interface Named { name: String }
  type Dog implements Named { name: String  barks: Boolean }
  type Cat implements Named { name: String! }
  union Pet = Dog | Cat
  input Filter { from: Int = 1  tags: [String!] }
  scalar Any
  type Query {
    text(limit: Int = 3, color: Color = RED, filter: Filter): String
    must: String!  number: Int  float: Float  id: ID  flag: Boolean  color: Color  any: Any
    self: Query  mustSelf: Query!  pet: Pet  pets: [Named!]
    texts: [String]  mustTexts: [String!]  lists: [[Int!]]
  }
  type Mutation { one: Int  two: Int  must: Int! }
`

/** What graphql-js gives for a root value, the compiled executor must give, byte for byte. */
type Row = readonly [name: string, query: string, root: () => unknown, more?: object]

const late = async <Value>(value: Value): Promise<Value> => {
  await Promise.resolve()
  return value
}

const failLate = async (message: string): Promise<never> => {
  await Promise.resolve()
  throw new Error(message)
}

function* generate(): Generator {
  yield 'a'
  yield late('b')
}

async function* generateLater(last: unknown): AsyncGenerator {
  yield 'a'
  await Promise.resolve()
  yield last
}

// oxfmt-ignore
const rejected: readonly [query: string, more?: object][] = [
  ['{ id } { text }'],
  ['query A { id } query B { id }'],
  ['query A { id } query B { text }',    { operationName: 'C' }],
  ['query A { id } query B { text }',    { operationName: 'B' }],
  ['fragment F on Query { id }'],
  ['subscription { id }'],
  ['query ($x: Int!) { id }'],
  ['query ($x: Int!) { id }',            { variableValues: { x: null } }],
  ['query ($x: Dog) { id }',             { variableValues: { x: 1 } }],
  ['query ($x: [Int], $y: Int) { id }',  { variableValues: { x: ['a', 'b', 'c'], y: 1.5 }, options: { maxCoercionErrors: 2 } }],
  ['{ id }',                             { variableValues: 'text' }],
  ['{ id nothing self { nothing } }'],
  ['{ ...Missing id }'],
]

// oxfmt-ignore
const rows: readonly Row[] = [
  ['async lists that cannot be begun', '{ texts number }', () => ({ texts: { [Symbol.asyncIterator]: thrower(new Error('locked')) }, number: 1 })],
  ['the same where null is not allowed', '{ self { mustTexts lists } number }', () => ({ self: { mustTexts: [{ [Symbol.asyncIterator]: 1 }], lists: [{ [Symbol.asyncIterator]: thrower(new Error('locked')) }] }, number: 1 })],
  ['introspection', '{ __schema { queryType { name } } __type(name: "Dog") { kind } self { __typename } }', () => ({ self: {} })],
  ['values that must be converted', '{ id float number flag text }', () => ({ id: 7, float: '1.5', number: true, flag: 1, text: 12 })],
  ['numbers at their limits', '{ number lists float }', () => ({
    number: -0,
    lists: [[0, 9, 10, -1, -10, 2_147_483_647, -2_147_483_648, 123_456]],
    float: 1e-7,
  })],
  ['numbers beyond them', '{ number float }', () => ({ number: 2 ** 31, float: Infinity })],
  ['texts with every kind of escape', '{ text texts }', () => ({
    text: '"\\/\b\f\n\r\t\u0001\u007f\u2028\u2029é€😀\ud800x\udc00',
    texts: ['', 'a'.repeat(39), 'a'.repeat(40), 'a'.repeat(41), `${'b'.repeat(60)}"`, '\ufeffä'],
  })],
  ['a text of several buffers',              '{ text texts }',                   () => ({ text: 'x'.repeat(200_000), texts: ['ü'.repeat(100_000), 'y'] })],
  ['no fields at all',                       '{ text @skip(if: true) }',         () => ({})],
  ['a root value that is nothing',           '{ text self { id } }',             () => undefined],
  ['functions as methods and as sources', '{ text self { id } }', () => ({
    name: 'this',
    text(): unknown {
      return (this as { name: string }).name
    },
    self: () => Object.assign(() => 'f', { id: 'of a function' }),
  })],
  ['a function that gives a function',                       '{ self { id } text }', () => ({ self: () => () => 'f', text: () => () => 'g' })],
  ['errors that are returned, thrown, and no errors at all', '{ a: text b: must }',  () => ({ text: new Error('returned'), must: thrower('thrown text') })],
  ...[undefined, null, { secret: 1 }, Symbol('s'), 7n, [1, 2, [3, [4]]], thrower(1)].map(
    (thrown, at): Row => [`something else is thrown: ${at}`, '{ text }', () => ({ text: thrower(thrown) })],
  ),
  ['a GraphQLError with a path of its own stays as it is', '{ text }', () => ({ text: thrower(new GraphQLError('own', { path: ['elsewhere', 1] })) })],
  [
    'a null climbs to the next position that may be null',
    '{ a: self { mustSelf { must } id } id }',
    () => ({ self: { mustSelf: { must: null }, id: 'x' }, id: 'y' }),
  ],
  ['a null climbs to the data', '{ id must }', () => ({ id: 'x' })],
  ['a late null climbs to the data', '{ id must self { text } }', () => ({ id: late('x'), must: late(null), self: late({ text: late('a') }) })],
  ['a failure beside a promise', '{ self { id must text } number }', () => ({ self: { id: late('x'), must: thrower(new Error('no')), text: 'a' }, number: 1 })],
  ['a failure beside a promise that fails', '{ self { id must } number }', () => ({ self: { id: failLate('late'), must: thrower(new Error('no')) }, number: 1 })],
  [
    'two failures, only one of which is reported',
    '{ self { must mustSelf { must } } }',
    () => ({ self: { must: failLate('first'), mustSelf: { must: failLate('second') } } }),
  ],
  ['lists: sets, generators, holes; a text is no list',       '{ a: texts b: mustTexts }', () => ({ texts: new Set(['a', null, 'b']), mustTexts: 'text' })],
  ['a generator with a promise',                              '{ texts }',                 () => ({ texts: generate() })],
  ['an asynchronous generator is a list on graphql 17 alone', '{ texts }',                 () => ({ texts: generateLater('b') })],
  ['the same with an item that cannot be a text',             '{ texts number }',          () => ({ texts: generateLater({}), number: late(1) })],
  ['an array with holes and one that changes while it is completed', '{ texts lists }', () => {
    const changing = {
      toString: () => 'x',
      valueOf() {
        list.length = 3
        return 'changed'
      },
    }
    const list: unknown[] = [() => 'not called', changing, undefined, 'gone']
    return { texts: list, lists: [[1, null], undefined, [2]] }
  }],
  ['items that fail, at once and late', '{ texts mustTexts }',         () => ({ texts: [failLate('late'), {}, 'x'], mustTexts: ['a', {}, late('b')] })],
  ['enums and what is none',            '{ a: color self { color } }', () => ({ color: 'RED', self: { color: 'BLUE' } })],
  ['abstract types by __typename', '{ pet { __typename ... on Dog { barks } } pets { name } }', () => ({
    pet: { __typename: 'Dog', barks: true },
    pets: [{ __typename: 'Cat', name: 'Tom' }, late({ __typename: 'Dog', name: late('Rex') })],
  })],
  ['abstract types that cannot be found', '{ a: pet { __typename } b: pets { name } c: self { pet { __typename } } }', () => ({
    pet: {},
    pets: [{ __typename: 'Query' }],
    self: { pet: { __typename: 'Nothing' } },
  })],
  [
    'values of variables, good and bad',
    'query ($l: Int, $c: Color, $t: String! = "d") { text(limit: $l, color: $c) id @skip(if: false) any }',
    () => ({}),
    { variableValues: { l: 'seven', c: 'BLUE' } },
  ],
  ['a value of a variable with a suggestion', 'query ($c: Color) { text(color: $c) }', () => ({}), { variableValues: { c: 'RAD' } }],
  ['a schema that is not valid', '{ id }', () => ({}), { schema: buildSchema('interface A { a: ID } type Query implements A { id: ID }') }],
  ['@include without a value fails where it is read', 'query ($on: Boolean) { id self { text @include(if: $on) } }', () => ({ id: 'x', self: { text: 'y' } })],
  [
    '@skip with a null fails where it is read',
    'query ($off: Boolean = true) { id self { text @skip(if: $off) } }',
    () => ({ id: 'x', self: { text: 'y' } }),
    { variableValues: { off: null } },
  ],
  ['mutations run in turn', 'mutation { one two again: one }', () => {
    let count = 0
    return { one: async () => late((count += 1)), two: () => (count += 10) }
  }],
  [
    'nothing of a mutation runs after a null has climbed',
    'mutation { one must two }',
    () => ({ one: late(1), must: failLate('no'), two: thrower('must not be called') }),
  ],
  [
    'error propagation can be disabled on graphql 17',
    'query @experimental_disableErrorPropagation { id must self { must } }',
    () => ({ id: 'x', must: null, self: { must: late(null) } }),
  ],
  ['introspection, also below the root', '{ __schema { types { name } } self { __type(name: "Dog") { fields { name } } } }', () => ({ self: {} })],
  ['resolvers of the arguments', '{ id pet { __typename ... on Dog { name } } }', () => 'root', {
    fieldResolver: (source: unknown, _: unknown, context: unknown, { fieldName }: GraphQLResolveInfo) => `${String(source)} ${String(context)} ${fieldName}`,
    typeResolver: () => 'Dog',
    contextValue: 'context',
  }],
  ...rejected.map(([query, more = {}]): Row => [`rejected before it is executed: ${query}`, query, () => ({ id: 'x', self: {} }), more]),
]

const schema = buildSchema(sdl)

for (const [name, query, root, more] of rows) {
  void t.test(name, async (t) => {
    const argsOf = () => toArgs(schema, query, { rootValue: root(), ...more })
    const expected = await outcomeOf(executeByReference, argsOf())
    t.same(await outcomeOf(executeText, argsOf()), expected)
    // A second run has a plan, and others have run meanwhile.
    t.same(await outcomeOf(executeText, argsOf()), expected)
  })
}

void t.test('fields below share the path of the field', async (t) => {
  const seen: GraphQLResolveInfo[] = []
  const keep = (_: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo) => {
    seen.push(info)
    return [{ name: 'x', __typename: 'Dog' }]
  }
  const resolving = schemaWith(sdl, { Query: { pets: keep }, Dog: { name: keep } })
  await executeText(toArgs(resolving, '{ pets { name } }'))
  t.equal(seen.length, 2)
  t.equal(seen[1]?.path.prev?.prev, seen[0]?.path)
})

void t.test('a resolver that is replaced later is called, without this', async (t) => {
  const resolving = schemaWith(sdl, { Query: { id: () => 'first' } })
  const document = parse('{ id }')
  t.equal(atOnce(executeText({ schema: resolving, document })).text, '{"id":"first"}')
  const { id } = resolving.getQueryType()!.getFields()
  id!.resolve = function resolve(this: unknown) {
    return String(this)
  }
  t.equal(atOnce(executeText({ schema: resolving, document })).text, '{"id":"undefined"}')
})

void t.test('a built-in scalar whose method was replaced gives what that gives', async (t) => {
  const scalar = schema.getType('Int') as GraphQLScalarType
  const args = toArgs(schema, '{ number }', { rootValue: { number: 1 } })
  t.equal(atOnce(executeText(args)).text, '{"number":1}')
  const method = is17 ? 'coerceOutputValue' : 'serialize'
  const { restore } = t.intercept(scalar, method, { value: () => 'replaced' })
  t.equal(atOnce(executeText(args)).text, '{"number":"replaced"}')
  restore()
  t.equal(atOnce(executeText(args)).text, '{"number":1}')
})

void t.test('a flag is what its scalar makes of it', async (t) => {
  const scalar = schema.getType('Boolean') as GraphQLScalarType
  t.intercept(scalar, is17 ? 'coerceInputValue' : 'parseValue', {
    value: (value: unknown) => (value === 'odd' ? value : value === 'yes'),
  })
  const document = parse('query ($a: Boolean) { id @skip(if: $a) text @include(if: $a) }')
  for (const a of ['yes', 'no', 'odd', null, undefined, 'yes', 'no', 'odd']) {
    const args = { schema, document, rootValue: { id: 'x', text: 'y' }, variableValues: { a } }
    t.same(await outcomeOf(executeText, args), await outcomeOf(executeByReference, args), String(a))
  }
})

void t.test('a module that lacks what compiling needs is interpreted', async (t) => {
  const { locatedError: _, ...without } = installedGraphQL
  const run = createTextExecutor({ ...without, execute })
  t.equal(atOnce(run(toArgs(schema, '{ id }', { rootValue: { id: 1 } }))).text, '{"id":"1"}')
})

void t.test(
  'aborted while a failure climbs, a run leaves nothing waiting',
  { skip: !is17 },
  async (t) => {
    const after = (count: number, work: () => void): void =>
      count === 0 ? work() : queueMicrotask(() => after(count - 1, work))
    for (let count = 0; count < 14; count += 1) {
      const controller = new AbortController()
      const fails = async () => {
        await nextTurn()
        after(count, () => controller.abort())
        throw new Error('No.')
      }
      const mustSelf = async () => ({ mustSelf: async () => ({ must: fails }) })
      const rootValue = { self: { mustSelf }, id: async () => nextTurn(1) }
      const args = toArgs(schema, '{ self { mustSelf { mustSelf { must } } } id }', { rootValue })
      const run = async () => executeText({ ...args, abortSignal: controller.signal })
      const failure = await run().catch((error: unknown) => error)
      await (failure as { readonly abortedResult?: Promise<unknown> }).abortedResult
      t.pass(`${count} microtasks later`)
    }
  },
)

void t.test(
  'aborted while a list whose item failed becomes null, a run leaves nothing waiting',
  { skip: !is17 },
  async (t) => {
    const listing = buildSchema('type Query { items: [Item!] } type Item { must: Int! }')
    async function* items() {
      yield { must: async () => Promise.reject(new Error('No.')) }
      for (let more = 0; more < 12; more += 1) await Promise.resolve()
    }
    for (let count = 0; count < 45; count += 1) {
      const controller = new AbortController()
      const args = toArgs(listing, '{ items { must } }', { rootValue: { items } })
      const run = async () => executeText({ ...args, abortSignal: controller.signal })
      const ran = run().catch((error: unknown) => error)
      for (let hop = 0; hop < count; hop += 1) await Promise.resolve()
      controller.abort()
      await ((await ran) as { readonly abortedResult?: Promise<unknown> }).abortedResult
      t.pass(`${count} microtasks later`)
    }
  },
)

void t.test(
  'a run that ends by its length fires the signal of its resolvers',
  { skip: !is17 },
  async (t) => {
    let signal: AbortSignal | undefined
    const execution = compiledExecution({ afterUses: 0 })
    const rootValue = {
      texts: async () => Array.from({ length: 2_000 }, () => 'x'.repeat(100)),
      id(_args: unknown, _context: unknown, info: GraphQLResolveInfo) {
        signal = info.getAbortSignal()
        return new Promise(() => undefined)
      },
    }
    const { ask } = clientOf({
      schema,
      execution,
      rootValue,
      maxResponseBytes: 50,
      onBug: () => {},
    })
    t.equal((await ask('{ id texts }')).status, 500)
    t.equal(signal?.aborted, true)
  },
)

void t.test('a request may leave out all variables', async (t) => {
  const execution = compiledExecution({ afterUses: 0 })
  const { ask } = clientOf({ schema, execution, rootValue: { text: 'x' } })
  t.equal((await ask('query ($a: Int) { text(limit: $a) }')).body, '{"data":{"text":"x"}}')
})

void t.test('schemas of other documents are not mixed up', async (t) => {
  const document = parse('{ id }')
  const other = schemaWith(sdl, { Query: { id: () => 'other' } })
  for (let time = 0; time < 3; time += 1) {
    t.equal(atOnce(executeText({ schema, document, rootValue: { id: 1 } })).text, '{"id":"1"}')
    t.equal(atOnce(executeText({ schema: other, document })).text, '{"id":"other"}')
  }
})

void t.test('an operation has the fragments of its document', async (t) => {
  const operation = parse('{ ...Fields }')
  for (const field of ['text', 'number', 'text']) {
    const document = concatAST([operation, parse(`fragment Fields on Query { ${field} }`)])
    const result = await executeText({ schema, document, rootValue: { text: 'x', number: 1 } })
    t.same(Object.keys(JSON.parse(result.text ?? '')), [field])
  }
})

void t.test('graphql-js executes what is traced', { skip: !is17 }, async (t) => {
  const { start } = tracingChannel('graphql:execute')
  let count = 0
  const onStart = (): void => void (count += 1)
  start.subscribe(onStart)
  t.equal(atOnce(executeText(toArgs(schema, '{ number }'))).text, '{"number":null}')
  start.unsubscribe(onStart)
  t.equal(count, 1)
})

void t.test('a runtime without Buffer writes the same bytes', async (t) => {
  const { Buffer } = globalThis
  const written = [Buffer, undefined].map((buffer) => {
    Object.assign(globalThis, { Buffer: buffer })
    const bytes = createBytes(8)
    Object.assign(globalThis, { Buffer })
    writeText(bytes, 'ab', 0, true)
    const length = writeText(bytes, 'é€', 2, false)
    const texts = [readText(bytes, 0, 2, true), readText(bytes, 0, 7, false)]
    return [length, [...bytes.subarray(0, 7)], ...texts]
  })
  t.same(written[0], [5, [97, 98, 195, 169, 226, 130, 172], 'ab', 'abé€'])
  t.same(written[1], written[0])
})
