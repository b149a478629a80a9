import { context, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type HistogramMetricData,
} from '@opentelemetry/sdk-metrics'
import t from 'tap'
import { toFetch } from 'graphwire/fetch'
import { testClient, type TestRequest } from 'graphwire/testing'
import { buildSchema, createHandler } from 'graphwire'
import { instrument } from '@graphwire/otel'
import { collect } from './collect.js'

void t.test('durations have the buckets and the labels of the conventions', async (t) => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter })
  const provider = new MeterProvider({ readers: [reader] })
  const { tracer } = collect(t)
  t.teardown(instrument({ tracer, meter: provider.getMeter('test') }))
  const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
  const handler = createHandler({
    schema,
    path: '/graphql',
    context: ({ head }) => {
      if (head.method === 'GET') throw new Error('broken')
    },
    onBug: () => {},
  })
  const send = testClient(handler)
  const requests: readonly TestRequest[] = [
    { json: { query: '{ a }' } },
    { json: { query: '{ a }' } },
    { target: '/graphql?query=%7Ba%7D' },
    ...Array.from({ length: 20 }, (_, at) => ({ method: `BREW${at}`, target: `/${at}` })),
  ]
  for (const request of requests) await send(request)
  const body = JSON.stringify({ query: '{ a }' })
  const headers = { 'Content-Type': 'application/json' }
  const url = 'https://example.com/graphql'
  await toFetch(handler)(new Request(url, { method: 'POST', headers, body }))

  await reader.forceFlush()
  const [scope] = exporter.getMetrics().at(-1)?.scopeMetrics ?? []
  const [metric] = scope?.metrics ?? []
  t.equal(scope?.metrics.length, 1)
  t.equal(metric?.descriptor.name, 'http.server.request.duration')
  t.equal(metric?.descriptor.unit, 's')
  const { dataPoints } = metric as HistogramMetricData
  t.same(
    dataPoints[0]?.value.buckets.boundaries,
    [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  )
  t.same(
    dataPoints.map(({ attributes, value }) => {
      const [method, status] = [
        attributes['http.request.method'],
        attributes['http.response.status_code'],
      ]
      return [method, status, attributes['http.route'], attributes['url.scheme'], value.count]
    }),
    [
      ['POST', 200, '/graphql', undefined, 2],
      ['GET', 500, '/graphql', undefined, 1],
      ['_OTHER', 404, undefined, undefined, 20],
      ['POST', 200, '/graphql', 'https', 1],
    ],
  )
  t.equal(dataPoints[1]?.attributes['error.type'], '500')
  await provider.shutdown()
})

void t.test(
  'before there is a provider of tracers, only the context of the caller is passed on',
  async (t) => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
    const { tracer, tree } = collect(t)
    t.teardown(instrument({ meter: meters.getMeter('test') }))
    const seen: (string | undefined)[] = []
    const a = (): void => void seen.push(trace.getSpanContext(context.active())?.traceId)
    const schema = buildSchema('type Query { a: Int }', { Query: { a } })
    const send = testClient(createHandler({ schema }))
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const called = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    await send({ json: { query: '{ a }' } })
    await send({ json: { query: '{ a }' }, headers: called })
    trace.setGlobalTracerProvider({ getTracer: () => tracer })
    t.teardown(() => trace.disable())
    await send({ json: { query: '{ a }' }, headers: called })
    t.strictSame(seen, [undefined, traceId, traceId])
    t.equal(tree(), 'POST\n  query')
    await meters.shutdown()
  },
)
