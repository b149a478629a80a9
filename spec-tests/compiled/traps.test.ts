import { channel } from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import { GraphQLID, GraphQLScalarType, parse } from 'graphql'
import type { ExecutionResult, GraphQLResolveInfo } from 'graphql'
import t from 'tap'
import { compiledExecution, executeText } from '../../src/compiled/index.js'
import { KnownScalars } from '../../src/compiled/known-scalars.js'
import { Cancellation } from '../../src/graphql/execute/cancellation.js'
import type { PreparedExecution } from '../../src/graphql/execute/execution.js'
import type { Operation } from '../../src/graphql/execute/operation.js'
import { installedGraphQL, splitsExecution } from '../../src/graphql/js/graphql.js'
import { fragmentsOf } from '../../src/graphql/js/fragments.js'
import { atOnce, schemaWith, toArgs } from './outcome.js'

const is17 = splitsExecution(installedGraphQL)

const schema = schemaWith(`
  type Query { text: String  list: [Query!]  texts: [String!]  self: Query }
  type Mutation { text: String }
`)

/** A prepared execution, and what it left to graphql-js. */
function prepared(
  options: Parameters<typeof compiledExecution>[0] = { afterUses: 0 },
  { maxResponseBytes = Infinity, graphql = installedGraphQL } = {},
) {
  const interpreted: string[] = []
  const { execute, describe }: PreparedExecution = compiledExecution(options)({
    graphql,
    hideSuggestions: false,
    maxErrors: 50,
    channels: true,
    maxResponseBytes,
    maxFieldErrors: Infinity,
    interpret: (operation) => {
      interpreted.push(operation.params.query)
      return { ok: true, value: { kind: 'single', data: null, errors: [], extensions: undefined } }
    },
  })
  /** What it gives for a root value. */
  const run = (operation: Operation, rootValue: unknown, cancellation = new Cancellation()) =>
    execute(operation, { rootValue, contextValue: undefined, cancellation })
  /** The same for a text, as the body that is sent. */
  const bodyOf = async (query: string, rootValue: unknown, cancellation?: Cancellation) => {
    const executed = await run(toOperation(query), rootValue, cancellation)
    if (!executed.ok) return executed.reason
    return executed.value.kind === 'written' ? executed.value.body : executed.value
  }
  return { run, bodyOf, describe, interpreted }
}

function toOperation(query: string, variables?: { readonly [name: string]: unknown }): Operation {
  const document = parse(query)
  const operations = document.definitions.filter((node) => node.kind === 'OperationDefinition')
  const [definition] = operations
  if (definition === undefined) throw new Error('no operation')
  const fragments = fragmentsOf(document)
  const inherited = { ofInputs: false, ofOutputs: false }
  return {
    schema,
    document: { document, incremental: undefined, schema, operations, fragments, inherited },
    definition,
    params: { query, operationName: undefined, variables, extensions: undefined },
    costs: {} as never,
    isIncremental: false,
  }
}

void t.test('with a module that lacks what compiling needs, all is interpreted', async (t) => {
  const { getDirectiveValues: _none, ...graphql } = installedGraphQL
  const { run, describe, interpreted } = prepared(undefined, { graphql })
  const operation = toOperation('{ text }')
  for (let time = 0; time < 3; time += 1) await run(operation, {})
  t.equal(interpreted.length, 3)
  t.equal(describe(operation), 'unsupported-module')
})

void t.test('a scalar is known if it is built in and unchanged', async (t) => {
  const scalars = new KnownScalars(installedGraphQL)
  t.equal(scalars.kindOf(GraphQLID), 'ID')
  t.equal(scalars.kindOf(new GraphQLScalarType({ name: 'ID' })), 'leaf')
})

void t.test('fields beyond the number of copied readers are read, too', async (t) => {
  const names = Array.from({ length: 600 }, (_, at) => `field${at}`)
  const wide = schemaWith(`type Query { ${names.map((name) => `${name}: Int`).join(' ')} }`)
  const rootValue = Object.fromEntries(names.map((name, at) => [name, at]))
  const args = toArgs(wide, `{ ${names.join(' ')} }`, { rootValue })
  for (let time = 0; time < 2; time += 1) {
    t.equal(atOnce(executeText(args)).text, JSON.stringify(rootValue))
  }
})

void t.test('an execution is given up when its signal fires', async (t) => {
  const cancellation = new Cancellation()
  const called: string[] = []
  const self = async () => {
    await turn()
    cancellation.cancel(new Error('gone'))
    return { text: () => void called.push('text') }
  }
  const result = prepared().bodyOf('{ self { text } }', { self }, cancellation)
  if (is17) await t.rejects(result, { name: 'AbortedGraphQLExecutionError', message: 'gone' })
  else t.equal(await result, '{"data":{"self":null}}')
  await turn()
  t.same(called, [])
})

void t.test('no item is read after the run has ended', { skip: !is17 }, async (t) => {
  const log: string[] = []
  const list = {
    [Symbol.asyncIterator]: () => list,
    async next() {
      log.push('next')
      await turn()
      return { done: log.length > 3, value: {} }
    },
    async return() {
      log.push('return')
      return { done: true, value: undefined }
    },
  }
  const root = { list, texts: async () => Array(2000).fill('x'.repeat(100)) }
  const { bodyOf } = prepared(undefined, { maxResponseBytes: 100_000 })
  await t.rejects(bodyOf('{ list { text } texts }', root), /maxResponseBytes/)
  await turn()
  t.same(log, ['next', 'return'])
})

void t.test('no field of a mutation begins after the signal has fired', async (t) => {
  const cancellation = new Cancellation()
  let calls = 0
  const text = () => {
    calls += 1
    cancellation.cancel(new Error('gone'))
    return 'x'
  }
  const result = prepared().bodyOf('mutation { a: text b: text }', { text }, cancellation)
  if (is17) await t.rejects(result, { message: 'gone' })
  else t.equal(await result, '{"data":null}')
  t.equal(calls, 1)
})

void t.test('the signal of info is aborted when the execution ends', { skip: !is17 }, async (t) => {
  const signals: AbortSignal[] = []
  let ask = (): AbortSignal | undefined => undefined
  const text = (_: unknown, __: unknown, info: GraphQLResolveInfo) => {
    ask = () => info.getAbortSignal()
    return 'x'
  }
  const self = async (_: unknown, __: unknown, info: { getAbortSignal(): AbortSignal }) => {
    signals.push(info.getAbortSignal(), info.getAbortSignal())
    t.notOk(signals[0]?.aborted)
    return {}
  }
  await executeText(toArgs(schema, '{ self { text } }', { rootValue: { self } }))
  t.equal(signals[0], signals[1])
  t.ok(signals[0]?.aborted)
  atOnce(executeText(toArgs(schema, '{ text }', { rootValue: { text } })))
  t.ok(ask()?.aborted, 'also for a resolver that asks after the end')
})

void t.test('the signal of info fires with that of the run', { skip: !is17 }, async (t) => {
  const controller = new AbortController()
  const reasons: unknown[] = []
  const text = async (_: unknown, __: unknown, info: { getAbortSignal(): AbortSignal }) => {
    const signal = info.getAbortSignal()
    controller.abort(new Error('gone'))
    reasons.push(signal.reason)
  }
  const args = toArgs(schema, '{ text }', { rootValue: { text } })
  await t.rejects(async () => executeText({ ...args, abortSignal: controller.signal }))
  t.match(reasons, [{ message: 'gone' }])
})

void t.test('the helpers of info leave no rejection unhandled', { skip: !is17 }, async (t) => {
  const fail = () => Promise.reject(new Error('failed'))
  const text = async (_: unknown, __: unknown, info: GraphQLResolveInfo) => {
    const { promiseAll, track } = info.getAsyncHelpers()
    track([fail(), 'x'])
    t.same(await promiseAll<unknown>(['x', turn()]), ['x', undefined])
    return promiseAll([fail(), fail()])
  }
  const result = await executeText(toArgs(schema, '{ text }', { rootValue: { text } }))
  t.match(result.errors, [{ message: 'failed' }])
  // Unhandled, a rejection would end the process now.
  await turn()
})

void t.test('writing stops at maxResponseBytes', async (t) => {
  const { run, bodyOf } = prepared(undefined, { maxResponseBytes: 100_000 })
  const root = { texts: Array.from({ length: 100_000 }, () => 'x'.repeat(100)) }
  t.throws(() => run(toOperation('{ texts }'), root), /maxResponseBytes/)
  const late = { self: async () => root, text: 'x' }
  await t.rejects(bodyOf('{ self { texts } text }', late), /maxResponseBytes/)
  // graphql 16 knows no asynchronous lists.
  async function* list() {
    yield root
  }
  const read = bodyOf('{ list { texts } }', { list })
  await (is17 ? t.rejects(read, /maxResponseBytes/) : read)
  // The writer is where it was.
  t.equal(await bodyOf('{ text }', { text: 'y' }), '{"data":{"text":"y"}}')
})

void t.test('an operation is compiled after it was used, and says so', async (t) => {
  const { run, describe, interpreted } = prepared({ afterUses: 2 })
  const operation = toOperation('{ text }')
  const kinds = []
  for (let time = 0; time < 4; time += 1) {
    await run(operation, { text: 'a' })
    kinds.push(describe(operation))
  }
  t.same(kinds, ['few-uses', 'few-uses', 'compiled', 'compiled'])
  t.equal(interpreted.length, 2)
})

void t.test('an operation has a bounded number of variants', async (t) => {
  const { run, ...execution } = prepared({ afterUses: 0, maxVariants: 2 })
  const selected = 'text @skip(if: $a) self @include(if: $b) { text }'
  const document = toOperation(`query ($a: Boolean!, $b: Boolean = true) { ${selected} }`)
  const describe = async (variables: { readonly [name: string]: unknown }) => {
    const operation = { ...document, params: { ...document.params, variables } }
    await run(operation, { text: 'a' })
    return execution.describe(operation)
  }
  t.equal(await describe({ a: true }), 'compiled')
  t.equal(await describe({ a: false }), 'compiled')
  t.equal(await describe({ a: true, b: true }), 'compiled', 'a default value that is sent')
  t.equal(await describe({ a: true, b: false }), 'too-many-variants')
  t.equal(await describe({ a: true }), 'compiled')
})

void t.test('plans have a bounded size', async (t) => {
  const { run, describe } = prepared({ afterUses: 0, maxPlanBytes: 8192 })
  const fields = Array.from({ length: 20 }, (_, at) => `a${at}: text`).join(' ')
  const large = toOperation(`{ ${fields} }`)
  const small = toOperation('{ text }')
  for (const operation of [large, small, large, small]) await run(operation, { text: 'a' })
  t.equal(describe(large), 'too-many-plans')
  t.equal(describe(small), 'compiled')
  const late = toOperation(`{ self { ${fields} } }`)
  for (let use = 0; use < 2; use += 1) await run(late, { self: Promise.resolve({ text: 'a' }) })
  t.equal(describe(late), 'too-many-plans', 'what is compiled when a value comes counts, too')
})

void t.test('reasons to interpret', async (t) => {
  const { run, describe } = prepared()
  const cases: [query: string, kind: string][] = [
    ['{ __schema { types { name } } }', 'introspection'],
    ['{ ...F } fragment F on Query { __type(name: "Query") { name } }', 'introspection'],
    ['{ ... @defer { text } }', is17 ? 'incremental' : 'compiled'],
    ['subscription { text }', 'unsupported-operation'],
    ['{ text }', 'compiled'],
  ]
  for (const [query, kind] of cases) {
    const operation = toOperation(query)
    await run(operation, {})
    t.equal(describe(operation), kind, query)
  }
})

void t.test('tracing', async (t) => {
  const { run, describe } = prepared()
  const operation = toOperation('{ text }')
  const messages: unknown[] = []
  const onStart = (message: unknown) => void messages.push(message)
  const start = channel('tracing:graphql:execute:start')
  start.subscribe(onStart)
  await run(operation, { text: 'a' })
  start.unsubscribe(onStart)
  t.equal(messages.length, 1)
  const [{ operationType, result }] = messages as [
    { operationType: string; result: ExecutionResult },
  ]
  t.equal(operationType, 'query')
  t.same([result.data, result.errors], [{ text: 'a' }, undefined])
  const resolve = channel('tracing:graphql:resolve:start')
  resolve.subscribe(onStart)
  await run(operation, { text: 'a' })
  t.equal(describe(operation), is17 ? 'traced' : 'compiled')
  resolve.unsubscribe(onStart)
})

void t.test('wrong variables are a request error', async (t) => {
  const operation = toOperation('query ($a: Boolean!) { text @skip(if: $a) }', { a: 'yes' })
  const executed = await prepared().run(operation, {})
  t.equal(executed.ok || executed.reason.kind, 'variables')
})

void t.test('fields named like members of Object.prototype are not inherited', async (t) => {
  const odd = schemaWith('type Query { constructor: String toString: String }')
  const operation = toOperation('{ constructor toString }')
  const own = { ...operation, schema: odd, document: { ...operation.document, schema: odd } }
  const { value } = (await prepared().run(own, {})) as { value: { body: string } }
  t.equal(value.body, '{"data":{"constructor":null,"toString":null}}')
})
