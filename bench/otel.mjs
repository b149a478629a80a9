// How much CPU does @graphwire/otel take? W2 over HTTP; the exporters keep spans and metrics in memory. See README.md.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import * as graphql from 'graphql'
import { compiledExecution } from '../dist/src/compiled/index.js'
import { toNodeListener } from '../dist/src/hosts/node/index.js'
import { createHandler } from '../dist/src/index.js'
import { instrument, RequestSampler } from '@graphwire/otel'
import { lowerQuartile, median } from './median.mjs'
import { withCrew } from './processes.mjs'
import { createSchema } from './servers/people.mjs'
import { formatTable } from './report.mjs'

/**
 * The modes of a process, and how each stops. `context` is one context around each request. `SDK` makes our two spans and
 * their attributes with the SDK alone, and `SDK, metric` records our metric: the minimum for any instrumentation with these.
 */
const modes = {
  off: () => ({}),
  '0 %': () => traced(new RequestSampler(0)),
  '1 %': () => traced(new RequestSampler(0.01)),
  '100 %': () => traced(new RequestSampler(1)),
  'sampler of the SDK, 1 %': () => traced(parentBased(new TraceIdRatioBasedSampler(0.01))),
  'sampler of the SDK, 100 %': () => traced(parentBased(new AlwaysOnSampler())),
  metrics: measured,
  'SDK, metric': bareMetric,
  context: () => ({ around: inContext, stop: startContexts() }),
  'context, 1 %': () => ({ around: rarely(inContext), stop: startContexts() }),
  SDK: bare,
}
const executors = ['graphql-js', 'compiled']
const { values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '30' }, modes: { type: 'string' } },
})
const compared = values.modes?.split(';') ?? Object.keys(modes)
const seconds = 0.3
const warmUpRounds = 4

if (process.send === undefined) await measure()
else await serve(process.argv[2])

/** A server of one process, which changes its mode and reports its CPU time on request. */
async function serve(executor) {
  const handler = createHandler({
    schema: createSchema('sync'),
    graphql,
    path: '/graphql',
    ...(executor === 'compiled' && { execution: compiledExecution() }),
  })
  const listener = toNodeListener(handler)
  let mode = {}
  const server = createServer((incoming, outgoing) => {
    if (mode.around === undefined) listener(incoming, outgoing)
    else mode.around(listener, incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.on('message', ({ begin }) => {
    if (begin !== undefined) {
      mode.stop?.()
      mode = modes[begin]()
    }
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
  process.on('disconnect', () => process.exit())
  process.send({ port: server.address().port })
}

function startContexts() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return () => context.disable()
}

function parentBased(root) {
  return new ParentBasedSampler({ root })
}

function createTracer(sampler) {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({
    sampler,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  const stop = startContexts()
  const timer = setInterval(() => exporter.reset(), 100)
  return {
    tracer: provider.getTracer('bench'),
    stop() {
      stop()
      clearInterval(timer)
      void provider.shutdown()
    },
  }
}

function traced(sampler) {
  const { tracer, stop } = createTracer(sampler)
  const own = sampler instanceof RequestSampler ? sampler : undefined
  const stopTracing = instrument({ tracer, sampler: own })
  return {
    stop() {
      stopTracing()
      stop()
    },
  }
}

function measured() {
  const { meter, stop } = createMeter()
  const stopMeasuring = instrument({ meter })
  return {
    stop() {
      stopMeasuring()
      stop()
    },
  }
}

function bareMetric() {
  const { meter, stop } = createMeter()
  const duration = meter.createHistogram('http.server.request.duration', { unit: 's' })
  const around = (listener, incoming, outgoing) => {
    listener(incoming, outgoing)
    duration.record(0.001, {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/graphql',
      'url.scheme': 'http',
    })
  }
  return { around, stop }
}

function createMeter() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
  const provider = new MeterProvider({ readers: [reader] })
  return { meter: provider.getMeter('bench'), stop: () => void provider.shutdown() }
}

function inContext(listener, incoming, outgoing) {
  const own = context.active().setValue(contextKey, incoming)
  context.with(own, () => listener(incoming, outgoing))
}

const contextKey = Symbol('bench')

function rarely(around) {
  let n = 0
  return (listener, incoming, outgoing) =>
    ++n % 100 === 0 ? around(listener, incoming, outgoing) : listener(incoming, outgoing)
}

function bare() {
  const { tracer, stop } = createTracer(parentBased(new AlwaysOnSampler()))
  const around = (listener, incoming, outgoing) => {
    const attributes = {
      'http.request.method': 'POST',
      'url.path': '/graphql',
      'url.scheme': 'http',
    }
    const span = tracer.startSpan('POST', { kind: SpanKind.SERVER, attributes })
    const own = trace.setSpan(context.active(), span)
    const inner = tracer.startSpan('query', { kind: SpanKind.INTERNAL }, own)
    inner.setAttribute('graphql.operation.type', 'query')
    context.with(own, () => listener(incoming, outgoing))
    inner.end()
    span.setAttributes(facts)
    span.end()
  }
  return { around, stop }
}

/** The attributes that instrument() adds to the span of a request of W2. */
const facts = {
  'http.route': '/graphql',
  'http.response.status_code': 200,
  'graphql.operation.type': 'query',
  'graphql.operation.name': 'P',
  'graphwire.cost': 42,
  'graphwire.document.cached': true,
  'graphwire.execution': 'compiled',
}

async function measure() {
  const servers = executors.map((executor) => ({
    executor,
    child: fork(fileURLToPath(import.meta.url), [executor], {
      env: { ...process.env, NODE_ENV: 'production' },
    }),
  }))
  try {
    for (const server of servers) server.port = (await once(server.child, 'message'))[0].port
    const rows = await withCrew({ loadProcesses: 1, connections: 48 }, (crew) =>
      measureAll(crew, servers),
    )
    console.log(formatTable(['W2', 'tracing', 'CPU, us', 'more'], rows, new Set([2, 3])))
  } finally {
    for (const { child } of servers) child.kill()
  }
}

/** Each mode beside a turn without it, in the same process: other work on the machine affects both. */
async function measureAll(crew, servers) {
  const pairs = servers.flatMap(({ executor, child, port }) =>
    compared
      .filter((mode) => mode !== 'off')
      .map((mode) => ({ executor, child, port, mode, on: [], ratios: [], off: [] })),
  )
  const rounds = Number(values.rounds)
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const pair of pairs) {
      const turns = round % 2 === 0 ? ['off', pair.mode] : [pair.mode, 'off']
      const used = {}
      for (const turn of turns) used[turn] = await cpuOf(crew, pair, turn)
      if (round < 0) continue
      pair.on.push(used[pair.mode])
      pair.off.push(used.off)
      pair.ratios.push(used[pair.mode] / used.off)
    }
  }
  return pairs.map(({ executor, mode, on, off, ratios }) => {
    const more = (median(ratios) - 1) * 100
    const shown = `${lowerQuartile(off).toFixed(1)} to ${lowerQuartile(on).toFixed(1)}`
    return [executor, mode, shown, `${more.toFixed(1)} %`]
  })
}

async function cpuOf(crew, { child, port }, mode) {
  const ask = async (message) => {
    child.send(message)
    return (await once(child, 'message'))[0].cpu
  }
  await ask({ begin: mode })
  await crew.open({ port, workload: 'W2', status: 200 })
  await crew.run(0.05)
  const before = await ask({})
  const { requests } = await crew.run(seconds)
  const used = (await ask({})) - before
  await crew.close()
  return used / requests
}
