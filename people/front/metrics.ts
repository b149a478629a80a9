import type { StreamEnd, StreamTrace } from 'graphwire'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { subscribe } from './channel.js'
import type { RequestRecords } from './front.js'
import { countRequests, type RequestMetrics } from './request-metrics.js'

/** The figures of one service. */
export interface Metrics {
  /** The text for Prometheus and its media type. */
  read(): Promise<{ readonly text: string; readonly type: string }>
  onStatement(sql: string, milliseconds: number): void
  readonly requests: RequestMetrics
  readonly streams: StreamMetrics
  /** Counts what became of requests with an `Idempotency-Key`. */
  readonly keyed: KeyedRequests
  /** Counts rows that were deleted because of their age. */
  onSwept(table: string, rows: number): void
  /** Sets where open WebSockets are counted. */
  countSockets(read: () => number): void
  close(): void
}

/** The figures of requests with an `Idempotency-Key`. */
export interface KeyedRequests {
  count(outcome: 'done' | 'kept' | 'running' | 'other' | 'full' | 'undone'): void
}

/** The figures of streams; how many are open is traced by the engine. */
interface StreamMetrics {
  delivered(): void
  /** Changes that a client could not get any more. */
  skipped(count: number): void
  ended(report: StreamEnd): void
  stuck(): void
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts the events on the tracing channels of the engine. */
export function createMetrics(records: RequestRecords): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const statements = new Histogram({
    name: 'people_statement_duration_seconds',
    help: 'Duration of database statements.',
    buckets: seconds,
    registers: [register],
  })
  const requests = countRequests(register, records)
  const stop = [
    () => requests.stop(),
    countOpenStreams(register),
    ...(['parse', 'validate', 'execute'] as const).map((stage) => timeStage(register, stage)),
  ]
  return {
    read: async () => ({ text: await register.metrics(), type: register.contentType }),
    onStatement: (_sql, milliseconds) => statements.observe(milliseconds / 1000),
    requests,
    streams: countStreams(register),
    keyed: countKeyed(register),
    onSwept: countSwept(register),
    countSockets: (read) => countOpenSockets(register, read),
    close: () => {
      for (const one of stop) one()
      register.clear()
    },
  }
}

function countOpenStreams(register: Registry): () => void {
  const open = new Gauge({
    name: 'people_streams_open',
    help: 'Number of open streams.',
    labelNames: ['transport'] as const,
    registers: [register],
  })
  return subscribe('graphwire:stream', {
    start: (message) => open.inc(transportOf(message)),
    asyncEnd: (message) => open.dec(transportOf(message)),
  })
}

function countOpenSockets(register: Registry, read: () => number): void {
  const open: Gauge = new Gauge({
    name: 'people_sockets_open',
    help: 'Number of open WebSockets.',
    collect: () => open.set(read()),
    registers: [],
  })
  register.registerMetric(open)
}

function transportOf(message: unknown): { transport: string } {
  const { transport } = message as StreamTrace
  return { transport }
}

function countStreams(register: Registry): StreamMetrics {
  const registers = [register]
  const ended = new Counter({
    name: 'people_streams_ended_total',
    help: 'Number of ended streams.',
    labelNames: ['transport', 'cause'] as const,
    registers,
  })
  const delivered = new Counter({
    name: 'people_stream_events_delivered_total',
    help: 'Number of events that streams have taken.',
    registers,
  })
  const dropped = new Counter({
    name: 'people_stream_events_dropped_total',
    help: 'Number of changes that were no longer kept when a client resumed.',
    registers,
  })
  const stuck = new Counter({
    name: 'people_streams_stuck_total',
    help: 'Number of streams whose source has not finished in time.',
    registers,
  })
  return {
    delivered: () => delivered.inc(),
    skipped: (count) => dropped.inc(count),
    ended: ({ transport, cause }) => ended.inc({ transport, cause }),
    stuck: () => stuck.inc(),
  }
}

function countKeyed(register: Registry): KeyedRequests {
  const total = new Counter({
    name: 'people_idempotency_keys_total',
    help: 'Number of requests with an Idempotency-Key, by what became of them.',
    labelNames: ['outcome'] as const,
    registers: [register],
  })
  return { count: (outcome) => total.inc({ outcome }) }
}

function countSwept(register: Registry): Metrics['onSwept'] {
  const total = new Counter({
    name: 'people_swept_rows_total',
    help: 'Number of rows that were deleted because of their age.',
    labelNames: ['table'] as const,
    registers: [register],
  })
  return (table, rows) => total.inc({ table }, rows)
}

function timeStage(register: Registry, stage: 'parse' | 'validate' | 'execute'): () => void {
  const duration = new Histogram({
    name: `people_graphql_${stage}_duration_seconds`,
    help: `Duration of the GraphQL stage ${stage}.`,
    buckets: seconds,
    registers: [register],
  })
  const started = new WeakMap<object, number>()
  const observe = (message: unknown): void => {
    const start = started.get(message as object)
    // At the end of the synchronous part, asynchronous work may still be running.
    if (start === undefined || !isDone(message as object)) return
    started.delete(message as object)
    duration.observe((performance.now() - start) / 1000)
  }
  return subscribe(`graphql:${stage}`, {
    start: (message) => started.set(message, performance.now()),
    end: observe,
    asyncEnd: observe,
  })
}

function isDone(message: object): boolean {
  return 'result' in message || 'error' in message
}
