import { tracingChannel, type TracingChannelSubscribers } from 'node:diagnostics_channel'
import type { RequestFacts, RequestHead, RequestTrace, StreamTrace } from 'graphwire'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RequestRecord, RequestRecords } from './log.js'

/** The buckets of the semantic conventions of OpenTelemetry, and finer ones below. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const fineBuckets = [0.0005, 0.001, 0.0025, ...buckets]

type Figures = ReturnType<typeof createFigures>

// oxfmt-ignore
function createFigures(register: Registry) {
  const of = (name: string, help: string, labelNames: string[]) => ({ name, help, labelNames, registers: [register] })
  const counter = (name: string, help: string, ...labels: string[]) => new Counter(of(name, help, labels))
  const gauge = (name: string, help: string, ...labels: string[]) => new Gauge(of(name, help, labels))
  const seconds = (name: string, help: string, ...labels: string[]) => new Histogram({ ...of(name, help, labels), buckets: fineBuckets })
  const ofRequest = ['http_request_method', 'http_response_status_code', 'http_route']
  const request = of('http_server_request_duration_seconds', 'Duration of HTTP server requests.', ofRequest)
  return {
    requestSeconds: new Histogram({ ...request, buckets }),
    activeRequests: gauge('http_server_active_requests', 'Number of requests in progress.'),
    operationSeconds: seconds('graphql_operation_duration_seconds', 'Time from a request to the response of its operation.', 'type', 'name'),
    parse: seconds('people_graphql_parse_duration_seconds', 'Duration of the GraphQL stage parse.'),
    validate: seconds('people_graphql_validate_duration_seconds', 'Duration of the GraphQL stage validate.'),
    execute: seconds('people_graphql_execute_duration_seconds', 'Duration of the GraphQL stage execute.'),
    statementSeconds: seconds('people_statement_duration_seconds', 'Duration of database statements.'),
    errors: counter('people_errors_total', 'Number of errors in responses.', 'code'),
    limitsExceeded: counter('graphwire_limits_exceeded_total', 'Number of documents beyond a limit.', 'limit', 'action'),
    cacheHits: counter('graphwire_document_cache_hits_total', 'Number of documents found in the cache.'),
    cacheMisses: counter('graphwire_document_cache_misses_total', 'Number of documents parsed and validated.'),
    openStreams: gauge('people_streams_open', 'Number of open streams.', 'transport'),
    openSockets: gauge('people_sockets_open', 'Number of open WebSockets.'),
    endedStreams: counter('people_streams_ended_total', 'Number of ended streams.', 'transport', 'cause'),
    deliveredEvents: counter('people_stream_events_delivered_total', 'Number of events that streams have taken.'),
    droppedEvents: counter('people_stream_events_dropped_total', 'Number of changes that were no longer kept when a client resumed.'),
    stuckStreams: counter('people_streams_stuck_total', 'Number of streams whose source has not finished in time.'),
    idempotencyKeys: counter('people_idempotency_keys_total', 'Number of requests with an Idempotency-Key, by what became of them.', 'outcome'),
    sweptRows: counter('people_swept_rows_total', 'Number of rows that were deleted because of their age.', 'table'),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** The metrics of one service, from the tracing channels of the engine and from calls. */
export function createMetrics(records: RequestRecords) {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const figures = createFigures(register)
  const stops = subscribeAll(figures, records)
  return {
    ...figures,
    countRequest({ method }: RequestHead, { route }: RequestRecord, status: number, ms: number) {
      const labels = {
        http_request_method: methods.has(method) ? method : '_OTHER',
        http_response_status_code: status,
        ...(route !== undefined && { http_route: route }),
      }
      figures.requestSeconds.observe(labels, ms / 1_000)
    },
    async read(openSockets: number) {
      figures.openSockets.set(openSockets)
      return { text: await register.metrics(), type: register.contentType }
    },
    close(): void {
      for (const stop of stops) stop()
      register.clear()
    },
  }
}

/** Methods that clients invent must not become labels. */
const methods = new Set('GET HEAD POST QUERY PUT PATCH DELETE OPTIONS'.split(' '))

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000
}

/** Follows the tracing channels of the engine and of graphql; returns functions that stop it. */
function subscribeAll(figures: Figures, records: RequestRecords): readonly (() => void)[] {
  const changeOpen = (message: object, by: 1 | -1): void =>
    figures.openStreams.inc({ transport: (message as StreamTrace).transport }, by)
  return [
    onEnd('graphwire:request', (message) => {
      const trace = message as RequestTrace
      const record = records.of(trace.head)
      // The request was already counted when its client disconnected.
      if (record === undefined || record.isOver) return
      countOperation(figures, trace, record.startedAt)
    }),
    onEnd('graphwire:operation', (trace, startedAt) => countOperation(figures, trace, startedAt)),
    subscribe('graphwire:stream', {
      start: (message) => changeOpen(message, 1),
      asyncEnd: (message) => changeOpen(message, -1),
    }),
    ...(['parse', 'validate', 'execute'] as const).map((stage) =>
      onEnd(`graphql:${stage}`, (_, startedAt) => figures[stage].observe(secondsSince(startedAt))),
    ),
  ]
}

/** Counts what requests and sockets have in common. */
function countOperation(figures: Figures, facts: RequestFacts, startedAt: number): void {
  const { operationType: type, operationName, isTrusted, documentCached, errors = [] } = facts
  // Clients choose the names of their operations; those of routes are ours.
  const name = isTrusted === true ? (operationName ?? 'other') : 'other'
  if (type !== undefined) figures.operationSeconds.observe({ type, name }, secondsSince(startedAt))
  if (documentCached !== undefined) {
    const { cacheHits, cacheMisses } = figures
    ;(documentCached ? cacheHits : cacheMisses).inc()
  }
  for (const { extensions } of errors) {
    // Only this service makes codes and limits, so there are few.
    const { code, limit } = extensions ?? {}
    figures.errors.inc({ code: typeof code === 'string' ? code : 'none' })
    if (typeof limit === 'string') figures.limitsExceeded.inc({ limit, action: 'refused' })
  }
}

/** Calls the listener when what is traced is done: at `end`, or at `asyncEnd` if it was not yet. */
function onEnd(name: string, listener: (message: object, startedAt: number) => void): () => void {
  const started = new WeakMap<object, number>()
  const ended = (message: object): void => {
    const startedAt = started.get(message)
    const { result, error } = message as { readonly result?: unknown; readonly error?: unknown }
    if (startedAt === undefined || (result === undefined && error === undefined)) return
    started.delete(message)
    listener(message, startedAt)
  }
  const start = (message: object): void => void started.set(message, performance.now())
  return subscribe(name, { start, end: ended, asyncEnd: ended })
}

function subscribe(name: string, some: Partial<TracingChannelSubscribers<object>>): () => void {
  const channel = tracingChannel(name)
  // Node takes some of the five as well.
  const listeners = some as TracingChannelSubscribers<object>
  channel.subscribe(listeners)
  return () => channel.unsubscribe(listeners)
}
