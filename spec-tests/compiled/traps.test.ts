import { channel } from 'node:diagnostics_channel'
import { GraphQLID, GraphQLScalarType, parse } from 'graphql'
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

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A prepared execution, and what it left to graphql-js. */
function prepared(
  options: Parameters<typeof compiledExecution>[0],
  maxResponseBytes = Infinity,
  maxFieldErrors = Infinity,
  graphql = installedGraphQL,
) {
  const interpreted: string[] = []
  const execution: PreparedExecution = compiledExecution(options)({
    graphql,
    hideSuggestions: false,
    maxErrors: 50,
    channels: true,
    maxResponseBytes,
    maxFieldErrors,
    interpret: (operation) => {
      interpreted.push(operation.params.query)
      return { ok: true, value: { kind: 'single', data: null, errors: [], extensions: undefined } }
    },
  })
  return { execution, interpreted }
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

const inputOf = (rootValue: unknown, cancellation = new Cancellation()) => ({
  rootValue,
  contextValue: undefined,
  cancellation,
})

async function bodyOf(result: ReturnType<PreparedExecution['execute']>): Promise<unknown> {
  const executed = await result
  if (!executed.ok) return executed.reason
  return executed.value.kind === 'written' ? executed.value.body : executed.value
}

void t.test('with a module that lacks what compiling needs, all is interpreted', async (t) => {
  const { getDirectiveValues: _none, ...graphql } = installedGraphQL
  const { execution, interpreted } = prepared({ afterUses: 0 }, Infinity, Infinity, graphql)
  const operation = toOperation('{ text }')
  for (let time = 0; time < 3; time += 1) await execution.execute(operation, inputOf({}))
  t.equal(interpreted.length, 3)
  t.equal(execution.describe(operation), 'unsupported-module')
})

void t.test('a scalar is known if it is built in and unchanged', async (t) => {
  const scalars = new KnownScalars(installedGraphQL)
  t.equal(scalars.kindOf(GraphQLID), 'ID')
  t.equal(scalars.kindOf(new GraphQLScalarType({ name: 'ID' })), 'leaf')
})

void t.test('fields beyond the number of copied readers are read, too', (t) => {
  const names = Array.from({ length: 600 }, (_, at) => `field${at}`)
  const wide = schemaWith(`type Query { ${names.map((name) => `${name}: Int`).join(' ')} }`)
  const rootValue = Object.fromEntries(names.map((name, at) => [name, at]))
  const args = toArgs(wide, `{ ${names.join(' ')} }`, { rootValue })
  for (let time = 0; time < 2; time += 1) {
    t.equal(atOnce(executeText(args)).text, JSON.stringify(rootValue))
  }
  t.end()
})

void t.test('an execution is given up when its signal fires', async (t) => {
  const { execution } = prepared({ afterUses: 0 })
  const cancellation = new Cancellation()
  const called: string[] = []
  const root = {
    self: async () => {
      await turn()
      cancellation.cancel(new Error('gone'))
      return {
        text: () => {
          called.push('text')
        },
      }
    },
  }
  const result = bodyOf(
    execution.execute(toOperation('{ self { text } }'), inputOf(root, cancellation)),
  )
  if (is17) await t.rejects(result, { name: 'AbortedGraphQLExecutionError', message: 'gone' })
  else t.equal(await result, '{"data":{"self":null}}')
  await turn()
  t.same(called, [])
})

void t.test('no field of a mutation begins after the signal has fired', async (t) => {
  const { execution } = prepared({ afterUses: 0 })
  const cancellation = new Cancellation()
  let calls = 0
  const root = {
    text: () => {
      calls += 1
      cancellation.cancel(new Error('gone'))
      return 'x'
    },
  }
  const run = async () =>
    bodyOf(
      execution.execute(toOperation('mutation { a: text b: text }'), inputOf(root, cancellation)),
    )
  if (is17) await t.rejects(run(), { message: 'gone' })
  else t.equal(await run(), '{"data":null}')
  t.equal(calls, 1)
})

void t.test('the signal of info is aborted when the execution ends', { skip: !is17 }, async (t) => {
  const signals: AbortSignal[] = []
  let ask = (): AbortSignal => new AbortController().signal
  const text = (_: unknown, __: unknown, info: { getAbortSignal(): AbortSignal }) => {
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
  t.ok(ask().aborted, 'also for a resolver that asks after the end')
})

interface AsyncHelpers {
  promiseAll(values: readonly unknown[]): Promise<unknown[]>
  track(values: readonly unknown[]): void
}

void t.test('the helpers of info leave no rejection unhandled', { skip: !is17 }, async (t) => {
  const fail = async (): Promise<never> => {
    throw new Error('failed')
  }
  const text = async (_: unknown, __: unknown, info: { getAsyncHelpers(): AsyncHelpers }) => {
    const { promiseAll, track } = info.getAsyncHelpers()
    track([fail(), 'x'])
    t.same(await promiseAll(['x', turn()]), ['x', undefined])
    return promiseAll([fail(), fail()])
  }
  const result = await executeText(toArgs(schema, '{ text }', { rootValue: { text } }))
  t.match(result.errors, [{ message: 'failed' }])
  // Unhandled, a rejection would end the process now.
  await turn()
})

void t.test('writing stops at maxResponseBytes', async (t) => {
  const { execution } = prepared({ afterUses: 0 }, 100_000)
  const root = { texts: Array.from({ length: 100_000 }, () => 'x'.repeat(100)) }
  t.throws(() => execution.execute(toOperation('{ texts }'), inputOf(root)), /maxResponseBytes/)
  const late = { self: async () => root, text: 'x' }
  await t.rejects(
    bodyOf(execution.execute(toOperation('{ self { texts } text }'), inputOf(late))),
    /maxResponseBytes/,
  )
  // graphql 16 knows no asynchronous lists.
  async function* items() {
    yield root
  }
  const read = bodyOf(
    execution.execute(toOperation('{ list { texts } }'), inputOf({ list: items })),
  )
  await (is17 ? t.rejects(read, /maxResponseBytes/) : read)
  // The writer is where it was.
  const body = bodyOf(execution.execute(toOperation('{ text }'), inputOf({ text: 'y' })))
  t.equal(await body, '{"data":{"text":"y"}}')
})

void t.test('an operation is compiled after it was used, and says so', async (t) => {
  const { execution, interpreted } = prepared({ afterUses: 2 })
  const operation = toOperation('{ text }')
  const kinds = []
  for (let time = 0; time < 4; time += 1) {
    await execution.execute(operation, inputOf({ text: 'a' }))
    kinds.push(execution.describe(operation))
  }
  t.same(kinds, ['few-uses', 'few-uses', 'compiled', 'compiled'])
  t.equal(interpreted.length, 2)
})

void t.test('an operation has a bounded number of variants', async (t) => {
  const { execution } = prepared({ afterUses: 0, maxVariants: 2 })
  const query =
    'query ($a: Boolean!, $b: Boolean = true) { text @skip(if: $a) self @include(if: $b) { text } }'
  const document = toOperation(query)
  const describe = async (variables: { readonly [name: string]: unknown }) => {
    const operation = { ...document, params: { ...document.params, variables } }
    await execution.execute(operation, inputOf({ text: 'a' }))
    return execution.describe(operation)
  }
  t.equal(await describe({ a: true }), 'compiled')
  t.equal(await describe({ a: false }), 'compiled')
  t.equal(await describe({ a: true, b: true }), 'compiled', 'a default value that is sent')
  t.equal(await describe({ a: true, b: false }), 'too-many-variants')
  t.equal(await describe({ a: true }), 'compiled')
})

void t.test('plans have a bounded size', async (t) => {
  const { execution } = prepared({ afterUses: 0, maxPlanBytes: 8192 })
  const fields = Array.from({ length: 20 }, (_, at) => `a${at}: text`).join(' ')
  const large = toOperation(`{ ${fields} }`)
  const small = toOperation('{ text }')
  for (const operation of [large, small, large, small]) {
    await execution.execute(operation, inputOf({ text: 'a' }))
  }
  t.equal(execution.describe(large), 'too-many-plans')
  t.equal(execution.describe(small), 'compiled')
})

void t.test('reasons to interpret', async (t) => {
  const { execution } = prepared({ afterUses: 0 })
  const cases: [query: string, kind: string][] = [
    ['{ __schema { types { name } } }', 'introspection'],
    ['{ ...F } fragment F on Query { __type(name: "Query") { name } }', 'introspection'],
    ['{ ... @defer { text } }', is17 ? 'incremental' : 'compiled'],
    ['subscription { text }', 'unsupported-operation'],
    ['{ text }', 'compiled'],
  ]
  for (const [query, kind] of cases) {
    const operation = toOperation(query)
    await execution.execute(operation, inputOf({}))
    t.equal(execution.describe(operation), kind, query)
  }
})

void t.test('tracing', async (t) => {
  const { execution } = prepared({ afterUses: 0 })
  const operation = toOperation('{ text }')
  const messages: { operationType?: string; result?: { data?: unknown; errors?: unknown } }[] = []
  const onStart = (message: unknown): void => {
    messages.push(message as (typeof messages)[number])
  }
  const start = channel('tracing:graphql:execute:start')
  start.subscribe(onStart)
  await execution.execute(operation, inputOf({ text: 'a' }))
  start.unsubscribe(onStart)
  t.equal(messages.length, 1)
  t.equal(messages[0]?.operationType, 'query')
  t.same(messages[0]?.result?.data, { text: 'a' })
  t.equal(messages[0]?.result?.errors, undefined)
  const resolve = channel('tracing:graphql:resolve:start')
  resolve.subscribe(onStart)
  await execution.execute(operation, inputOf({ text: 'a' }))
  t.equal(execution.describe(operation), is17 ? 'traced' : 'compiled')
  resolve.unsubscribe(onStart)
})

void t.test('wrong variables are a request error', async (t) => {
  const { execution } = prepared({ afterUses: 0 })
  const operation = toOperation('query ($a: Boolean!) { text @skip(if: $a) }', { a: 'yes' })
  const executed = await execution.execute(operation, inputOf({}))
  t.equal(executed.ok, false)
  t.equal(executed.ok ? undefined : executed.reason.kind, 'variables')
})

void t.test('fields named like members of Object.prototype are not inherited', async (t) => {
  const { execution } = prepared({ afterUses: 0 })
  const odd = schemaWith('type Query { constructor: String toString: String }')
  const operation = toOperation('{ constructor toString }')
  const own = { ...operation, schema: odd, document: { ...operation.document, schema: odd } }
  t.equal(
    await bodyOf(execution.execute(own, inputOf({}))),
    '{"data":{"constructor":null,"toString":null}}',
  )
})
