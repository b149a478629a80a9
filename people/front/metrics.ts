import { tracingChannel, type TracingChannelSubscribers } from 'node:diagnostics_channel'
import type { RequestFacts, RequestHead, RequestTrace, StreamTrace } from 'graphwire'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RequestRecord, RequestRecords } from './records.js'

/** A metric: what it says, and its labels. */
type Row = readonly [help: string, ...labels: string[]]

const counters = {
  people_errors_total: ['Number of errors in responses.', 'code'],
  people_streams_ended_total: ['Number of ended streams.', 'transport', 'cause'],
  people_stream_events_delivered_total: ['Number of events that streams have taken.'],
  people_stream_events_dropped_total: [
    'Number of changes that were no longer kept when a client resumed.',
  ],
  people_streams_stuck_total: ['Number of streams whose source has not finished in time.'],
  people_idempotency_keys_total: [
    'Number of requests with an Idempotency-Key, by what became of them.',
    'outcome',
  ],
  people_swept_rows_total: ['Number of rows that were deleted because of their age.', 'table'],
  graphwire_limits_exceeded_total: ['Number of documents beyond a limit.', 'limit', 'action'],
  graphwire_document_cache_hits_total: ['Number of documents found in the cache.'],
  graphwire_document_cache_misses_total: ['Number of documents parsed and validated.'],
} as const satisfies { readonly [name: string]: Row }

const gauges = {
  http_server_active_requests: ['Number of requests in progress.'],
  people_streams_open: ['Number of open streams.', 'transport'],
  people_sockets_open: ['Number of open WebSockets.'],
} as const satisfies { readonly [name: string]: Row }

const durations = {
  http_server_request_duration_seconds: [
    'Duration of HTTP server requests.',
    'http_request_method',
    'http_response_status_code',
    'http_route',
  ],
  graphql_operation_duration_seconds: [
    'Time from a request to the response of its operation.',
    'type',
    'name',
  ],
  people_graphql_parse_duration_seconds: ['Duration of the GraphQL stage parse.'],
  people_graphql_validate_duration_seconds: ['Duration of the GraphQL stage validate.'],
  people_graphql_execute_duration_seconds: ['Duration of the GraphQL stage execute.'],
  people_statement_duration_seconds: ['Duration of database statements.'],
} as const satisfies { readonly [name: string]: Row }

/** Those of the semantic conventions of OpenTelemetry, and finer ones before them. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const fineBuckets = [0.0005, 0.001, 0.0025, ...buckets]

interface Labels {
  readonly [name: string]: string | number
}

export type Metrics = ReturnType<typeof createMetrics>

/** The figures of one service: events on the tracing channels of the engine, and what it is told. */
export function createMetrics(records: RequestRecords) {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const configOf = (name: string, [help, ...labelNames]: Row) => {
    return { name, help, labelNames, registers: [register] }
  }
  const made = {
    ...mapRows(gauges, (name, row) => new Gauge(configOf(name, row))),
    ...mapRows(counters, (name, row) => new Counter(configOf(name, row))),
    ...mapRows(durations, (name, row) => {
      const bounds = name.startsWith('http') ? buckets : fineBuckets
      return new Histogram({ ...configOf(name, row), buckets: bounds })
    }),
  }
  let readSockets: (() => number) | undefined
  const count = (name: keyof typeof counters, labels: Labels = {}, by = 1): void =>
    made[name].inc(labels, by)
  const change = (name: keyof typeof gauges, by: 1 | -1, labels: Labels = {}): void =>
    made[name].inc(labels, by)
  const time = (name: keyof typeof durations, milliseconds: number, labels: Labels = {}): void =>
    made[name].observe(labels, milliseconds / 1_000)
  const stops = subscribeAll({ count, change, time }, records)
  return {
    count,
    change,
    time,
    countRequest({ method }: RequestHead, record: RequestRecord, status: number): void {
      const { route, startedAt } = record
      time('http_server_request_duration_seconds', performance.now() - startedAt, {
        http_request_method: methods.has(method) ? method : '_OTHER',
        http_response_status_code: status,
        ...(route !== undefined && { http_route: route }),
      })
    },
    /** Sets where open WebSockets are counted. */
    countSockets: (read: () => number): void => void (readSockets = read),
    /** The text for Prometheus and its media type. */
    async read() {
      made.people_sockets_open.set(readSockets?.() ?? 0)
      return { text: await register.metrics(), type: register.contentType }
    },
    close(): void {
      for (const stop of stops) stop()
      register.clear()
    },
  }
}

function mapRows<Name extends string, Metric>(
  rows: { readonly [name in Name]: Row },
  make: (name: string, row: Row) => Metric,
): { readonly [name in Name]: Metric } {
  const all = Object.entries<Row>(rows).map(([name, row]) => [name, make(name, row)])
  return Object.fromEntries(all) as { [name in Name]: Metric }
}

/** Methods that clients invent must not become labels. */
const methods: ReadonlySet<string> = new Set(
  'GET HEAD POST QUERY PUT PATCH DELETE OPTIONS'.split(' '),
)

type Figures = Pick<Metrics, 'count' | 'change' | 'time'>

/** Returns how to stop. */
function subscribeAll(metrics: Figures, records: RequestRecords): readonly (() => void)[] {
  const changeOpen = (message: unknown, by: 1 | -1): void =>
    metrics.change('people_streams_open', by, { transport: (message as StreamTrace).transport })
  return [
    onEnd('graphwire:request', (message) => {
      const trace = message as RequestTrace
      const record = records.of(trace.head)
      // The request was already counted when its client disconnected.
      if (record === undefined || record.isOver) return
      countOperation(metrics, trace, record.startedAt)
    }),
    onEnd('graphwire:operation', (trace, startedAt) => countOperation(metrics, trace, startedAt)),
    subscribe('graphwire:stream', {
      start: (message) => changeOpen(message, 1),
      asyncEnd: (message) => changeOpen(message, -1),
    }),
    ...(['parse', 'validate', 'execute'] as const).map((stage) =>
      onEnd(`graphql:${stage}`, (_, startedAt) =>
        metrics.time(`people_graphql_${stage}_duration_seconds`, performance.now() - startedAt),
      ),
    ),
  ]
}

/** Counts what requests and sockets have in common. */
function countOperation(metrics: Figures, facts: RequestFacts, startedAt: number): void {
  const { operationType: type, operationName, isTrusted, documentCached } = facts
  // Clients choose the names of their operations; those of routes are ours.
  const name = isTrusted === true ? (operationName ?? 'other') : 'other'
  if (type !== undefined) {
    metrics.time('graphql_operation_duration_seconds', performance.now() - startedAt, {
      type,
      name,
    })
  }
  if (documentCached !== undefined) {
    metrics.count(`graphwire_document_cache_${documentCached ? 'hits' : 'misses'}_total`)
  }
  for (const { extensions } of facts.errors ?? []) {
    // Only this service makes codes and limits: there are few.
    const { code, limit } = extensions ?? {}
    metrics.count('people_errors_total', { code: typeof code === 'string' ? code : 'none' })
    if (typeof limit === 'string') {
      metrics.count('graphwire_limits_exceeded_total', { limit, action: 'refused' })
    }
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

/** Subscribes to a tracing channel; returns how to stop. */
function subscribe(
  name: string,
  listeners: Partial<TracingChannelSubscribers<object>>,
): () => void {
  const channel = tracingChannel(name)
  // Node takes some of the five as well.
  const all = listeners as TracingChannelSubscribers<object>
  channel.subscribe(all)
  return () => {
    channel.unsubscribe(all)
  }
}
