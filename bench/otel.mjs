// How much CPU do the spans of @graphwire/otel take? W2 over HTTP; the exporter keeps spans in memory. See README.md.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request as ask } from 'node:http'
import { fileURLToPath } from 'node:url'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
} from '@opentelemetry/sdk-trace-base'
import * as graphql from 'graphql'
import { compiledExecution } from '../dist/src/compiled/index.js'
import { toNodeListener } from '../dist/src/hosts/node/index.js'
import { createHandler } from '../dist/src/index.js'
import { instrument } from '@graphwire/otel'
import { median } from './median.mjs'
import { createSchema } from './servers/people.mjs'
import { formatTable } from './report.mjs'
import { workloads } from './workloads.mjs'

/**
 * `context` is what the SDK takes by itself for one context around each request, and `bare` for two spans in it, with
 * the attributes of ours: no instrumentation that makes these spans can take less.
 */
const modes = ['off', 'context', 'sampled out', 'bare', 'on']
const executors = ['graphql-js', 'compiled']
const rounds = 12
const warmUpRounds = 6
const perRound = 2000
const parallel = 16

if (process.send === undefined) await measure()
else await serve(process.argv[2], process.argv[3])

/** A server of its own process, which tells its CPU time when asked. */
async function serve(mode, executor) {
  const handler = createHandler({
    schema: createSchema('sync'),
    graphql,
    path: '/graphql',
    ...(executor === 'compiled' && { execution: compiledExecution() }),
  })
  const exporter = new InMemorySpanExporter()
  let tracer
  if (mode !== 'off') {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    const provider = new BasicTracerProvider({
      ...(mode === 'sampled out' && { sampler: new AlwaysOffSampler() }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    })
    tracer = provider.getTracer('bench')
    if (mode === 'sampled out' || mode === 'on') instrument({ tracer })
  }
  const listener = toNodeListener(handler)
  const around = { context: inContext, bare: inSpans }[mode]
  const listen = around === undefined ? listener : around(listener, tracer)
  const server = createServer(listen).listen(0, '127.0.0.1')
  // Longer than a round of all others.
  server.keepAliveTimeout = 120_000
  await once(server, 'listening')
  process.on('message', () => {
    exporter.reset()
    const { user, system } = process.cpuUsage()
    process.send(user + system)
  })
  process.send(server.address().port)
}

function inContext(listener) {
  const key = Symbol('bench')
  return (incoming, outgoing) =>
    context.with(context.active().setValue(key, incoming), () => listener(incoming, outgoing))
}

function inSpans(listener, tracer) {
  return (incoming, outgoing) => {
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

/** What instrument() adds to the span of a request for W2. */
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
  const servers = []
  try {
    for (const executor of executors) {
      for (const mode of modes) {
        const child = fork(fileURLToPath(import.meta.url), [mode, executor])
        servers.push({ mode, executor, child, cpu: [] })
        const [port] = await once(child, 'message')
        Object.assign(servers.at(-1), { port, agent: new Agent({ keepAlive: true }) })
      }
    }
    // By turns, so that other work on the machine affects all; the first rounds warm up.
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      for (const server of servers) {
        const before = await cpuOf(server)
        await load(server)
        const used = ((await cpuOf(server)) - before) / perRound
        if (round >= 0) server.cpu.push(used)
      }
    }
    const off = (executor) =>
      servers.find((one) => one.executor === executor && one.mode === 'off').cpu
    const rows = servers.map(({ mode, executor, cpu }) => {
      // Of the same round.
      const ratios = cpu.map((used, at) => used / off(executor)[at])
      const more = (median(ratios) - 1) * 100
      return [executor, mode, median(cpu).toFixed(1), mode === 'off' ? '-' : `${more.toFixed(0)} %`]
    })
    console.log(formatTable(['W2', 'spans', 'CPU, us', 'more'], rows, new Set([2, 3])))
  } finally {
    for (const { child, agent } of servers) {
      agent?.destroy()
      child.kill()
    }
  }
}

async function cpuOf({ child }) {
  child.send('cpu')
  const [cpu] = await once(child, 'message')
  return cpu
}

async function load({ port, agent }) {
  const { request } = workloads.find(({ name }) => name === 'W2')
  let sent = 0
  const one = async () => {
    while (sent < perRound) {
      const body = JSON.stringify(request(sent++))
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }
      const asked = ask({
        host: '127.0.0.1',
        port,
        path: '/graphql',
        method: 'POST',
        headers,
        agent,
      })
      asked.end(body)
      const [answer] = await once(asked, 'response')
      if (answer.statusCode !== 200) throw new Error(`The status is ${answer.statusCode}.`)
      answer.resume()
      await once(answer, 'end')
    }
  }
  await Promise.all(Array.from({ length: parallel }, one))
}
