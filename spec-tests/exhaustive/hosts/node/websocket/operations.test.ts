import { tracingChannel } from 'node:diagnostics_channel'
import t, { type Test } from 'tap'
import type { OperationTrace, ResultInfo } from '../../../../../src/index.js'
import { instrument } from '@graphwire/otel'
import { collect } from '../../../../../packages/otel/spec-tests/exhaustive/collect.js'
import { RawWebSocket, subscribe } from './raw-web-socket.js'
import { serveSockets, until } from './serve-sockets.js'

async function open(t: Test, options: Parameters<typeof serveSockets>[1] = {}) {
  const results: ResultInfo[] = []
  const { port } = await serveSockets(t, {
    ...options,
    onBug: () => {},
    onResult: (_request, result) => results.push(result),
  })
  const raw = await RawWebSocket.open(port)
  await raw.init()
  return { raw, results }
}

// oxfmt-ignore
const rows: readonly [query: string, result: object][] = [
  ['query Q { echo(text: "a") }',           { status: 200, operationName: 'Q', operationType: 'query', documentCached: false, errorCodes: [], hasData: true }],
  ['query Q { echo(text: "a") }',           { status: 200, documentCached: true }],
  ['mutation { add }',                      { status: 200, operationType: 'mutation' }],
  ['{ nothing }',                           { status: 422, operationType: undefined, errorCodes: ['GRAPHQL_VALIDATION_FAILED'], hasData: false }],
  ['subscription { countdown(from: 1) }',   { status: 200, operationType: 'subscription', hasData: true }],
]

void t.test('operations over sockets call onResult and are traced, each once', async (t) => {
  const traces: OperationTrace[] = []
  const channel = tracingChannel('graphwire:operation')
  const listen = (message: unknown): void => {
    const trace = message as OperationTrace
    if (trace.result !== undefined) traces.push(trace)
  }
  channel.end.subscribe(listen)
  channel.asyncEnd.subscribe(listen)
  t.teardown(() => {
    channel.end.unsubscribe(listen)
    channel.asyncEnd.unsubscribe(listen)
  })
  const { raw, results } = await open(t)
  for (const [at, [query, expected]] of rows.entries()) {
    raw.tell(subscribe(String(at), query))
    await until(() => results.length === at + 1 && traces.length === at + 1)
    const { status, ...facts } = expected as { status: number; errorCodes?: unknown }
    delete facts.errorCodes
    t.match(results[at], { ...expected, transport: 'websocket', duration: Number }, query)
    t.match(traces[at], {
      ...facts,
      result: { status },
      transport: 'websocket',
      target: '/graphql',
    })
  }
})

void t.test('each operation is a span of its own', async (t) => {
  const { tracer, tree, reset, span, spans } = collect(t)
  t.teardown(instrument({ tracer }))
  const { raw } = await open(t)
  t.match(span('GET /graphql').attributes, { 'http.response.status_code': 101 })
  // oxfmt-ignore
  const trees = [
    'query\n  parse\n  validate\n  query',
    'query\n  query',
    'mutation\n  parse\n  validate\n  mutation',
    'graphql\n  parse\n  validate',
    'subscription\n  parse\n  validate\n  subscription',
  ]
  for (const [at, [query]] of rows.entries()) {
    reset()
    raw.tell(subscribe(String(at), query))
    await until(() => spans().some(({ attributes }) => 'network.protocol.name' in attributes))
    t.equal(tree(), trees[at])
  }
})
