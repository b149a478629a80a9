import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import * as graphql from 'graphql'
import t from 'tap'
import { compiledExecution } from '../../../src/compiled/index.js'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import type { Arrival, Around, Handler, Options, RequestTrace } from '../../../src/index.js'
import type { TraceMessages, TraceSubscribers, TracingChannelOf } from '../../../src/index.js'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import { createHandler, success, traceRequests } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { clientOf } from '../../handler/client-of.js'

const names = ['graphql:parse', 'graphql:validate', 'graphql:execute', 'graphwire:request'] as const

const broken = buildSchema('type Query { a: Int  broken: Int }', {
  Query: { a: () => 1, broken: () => Promise.reject(new Error('x')) },
})

async function count(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const undo: (() => void)[] = []
  for (const name of names) {
    for (const event of ['start', 'end', 'asyncStart', 'asyncEnd', 'error']) {
      const key = `${name}:${event}`
      const seen = (): void => void (counts[key] = (counts[key] ?? 0) + 1)
      subscribe(`tracing:${key}`, seen)
      undo.push(() => unsubscribe(`tracing:${key}`, seen))
    }
  }
  await work()
  for (const stop of undo) stop()
  return counts
}

/** One event of each kind. */
const eventsOf = (name: string, ...events: string[]) =>
  Object.fromEntries(events.map((event) => [`${name}:${event}`, 1]))
const parse = eventsOf('graphql:parse', 'start', 'end')
const oneEach = { ...parse, ...eventsOf('graphql:validate', 'start', 'end') }
const atOnce = eventsOf('graphwire:request', 'start', 'end')
const request = eventsOf('graphwire:request', 'start', 'end', 'asyncStart', 'asyncEnd')
const execute = eventsOf('graphql:execute', 'start', 'end')
const executeLater = eventsOf('graphql:execute', 'start', 'end', 'asyncStart', 'asyncEnd')
const ofItself = graphql.versionInfo.major >= 17 ? oneEach : {}

const counter = { json: { query: '{ counter }' } }
const getCounter = { method: 'GET', target: '/?query={counter}', headers: [], raw: undefined }
const compiled = { execution: compiledExecution({ afterUses: 0 }) }
const usual = { ...oneEach, ...execute, ...request }
// oxfmt-ignore
const counts: readonly [title: string, request: TestRequest, counts: object, options?: Partial<Options>][] = [
  ['a request',                             counter,                                usual],
  ['one that is executed later',            { json: { query: '{ slow(ms: 1) }' } }, { ...oneEach, ...executeLater, ...request }],
  ['one whose executor is given',           counter,                                usual, { execute: graphql.execute }],
  ['one with an executor of others',        counter,                                usual, { execute: () => ({ data: { counter: 1 } }) }],
  ['one that is authenticated',             counter,                                usual, { authenticate: async () => success(1) }],
  ['one that is refused',                   { method: 'PUT' },                      atOnce],
  ['with channels: false, graphwire alone', counter,                                { ...ofItself, ...request }, { channels: false }],
  ['the same, compiled',                    counter,                                { ...ofItself, ...request }, { channels: false, ...compiled }],
]
for (const [title, sent, expected, options] of counts) {
  void t.test(`exactly one event of each is published: ${title}`, async (t) => {
    const { send } = clientOf({ schema: createStandardSchema(), ...options })
    t.strictSame(await count(() => send(sent)), expected)
  })
}

void t.test('a known document is not parsed or validated again', async (t) => {
  const send = testClient(createHandler({ schema: createStandardSchema() }))
  await send(counter)
  t.strictSame(await count(() => send(counter)), { ...execute, ...request })
})

void t.test('errors are published', async (t) => {
  const { ask } = clientOf({ schema: createStandardSchema() })
  t.equal((await count(() => ask('{')))['graphql:parse:error'], 1)
  const refuse = () => Promise.reject(new Error('x'))
  const failing = clientOf({ schema: createStandardSchema(), execute: refuse })
  t.equal((await count(() => failing.send(counter)))['graphql:execute:error'], 1)
})

void t.test('the result of a compiled operation is published with its errors', async (t) => {
  const results: unknown[] = []
  const { start, asyncEnd } = tracingChannel('graphql:execute')
  const note = (message: unknown): void =>
    void results.push((message as { result: unknown }).result)
  asyncEnd.subscribe(note)
  await clientOf({ schema: broken, ...compiled }).ask('{ a broken }')
  asyncEnd.unsubscribe(note)
  t.notOk(start.hasSubscribers)
  t.match(results, [{ data: { a: 1, broken: null }, errors: [{ message: 'x' }] }])
})

void t.test('traceRequests publishes the requests of another handler', async (t) => {
  const own: Handler = () => ({ status: 200, headers: [], body: 'own' })
  const send = testClient(traceRequests(own))
  t.strictSame(await count(() => send({})), atOnce)
  t.equal((await send({})).body, 'own')
})

void t.test('who follows one request sees its end, though nothing of it waits', async (t) => {
  const ends: (number | undefined)[] = []
  const follow = (arrival: unknown): void => {
    const { followers } = arrival as Arrival
    followers.push({ end: (message) => ends.push((message as RequestTrace).result?.status) })
  }
  subscribe('graphwire:arrival', follow)
  t.teardown(() => unsubscribe('graphwire:arrival', follow))
  await clientOf({ schema: createStandardSchema() }).send({ method: 'PUT' })
  t.strictSame(ends, [405])
})

const executions = { 'graphql-js': undefined, compiled: compiledExecution({ afterUses: 0 }) }
for (const [name, execution] of Object.entries(executions)) {
  void t.test(`who follows one request sees and surrounds its executions: ${name}`, async (t) => {
    const log: unknown[] = []
    let isFollowed = true
    const follow = (arrival: unknown): void => {
      if (!isFollowed) return
      const { followers } = arrival as Arrival
      followers.push({
        execute(message) {
          log.push(message.operationType)
          message.around = (work) => (log.push('around'), work())
          return () => log.push('result' in message)
        },
        end: () => log.push('response'),
      })
    }
    subscribe('graphwire:arrival', follow)
    t.teardown(() => unsubscribe('graphwire:arrival', follow))
    const { send } = clientOf({ schema: createStandardSchema(), execution, batch: {} })
    await send(counter)
    t.strictSame(log.splice(0), ['query', 'around', true, 'response'])
    await send({ json: [counter.json, counter.json] })
    t.equal(log.splice(0).join(' '), 'query around true query around true response', 'a batch')
    isFollowed = false
    await send(counter)
    t.strictSame(log, [])
  })
}

void t.test('the message of a request has its head and its answer', async (t) => {
  const messages: RequestTrace[] = []
  t.teardown(watch('graphwire:request', (message) => messages.push(message)))
  const { handler, send } = clientOf({ schema: createStandardSchema() })
  await send(counter)
  const message = messages.at(-1)
  t.equal(message?.head.method, 'POST')
  t.notOk('body' in (message?.head ?? {}), 'that is for the handler')
  t.equal(message?.result?.status, 200)
  messages.length = 0
  const reply = handler(getCounter)
  t.equal(messages.length, 1, 'a synchronous GET ends in the same tick')
  t.equal(messages[0]?.result, reply)
})

const late = { authenticate: async () => success(undefined) }
for (const [what, options] of Object.entries({ 'at once': {}, late })) {
  void t.test(`what is sent ${what} is not in the context of the trace`, async (t) => {
    const storage = new AsyncLocalStorage<string>()
    const channel = tracingChannel('graphwire:request')
    channel.start.bindStore(storage, () => 'traced')
    const order: unknown[] = []
    const ended = (): void => void order.push('ended')
    const last = what === 'late' ? channel.asyncEnd : channel.end
    last.subscribe(ended)
    const { deliver } = createHandler({ schema: createStandardSchema(), ...options })
    await new Promise<void>((resolve, reject) => {
      const send = (): void => resolve(void order.push(storage.getStore()))
      deliver?.(getCounter, send, reject)
    })
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
  const a = () => (seen.push(storage.getStore()), 1)
  const schema = buildSchema('type Query { a: Int }', { Query: { a } })
  await clientOf({ schema }).ask('{ a }')
  channel.start.unbindStore(storage)
  t.strictSame(seen, [{ method: 'POST' }])
})

void t.test('the message of a request has the facts of its operation', async (t) => {
  const messages: RequestTrace[] = []
  const add = (message: RequestTrace): void => {
    if (message.result !== undefined) messages.push(message)
  }
  t.teardown(watch('graphwire:request', add))
  const { send } = clientOf({ schema: broken, path: '/graphql' })
  const routes = [{ method: 'GET', path: '/a', operation: 'query GetA { a }' }] as const
  const rest = testClient(createRestHandler({ schema: broken, routes }))
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

void t.test('a client that goes while it sends its body gets no response', async (t) => {
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
  await Promise.resolve()
  t.equal(ends.length, 2)
  t.equal(ends[1]?.result, undefined)
})

void t.test('a subscriber of start may surround the work', async (t) => {
  const order: string[] = []
  const surround = (name: string) => (message: { around?: Around }) => {
    const { around = (work) => work() } = message
    message.around = (work) => {
      order.push(`${name} begins`)
      const value = around(work)
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
  const [outer, inner] = ['graphwire:request', 'graphql:execute']
  t.same(order, [`${outer} begins`, `${inner} begins`, 'a', `${inner} ends`, `${outer} ends`])
})

void t.test('the messages of each channel are what their types say', async (t) => {
  const seen: { [Name in keyof TraceMessages]?: TraceMessages[Name] } = {}
  const stops = names.map((name) => {
    return watch(name, (message) => Object.assign(seen, { [name]: message }))
  })
  await clientOf({ schema: createStandardSchema() }).ask('query Count { __typename }', { n: 1 })
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
