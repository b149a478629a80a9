import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AlwaysOffSampler, ParentBasedSampler } from '@opentelemetry/sdk-trace-base'
import * as graphql from 'graphql'
import t, { type Test } from 'tap'
import { compiledExecution } from 'graphwire/compiled'
import { testClient, type TestRequest } from 'graphwire/testing'
import { createRestHandler } from '@graphwire/rest'
import {
  buildSchema,
  createEndpoint,
  createHandler,
  executeInProcess,
  type Options,
} from 'graphwire'
import { instrument, type InstrumentOptions } from '@graphwire/otel'
import { collect, type Collected } from './collect.js'

const sdl = `
  type Query { now: Int  later: Int  broken: Int  parses: Int  same(id: Int): Int }
  type Mutation { set(secret: String, to: Int): Int }
  type Subscription { ticks: Int }
`

/** Resolvers make spans of a database, before and after they have waited. */
function createTracedSchema({ tracer }: Collected) {
  const ask = (name: string): void => tracer.startSpan(name).end()
  return buildSchema(sdl, {
    Query: {
      now: () => (ask('db now'), 1),
      async later() {
        ask('db before')
        await new Promise((resolve) => setImmediate(resolve))
        ask('db after')
        return 2
      },
      broken: () => {
        throw new Error('a secret')
      },
      same: (_source, { id }: { id: number }) => (ask('db same'), id),
      parses: () => graphql.parse('{ a }').definitions.length,
    },
    Mutation: { set: () => 3 },
    Subscription: {
      ticks: {
        async *subscribe() {
          ask('db source')
          await Promise.resolve()
          yield { ticks: 1 }
        },
      },
    },
  })
}

function start(
  t: Test,
  options: Partial<Options> = {},
  traced: Omit<InstrumentOptions, 'tracer'> = {},
) {
  const collected = collect(t)
  const handler = createHandler({
    schema: createTracedSchema(collected),
    path: '/graphql',
    onBug: () => {},
    ...options,
  })
  const stop = instrument({ ...traced, tracer: collected.tracer })
  t.teardown(stop)
  return { ...collected, send: testClient(handler), handler, stop }
}

const json = (query: string): TestRequest => ({ json: { query } })

void t.test('the tree of a request', async (t) => {
  // oxfmt-ignore
  const rows: [title: string, request: TestRequest, tree: string][] = [
    ['a query that waits',     json('{ later }'),            'POST /graphql\n  parse\n  validate\n  query\n    db before\n    db after'],
    ['one that does not',      json('{ now }'),              'POST /graphql\n  parse\n  validate\n  query\n    db now'],
    ['a document that is cached', json('{ now }'),           'POST /graphql\n  query\n    db now'],
    ['a GET',                  { target: '/graphql?query=%7Bnow%7D' }, 'GET /graphql\n  parse\n  validate\n  query\n    db now'],
    ['a mutation',             json('mutation { set(to: 1) }'), 'POST /graphql\n  parse\n  validate\n  mutation'],
    ['what is not valid',      json('{ nothing }'),          'POST /graphql\n  parse\n  validate'],
    ['what is no document',    json('{'),                    'POST /graphql\n  parse'],
    ['a resolver that parses', json('{ parses }'),           'POST /graphql\n  parse\n  validate\n  query'],
    ['another path',           { target: '/elsewhere', json: {} }, 'POST'],
    ['an invented method',     { method: 'BREW' },           'HTTP /graphql'],
    ['a batch',                { json: [{ query: '{ later }' }, { query: '{ now }' }] }, 'POST /graphql\n  query\n    db before\n    db after\n  query\n    db now'],
    ['a body that is refused', { body: '{' , headers: { 'Content-Type': 'application/json' } }, 'POST /graphql'],
  ]
  for (const [execution, title] of [
    [undefined, 'graphql-js'],
    [compiledExecution({ afterUses: 0 }), 'compiled'],
  ] as const) {
    const { send, tree, reset, stop } = start(t, { execution, batch: {} })
    for (const [what, request, expected] of rows) {
      await send(request)
      t.equal(tree(), expected, `${title}: ${what}`)
      reset()
    }
    stop()
  }
})

void t.test('the source of a subscription is in the span of its operation', async (t) => {
  const { send, tree } = start(t)
  const answer = await send({
    ...json('subscription { ticks }'),
    headers: { Accept: 'text/event-stream' },
  })
  const events = await new Response(answer.stream).text()
  t.match(events, '"ticks":1')
  t.equal(tree(), 'POST /graphql\n  parse\n  validate\n  subscription\ndb source')
})

void t.test('a route is named by its template', async (t) => {
  const collected = collect(t)
  const handler = createRestHandler({
    schema: createTracedSchema(collected),
    routes: [
      { method: 'GET', path: '/same/{id}', operation: 'query GetSame($id: Int) { same(id: $id) }' },
    ],
  })
  t.teardown(instrument({ tracer: collected.tracer, nameSpans: 'type-and-name' }))
  await testClient(handler)({ method: 'GET', target: '/same/1234' })
  t.equal(collected.tree(), 'GET /same/{id}\n  query GetSame\n    db same')
  t.match(collected.span('GET /same/{id}').attributes, {
    'http.route': '/same/{id}',
    'graphql.operation.name': 'GetSame',
    'url.path': '/same/1234',
  })
})

void t.test('attributes, events and statuses', async (t) => {
  const { send, spans, reset } = start(t)
  // oxfmt-ignore
  const rows: [request: TestRequest, attributes: object, code: SpanStatusCode, events: readonly string[]][] = [
    [json('query Q { now }'),    { 'graphql.operation.type': 'query', 'graphql.operation.name': 'Q', 'http.response.status_code': 200, 'http.route': '/graphql', 'http.request.method': 'POST', 'url.path': '/graphql', 'graphwire.cost': Number, 'graphwire.document.cached': false, 'graphwire.partial': undefined, 'error.type': undefined }, SpanStatusCode.UNSET, []],
    [json('{ now broken }'),     { 'http.response.status_code': 294, 'graphwire.partial': true, 'graphwire.error.codes': ['INTERNAL_SERVER_ERROR'] },                     SpanStatusCode.UNSET, []],
    [json('{ nothing }'),        { 'http.response.status_code': 422, 'graphwire.error.codes': ['GRAPHQL_VALIDATION_FAILED'], 'graphql.operation.type': undefined },       SpanStatusCode.UNSET, ['GRAPHQL_VALIDATION_FAILED']],
    [{ json: { query: 'query ($s: Int) { same(id: $s) }', variables: { s: 'secret' } } }, { 'http.response.status_code': 422 }, SpanStatusCode.UNSET, ['BAD_USER_INPUT']],
    [{ method: 'BREW' },         { 'http.response.status_code': 405, 'http.request.method': '_OTHER', 'http.request.method_original': 'BREW' },                           SpanStatusCode.UNSET, ['METHOD_NOT_ALLOWED']],
    [{ ...json('{ now }'), target: '/graphql?token=secret' }, { 'url.path': '/graphql', 'graphwire.execution': String },                                           SpanStatusCode.UNSET, []],
  ]
  for (const [request, attributes, code, events] of rows) {
    reset()
    await send(request)
    const span = spans().find(({ kind }) => kind === SpanKind.SERVER)
    t.match(span?.attributes, attributes)
    t.equal(span?.status.code, code)
    t.same(
      span?.events.map((event) => event.attributes?.['graphwire.error.code']),
      events,
    )
    t.notMatch(JSON.stringify([span?.attributes, span?.events]), 'secret')
  }
})

void t.test('a bug is an error, and is not shown', async (t) => {
  const { send, span } = start(t, {
    context: () => {
      throw new Error('a secret')
    },
  })
  await send(json('{ now }'))
  const { status, attributes, events } = span('POST /graphql')
  t.equal(status.code, SpanStatusCode.ERROR)
  t.match(attributes, { 'error.type': '500', 'http.response.status_code': 500 })
  t.notMatch(JSON.stringify([status, attributes, events]), 'secret')
})

void t.test('the operation ends with its request, also if it never does', async (t) => {
  const collected = collect(t)
  const schema = buildSchema('type Query { never: Int }', {
    Query: { never: () => new Promise(() => {}) },
  })
  t.teardown(instrument({ tracer: collected.tracer }))
  const send = testClient(createHandler({ schema, executionTimeout: 20, onBug: () => {} }))
  await send(json('{ never }'))
  t.equal(collected.tree(), 'POST\n  parse\n  validate\n  query')
  t.equal(collected.span('POST').status.code, SpanStatusCode.ERROR)
})

void t.test('an operation without HTTP is in the span of its caller', async (t) => {
  const collected = start(t)
  const endpoint = createEndpoint({ schema: createTracedSchema(collected) })
  await collected.tracer.startActiveSpan('page', async (page) => {
    await executeInProcess(endpoint, { query: '{ now }' })
    page.end()
  })
  t.equal(collected.tree(), 'page\n  query\n    parse\n    validate\n    query\n      db now')
  const protocols = collected.spans().map(({ attributes }) => attributes['network.protocol.name'])
  t.same(protocols.filter(Boolean), [], 'it has no socket')
})

void t.test('documents are left out, hashed, or without their values', async (t) => {
  const query = 'mutation { set(secret: "hush \\" 12", to: -35) # hush\n}'
  const block = 'mutation { set(secret: """hush "quoted" \\""" hush""", to: 12) }'
  const hash = /^sha256:[\da-f]{64}$/
  const [text, id] = ['graphql.document', 'graphwire.document.hash'] as const
  // oxfmt-ignore
  const rows: [document: InstrumentOptions['document'], query: string, attributes: object][] = [
    ['none', query,              { [text]: undefined, [id]: undefined }],
    ['hash', query,              { [text]: undefined, [id]: hash }],
    ['hash', '{ hush',           { [text]: undefined, [id]: hash }],
    ['text', query,              { [text]: 'mutation { set(secret: "*", to: *) \n}', [id]: undefined }],
    ['text', block,              { [text]: 'mutation { set(secret: "*", to: *) }' }],
    ['text', '{ hush(a: "hush")', { [text]: undefined }],
    ['text', 'query A1b2 { now }', { [text]: 'query A1b2 { now }' }],
  ]
  for (const [document, given, attributes] of rows) {
    const { send, span, stop } = start(t, {}, { document })
    await send(json(given))
    t.match(span('POST /graphql').attributes, attributes, `${document}: ${given}`)
    if (!given.startsWith('{')) t.notMatch(JSON.stringify(span('POST /graphql').attributes), 'hush')
    stop()
  }
})

void t.test('the parent is that of traceparent', async (t) => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  // oxfmt-ignore
  const rows: [traceparent: string, isTaken: boolean][] = [
    [`00-${traceId}-${spanId}-01`,              true],
    ['anything',                                false],
  ]
  const { send, span, reset } = start(t)
  for (const [traceparent, isTaken] of rows) {
    await send({ ...json('{ now }'), headers: { traceparent } })
    const { parentSpanContext: parent } = span('POST /graphql')
    t.match(parent, isTaken ? { traceId, spanId, isRemote: true } : undefined, traceparent)
    t.equal(span('query').spanContext().traceId === traceId, isTaken)
    reset()
  }
})

void t.test('a request that is not recorded has no spans of stages', async (t) => {
  // oxfmt-ignore
  const rows: [sampled: '00' | '01', execution: Options['execution'], names: string[]][] = [
    ['01', undefined,                              ['POST', 'db now', 'parse', 'query', 'validate']],
    ['00', undefined,                              ['POST', 'db now']],
    ['01', compiledExecution({ afterUses: 0 }),    ['POST', 'db now', 'parse', 'query', 'validate']],
    ['00', compiledExecution({ afterUses: 0 }),    ['POST', 'db now']],
  ]
  for (const [sampled, execution, names] of rows) {
    const begun: string[] = []
    const parents = new ParentBasedSampler({ root: new AlwaysOffSampler() })
    const collected = collect(t, {
      shouldSample(active, traceId, name, kind, attributes, links) {
        begun.push(name)
        return parents.shouldSample(active, traceId, name, kind, attributes, links)
      },
      toString: () => 'noting the spans that are begun',
    })
    const schema = createTracedSchema(collected)
    const stop = instrument({ tracer: collected.tracer })
    const send = testClient(createHandler({ schema, ...(execution && { execution }) }))
    const traceparent = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${sampled}`
    const response = await send({ ...json('{ now }'), headers: { traceparent } })
    t.equal(response.body, '{"data":{"now":1}}')
    t.same(begun.toSorted(), names, sampled)
    t.equal(collected.spans().length, sampled === '01' ? names.length : 0)
    stop()
  }
})

void t.test('hostile headers of traces change neither the response nor the tree', async (t) => {
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331'
  // oxfmt-ignore
  const rows: [name: string, value: string][] = [
    ['traceparent', `${parent}-01-${'x'.repeat(8_000)}`],
    ['traceparent', '-'.repeat(8_000)],
    ['traceparent', `${parent.slice(0, -1)}g-01`],
    ['traceparent', `${parent}-01, ${parent}-01`],
    ['traceparent', '__proto__'],
    ['tracestate',  `evil=${'x'.repeat(8_000)}`],
    ['tracestate',  '=,'.repeat(4_000)],
    ['baggage',     `evil=${'x'.repeat(8_000)}`],
    ['baggage',     Array.from({ length: 1_000 }, (_, at) => `k${at}=v`).join()],
    ['baggage',     '__proto__=1,constructor=2,toString=3'],
    ['baggage',     '%'.repeat(8_000)],
    ['b3',          '0'.repeat(8_000)],
  ]
  const { send, tree, spans, reset } = start(t)
  await send(json('{ now }'))
  reset()
  for (const [name, value] of rows) {
    const response = await send({ ...json('{ now }'), headers: { [name]: value } })
    const what = `${name}: ${value.slice(0, 70)}`
    t.equal(response.status, 200, what)
    t.equal(response.body, '{"data":{"now":1}}')
    t.equal(tree(), 'POST /graphql\n  query\n    db now')
    const shown = JSON.stringify(spans().map(({ attributes, events }) => [attributes, events]))
    t.notMatch(shown, /evil|xxxx|%%%|0000000000/)
    t.ok(spans().every(({ parentSpanContext }) => parentSpanContext?.isRemote !== true))
    reset()
  }
})

void t.test('a span of an HTTP server that is active gets the facts', async (t) => {
  const key = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA')
  for (const isByMetadata of [true, false]) {
    // What Express and others put between the server and the handler is found by the metadata alone.
    const { send, span, tree, tracer, stop } = start(t)
    const http = tracer.startSpan('HTTP', { kind: SpanKind.SERVER })
    const metadata: { type: string; span: typeof http; route?: string } = {
      type: 'http',
      span: http,
    }
    const active = trace.setSpan(context.active(), http)
    const middleware = tracer.startSpan('middleware', {}, active)
    const within = isByMetadata ? trace.setSpan(active.setValue(key, metadata), middleware) : active
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await context.with(within, () => send({ ...json('{ now broken }'), headers: { traceparent } }))
    t.ok(http.isRecording(), 'it ends where it began')
    middleware.end()
    http.end()
    const stages = '  parse\n  validate\n  query\n    db now'
    t.equal(tree(), `HTTP\n  middleware\n${stages}`)
    t.match(span('HTTP').attributes, {
      'graphwire.partial': true,
      'graphql.operation.type': 'query',
    })
    if (isByMetadata) t.equal(metadata.route, '/graphql')
    else t.equal(span('HTTP').attributes['http.route'], '/graphql')
    stop()
  }
})

void t.test('after stop, and with another subscriber of graphql, there is nothing', async (t) => {
  const quiet = start(t, { channels: false })
  await quiet.send(json('{ now }'))
  const version = graphql.versionInfo.major
  // graphql 17 publishes what it parses and validates itself.
  const own = version >= 17 ? '\n  parse\n  validate' : ''
  t.equal(quiet.tree(), `POST /graphql${own}\n  query\n    db now`)
  quiet.reset()
  quiet.stop()
  await quiet.send(json('{ now }'))
  t.equal(quiet.tree(), 'db now')
})

void t.test('a sampler that throws leaves no spans, and does no other harm', async (t) => {
  const shouldSample = (): never => {
    throw new Error('no sampler')
  }
  const collected = collect(t, { shouldSample, toString: () => 'one that throws' })
  t.teardown(instrument({ tracer: collected.tracer }))
  const schema = buildSchema('type Query { now: Int }', { Query: { now: () => 1 } })
  const { status } = await testClient(createHandler({ schema }))(json('{ now }'))
  t.equal(status, 200)
  t.equal(collected.tree(), '')
})

void t.test('wrong options are refused', async (t) => {
  const wrong = (options: object) => () => instrument(options)
  t.throws(wrong({ document: 'all' }), /instrument.*document.*'none'.*'hash'.*'text'|document/)
  t.throws(wrong({ tracer: {} }), /a Tracer of @opentelemetry\/api/)
  t.throws(wrong({ meter: 1 }), /a Meter of @opentelemetry\/api/)
  t.throws(wrong({ names: 'type' }), /names/)
})
