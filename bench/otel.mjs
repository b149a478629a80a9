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
 * The modes of a process; each may give a function that is called around the listener. `context` is one context around each
 * request. `SDK` makes our two spans and their attributes with the SDK alone, and `SDK, metric` records our metric: the minimum
 * for any instrumentation with these.
 */
const modes = {
  off: () => undefined,
  '0 %': () => traced(new RequestSampler(0)),
  '1 %': () => traced(new RequestSampler(0.01)),
  '100 %': () => traced(new RequestSampler(1)),
  'sampler of the SDK, 1 %': () => traced(parentBased(new TraceIdRatioBasedSampler(0.01))),
  'sampler of the SDK, 100 %': () => traced(parentBased(new AlwaysOnSampler())),
  metrics: () => void instrument({ meter: createMeter() }),
  'SDK, metric': bareMetric,
  context: () => {
    startContexts()
    return inContext
  },
  'context, 1 %': () => {
    startContexts()
    return rarely(inContext)
  },
  SDK: bare,
}
const executors = ['graphql-js', 'compiled']
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '10' },
    processes: { type: 'string', default: '5' },
    modes: { type: 'string' },
  },
})
const compared = new Set(['off', ...(values.modes?.split(';') ?? Object.keys(modes))])
const seconds = 0.3
const warmUpRounds = 4

if (process.send === undefined) await measure()
else await serve(...process.argv.slice(2))

/** A server, which reports its CPU time on request. */
async function serve(executor, mode) {
  const handler = createHandler({
    schema: createSchema('sync'),
    graphql,
    path: '/graphql',
    ...(executor === 'compiled' && { execution: compiledExecution() }),
  })
  const listener = toNodeListener(handler)
  const around = modes[mode]()
  const server = createServer(
    around === undefined
      ? listener
      : (incoming, outgoing) => void around(listener, incoming, outgoing),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
  process.on('disconnect', () => process.exit())
  process.send({ port: server.address().port })
}

function startContexts() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
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
  startContexts()
  setInterval(() => exporter.reset(), 100)
  return provider.getTracer('bench')
}

function traced(sampler) {
  const own = sampler instanceof RequestSampler ? sampler : undefined
  instrument({ tracer: createTracer(sampler), sampler: own })
}

function bareMetric() {
  const duration = createMeter().createHistogram('http.server.request.duration', { unit: 's' })
  return (listener, incoming, outgoing) => {
    listener(incoming, outgoing)
    duration.record(0.001, {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/graphql',
      'url.scheme': 'http',
    })
  }
}

function createMeter() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
  const provider = new MeterProvider({ readers: [reader] })
  return provider.getMeter('bench')
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
  const tracer = createTracer(parentBased(new AlwaysOnSampler()))
  return (listener, incoming, outgoing) => {
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
  const rows = []
  for (const executor of executors) rows.push(...(await measureExecutor(executor)))
  console.log(formatTable(['W2', 'tracing', 'CPU, us', 'more'], rows, new Set([2, 3])))
}

/**
 * Each process keeps its mode, as in production: V8 optimizes for what runs. All processes take turns, so other work on
 * the machine affects each mode.
 */
async function measureExecutor(executor) {
  const servers = []
  try {
    for (let process = 0; process < Number(values.processes); process++) {
      for (const mode of compared) servers.push(await start(executor, mode))
    }
    await withCrew({ loadProcesses: 1, connections: 48 }, async (crew) => {
      for (let round = -warmUpRounds; round < Number(values.rounds); round++) {
        for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
          const cpu = await cpuOf(crew, server)
          if (round >= 0) server.rounds.push(cpu)
        }
      }
    })
  } finally {
    for (const { child } of servers) child.kill()
  }
  const cpuIn = (mode) =>
    median(servers.filter((one) => one.mode === mode).map(({ rounds }) => lowerQuartile(rounds)))
  return [...compared].map((mode) => {
    const more = (cpuIn(mode) / cpuIn('off') - 1) * 100
    return [executor, mode, cpuIn(mode).toFixed(1), `${more.toFixed(1)} %`]
  })
}

async function start(executor, mode) {
  const child = fork(fileURLToPath(import.meta.url), [executor, mode], {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [{ port }] = await once(child, 'message')
  return { child, port, mode, rounds: [] }
}

async function cpuOf(crew, { child, port }) {
  const usage = async () => {
    child.send('usage')
    return (await once(child, 'message'))[0].cpu
  }
  await crew.open({ port, workload: 'W2', status: 200 })
  await crew.run(0.05)
  const before = await usage()
  const { requests } = await crew.run(seconds)
  const used = (await usage()) - before
  await crew.close()
  return used / requests
}
