import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import * as graphql from 'graphql'
import t from 'tap'
import { compiledExecution } from '../../../src/compiled/index.js'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import type {
  Around,
  ExecuteFunction,
  RequestTrace,
  TraceMessages,
  TraceSubscribers,
  TracingChannelOf,
} from '../../../src/index.js'
import { testClient } from '../../../src/hosts/testing.js'
import { createHandler, success, createRestHandler } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'

const names = ['graphql:parse', 'graphql:validate', 'graphql:execute', 'graphwire:request'] as const

const broken = buildSchema('type Query { a: Int  broken: Int }', {
  Query: {
    a: () => 1,
    broken: () => {
      throw new Error('x')
    },
  },
})

/** Counts the events of every channel while `work` runs. */
async function count(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const undo: (() => void)[] = []
  for (const name of names) {
    const channel = tracingChannel(name)
    const seen = (event: string) => () => {
      counts[`${name}:${event}`] = (counts[`${name}:${event}`] ?? 0) + 1
    }
    const subscribers = {
      start: seen('start'),
      end: seen('end'),
      asyncStart: seen('asyncStart'),
      asyncEnd: seen('asyncEnd'),
      error: seen('error'),
    }
    channel.subscribe(subscribers)
    undo.push(() => channel.unsubscribe(subscribers))
  }
  await work()
  for (const stop of undo) stop()
  return counts
}

const oneEach = {
  'graphql:parse:start': 1,
  'graphql:parse:end': 1,
  'graphql:validate:start': 1,
  'graphql:validate:end': 1,
}
const request = {
  'graphwire:request:start': 1,
  'graphwire:request:end': 1,
  'graphwire:request:asyncStart': 1,
  'graphwire:request:asyncEnd': 1,
}
const execute = { 'graphql:execute:start': 1, 'graphql:execute:end': 1 }
const executeLater = { ...execute, 'graphql:execute:asyncStart': 1, 'graphql:execute:asyncEnd': 1 }

void t.test('a request publishes exactly one of each', async (t) => {
  const send = testClient(createHandler({ schema: createStandardSchema() }))
  const sync = { json: { query: '{ counter }' } }
  t.strictSame(await count(() => send(sync)), { ...oneEach, ...execute, ...request })
  t.strictSame(await count(() => send(sync)), { ...execute, ...request }, 'a known document')
  const later = { json: { query: '{ slow(ms: 1) }' } }
  t.strictSame(await count(() => send(later)), { ...oneEach, ...executeLater, ...request })
})

void t.test('so does one whose executor is given', async (t) => {
  for (const [title, given] of [
    ['of the module', graphql.execute],
    ['of somebody else', () => ({ data: { counter: 1 } })],
  ] as [string, ExecuteFunction][]) {
    const handler = createHandler({ schema: createStandardSchema(), execute: given })
    const counts = await count(() => testClient(handler)({ json: { query: '{ counter }' } }))
    t.strictSame(counts, { ...oneEach, ...execute, ...request }, title)
  }
})

void t.test('a refused request is one trace of its own', async (t) => {
  const send = testClient(createHandler({ schema: createStandardSchema() }))
  t.strictSame(await count(() => send({ method: 'PUT' })), {
    'graphwire:request:start': 1,
    'graphwire:request:end': 1,
  })
})

void t.test('an authenticated request is one trace', async (t) => {
  const handler = createHandler({
    schema: createStandardSchema(),
    authenticate: () => Promise.resolve({ ok: true, value: 1 }),
  })
  const counts = await count(() => testClient(handler)({ json: { query: '{ counter }' } }))
  t.strictSame(counts, { ...oneEach, ...execute, ...request })
})

void t.test('errors are published', async (t) => {
  const send = testClient(createHandler({ schema: createStandardSchema() }))
  const counts = await count(() => send({ json: { query: '{' } }))
  t.equal(counts['graphql:parse:error'], 1)
  const failing = testClient(
    createHandler({
      schema: createStandardSchema(),
      execute: () => Promise.reject(new Error('x')),
      onBug: () => {},
    }),
  )
  const late = await count(() => failing({ json: { query: '{ counter }' } }))
  t.equal(late['graphql:execute:error'], 1)
})

void t.test('the message of a request has its head and its answer', async (t) => {
  const channel = tracingChannel('graphwire:request') as TracingChannelOf<'graphwire:request'>
  const messages: RequestTrace[] = []
  const subscribers: TraceSubscribers<'graphwire:request'> = {
    asyncEnd: (message) => messages.push(message),
  }
  channel.subscribe(subscribers)
  const send = testClient(createHandler({ schema: createStandardSchema() }))
  await send({ json: { query: '{ counter }' }, headers: { 'X-Test': 'yes' } })
  channel.unsubscribe(subscribers)
  t.equal(messages.length, 1)
  t.equal(messages[0]?.head.method, 'POST')
  t.notOk('body' in (messages[0]?.head ?? {}), 'that is for the handler')
  t.equal(messages[0]?.result?.status, 200)
})

for (const [what, options] of [
  ['at once', {}],
  ['late', { authenticate: async () => success(undefined) }],
] as const) {
  void t.test(`what is sent ${what} is not in the context of the trace`, async (t) => {
    const storage = new AsyncLocalStorage<string>()
    const channel = tracingChannel('graphwire:request')
    channel.start.bindStore(storage, () => 'traced')
    const order: unknown[] = []
    const ended = (): void => void order.push('ended')
    const last = what === 'late' ? channel.asyncEnd : channel.end
    last.subscribe(ended)
    const { deliver } = createHandler({ schema: createStandardSchema(), ...options })
    const target = '/?query=%7Bcounter%7D'
    const sent = new Promise<void>((resolve, reject) => {
      const send = (): void => resolve(void order.push(storage.getStore()))
      deliver?.({ method: 'GET', target, headers: [], raw: undefined }, send, reject)
    })
    await sent
    last.unsubscribe(ended)
    channel.start.unbindStore(storage)
    t.strictSame(order, ['ended', undefined])
  })
}

void t.test('resolvers run in the async context of the trace, also after the body', async (t) => {
  const storage = new AsyncLocalStorage<{ readonly method: string }>()
  const channel = tracingChannel('graphwire:request') as TracingChannelOf<'graphwire:request'>
  channel.start.bindStore(storage, ({ head: { method } }) => ({ method }))
  const seen: unknown[] = []
  const schema = buildSchema('type Query { a: Int }', {
    Query: { a: () => (seen.push(storage.getStore()), 1) },
  })
  await testClient(createHandler({ schema }))({ json: { query: '{ a }' } })
  channel.start.unbindStore(storage)
  t.strictSame(seen, [{ method: 'POST' }])
})

void t.test('a synchronous GET ends in the same tick, with its answer', async (t) => {
  const channel = tracingChannel('graphwire:request') as TracingChannelOf<'graphwire:request'>
  const ends: RequestTrace[] = []
  const subscribers: TraceSubscribers<'graphwire:request'> = {
    end: (message) => ends.push(message),
  }
  channel.subscribe(subscribers)
  const handler = createHandler({ schema: createStandardSchema() })
  const target = '/?query=%7Bcounter%7D'
  const reply = handler({ method: 'GET', target, headers: [], raw: undefined })
  channel.unsubscribe(subscribers)
  t.equal(ends.length, 1)
  t.equal(ends[0]?.result, reply)
})

void t.test('the message of a request has the facts of its operation', async (t) => {
  const messages: RequestTrace[] = []
  const stop = watch('graphwire:request', (message) => {
    if (message.result !== undefined) messages.push(message)
  })
  t.teardown(stop)
  const schema = broken
  const send = testClient(createHandler({ schema, path: '/graphql', onBug: () => {} }))
  const rest = testClient(
    createRestHandler({
      schema,
      routes: [{ method: 'GET', path: '/a', operation: 'query GetA { a }' }],
    }),
  )
  const none = { operationType: undefined, cost: undefined, execution: undefined }
  const query = { operationType: 'query', route: '/graphql', isTrusted: undefined }
  // oxfmt-ignore
  const rows: [ask: () => Promise<unknown>, facts: object][] = [
    [() => send({ json: { query: 'query A { a }' } }),  { ...query, operationName: 'A', document: 'query A { a }', documentCached: false, cost: Number, execution: String, errors: [], hasData: true }],
    [() => send({ json: { query: 'query A { a }' } }),  { ...query, documentCached: true }],
    [() => send({ json: { query: '{ broken }' } }),     { ...query, operationName: undefined, errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }], hasData: true }],
    [() => send({ json: { query: '{ b }' } }),          { ...none, route: '/graphql', documentCached: false, errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }], hasData: false }],
    [() => send({ json: { query: '{ b }' } }),          { ...none, documentCached: true }],
    [() => send({ method: 'PUT' }),                     { ...none, route: '/graphql', documentCached: undefined, document: undefined, hasData: false }],
    [() => send({ target: '/other' }),                  { ...none, route: undefined }],
    [() => rest({ target: '/a', method: 'GET' }),       { operationType: 'query', operationName: 'GetA', route: '/a', isTrusted: true, documentCached: undefined, execution: undefined }],
    [() => rest({ target: '/none', method: 'GET' }),    { ...none, route: undefined, isTrusted: undefined }],
  ]
  for (const [ask, facts] of rows) {
    await ask()
    t.match(messages.at(-1), facts)
  }
  t.equal(messages.length, rows.length)
})

void t.test('a request whose client goes while it sends its body ends without a response', (t) => {
  const ends: RequestTrace[] = []
  t.teardown(watch('graphwire:request', (message) => ends.push(message)))
  let gone = (): void => {}
  const handler = createHandler({ schema: broken })
  const headers = ['Content-Type', 'application/json']
  const onClientGone = (listener: () => void): void => void (gone = listener)
  const body = { read: () => new Promise<never>(() => undefined) }
  void handler({ method: 'POST', target: '/', headers, raw: undefined, onClientGone, body })
  t.equal(ends.length, 1, 'its head has been read')
  gone()
  gone()
  t.equal(ends.length, 2)
  t.equal(ends[1]?.result, undefined)
  t.end()
})

void t.test('a subscriber of start may surround the work', async (t) => {
  const order: string[] = []
  const surround = (name: string) => (message: { around?: Around }) => {
    const { around } = message
    message.around = (work) => {
      order.push(`${name} begins`)
      const value = around === undefined ? work() : around(work)
      order.push(`${name} ends`)
      return value
    }
  }
  const schema = buildSchema('type Query { a: Int }', { Query: { a: () => order.push('a') } })
  const stops = ['graphwire:request', 'graphql:execute'].map((name) => {
    const start = surround(name) as (message: unknown) => void
    const { start: channel } = tracingChannel(name)
    channel.subscribe(start)
    return () => channel.unsubscribe(start)
  })
  const handler = createHandler({ schema })
  void handler({ method: 'GET', target: '/?query=%7Ba%7D', headers: [], raw: undefined })
  for (const stop of stops) stop()
  t.same(order, [
    'graphwire:request begins',
    'graphql:execute begins',
    'a',
    'graphql:execute ends',
    'graphwire:request ends',
  ])
})

void t.test('with channels: false, only what graphwire alone can say is published', async (t) => {
  for (const execution of [undefined, compiledExecution({ afterUses: 0 })]) {
    const handler = createHandler({
      schema: createStandardSchema(),
      channels: false,
      ...(execution && { execution }),
    })
    const counts = await count(() => testClient(handler)({ json: { query: '{ counter }' } }))
    const ofItself = graphql.versionInfo.major >= 17 ? oneEach : {}
    t.strictSame(counts, { ...ofItself, ...request })
  }
})

void t.test('the messages of each channel are what their types say', async (t) => {
  const seen: { [Name in keyof TraceMessages]?: TraceMessages[Name] } = {}
  const stops = (
    ['graphwire:request', 'graphql:parse', 'graphql:validate', 'graphql:execute'] as const
  ).map((name) => watch(name, (message) => Object.assign(seen, { [name]: message })))
  const send = testClient(createHandler({ schema: createStandardSchema() }))
  await send({ json: { query: 'query Count { __typename }', variables: { n: 1 } } })
  for (const stop of stops) stop()
  t.equal(seen['graphwire:request']?.result?.status, 200)
  t.match(seen['graphql:parse']?.source, 'query Count')
  t.equal(seen['graphql:parse']?.result?.kind, 'Document')
  t.strictSame(seen['graphql:validate']?.result, [])
  t.equal(seen['graphql:validate']?.document.kind, 'Document')
  const executed = seen['graphql:execute']
  t.equal(executed?.operationName, 'Count')
  t.equal(executed?.operationType, 'query')
  t.strictSame(executed?.rawVariableValues, { n: 1 })
  t.match(executed?.result?.data, { __typename: 'Query' })
})

function watch<Name extends keyof TraceMessages>(
  name: Name,
  listener: (message: TraceMessages[Name]) => void,
): () => void {
  const channel = tracingChannel(name) as TracingChannelOf<Name>
  const subscribers: TraceSubscribers<Name> = { end: listener, asyncEnd: listener }
  channel.subscribe(subscribers)
  return () => channel.unsubscribe(subscribers)
}
