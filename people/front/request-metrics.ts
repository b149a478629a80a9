import type { OperationTrace, RequestFacts, RequestHead, RequestTrace } from 'graphwire'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { subscribe } from './channel.js'
import type { RequestRecord, RequestRecords } from './front.js'

/** Counts requests and their operations. */
export interface RequestMetrics {
  /** A request is in progress until `ended`. */
  begun(): void
  ended(): void
  /** Counts a request whose end is not traced. */
  count(head: RequestHead, record: RequestRecord, status: number): void
  stop(): void
}

/** Those of the semantic conventions of OpenTelemetry. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** A request whose head alone is refused ends at `end`, every other at `asyncEnd`; both with a result. */
export function countRequests(register: Registry, records: RequestRecords): RequestMetrics {
  const registers = [register]
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Number of requests in progress.',
    registers,
  })
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests.',
    labelNames: ['http_request_method', 'http_response_status_code', 'http_route'] as const,
    buckets,
    registers,
  })
  const operations = countOperations(register)
  const count: RequestMetrics['count'] = ({ method }, { route, startedAt }, status) => {
    const labels = {
      http_request_method: knownMethod(method),
      http_response_status_code: status,
      ...(route !== undefined && { http_route: route }),
    }
    duration.observe(labels, (performance.now() - startedAt) / 1000)
  }
  const observe = (message: unknown): void => {
    const trace = message as RequestTrace
    const record = records.of(trace.head)
    // The request was already counted when its client disconnected.
    if (trace.result === undefined || record === undefined || record.isOver) return
    count(trace.head, record, trace.result.status)
    operations(trace, record.startedAt)
  }
  const stops = [
    subscribe('graphwire:request', { end: observe, asyncEnd: observe }),
    countSocketOperations(operations),
  ]
  return {
    begun: () => active.inc(),
    ended: () => active.dec(),
    count,
    stop() {
      for (const stop of stops) stop()
    },
  }
}

type CountOperation = (facts: RequestFacts, startedAt: number) => void

/** Counts what requests and sockets have in common. */
function countOperations(register: Registry): CountOperation {
  const registers = [register]
  const duration = new Histogram({
    name: 'graphql_operation_duration_seconds',
    help: 'Time from a request to the response of its operation.',
    labelNames: ['type', 'name'] as const,
    buckets: [0.0005, 0.001, 0.0025, ...buckets],
    registers,
  })
  const errors = new Counter({
    name: 'people_errors_total',
    help: 'Number of errors in responses.',
    labelNames: ['code'] as const,
    registers,
  })
  const limits = new Counter({
    name: 'graphwire_limits_exceeded_total',
    help: 'Number of documents beyond a limit.',
    labelNames: ['limit', 'action'] as const,
    registers,
  })
  const [hits, misses] = [
    ['hits', 'Number of documents found in the cache.'] as const,
    ['misses', 'Number of documents parsed and validated.'] as const,
  ].map(([what, help]) => {
    return new Counter({ name: `graphwire_document_cache_${what}_total`, help, registers })
  })
  return (facts, startedAt) => {
    const { operationType: type, operationName, isTrusted, documentCached } = facts
    // Clients choose the names of their operations; those of routes are ours.
    const name = isTrusted === true ? (operationName ?? 'other') : 'other'
    if (type !== undefined) duration.observe({ type, name }, (performance.now() - startedAt) / 1000)
    if (documentCached !== undefined) (documentCached ? hits : misses)?.inc()
    for (const { extensions } of facts.errors ?? []) {
      // Only this service makes codes and limits: there are few.
      const { code, limit } = extensions ?? {}
      errors.inc({ code: typeof code === 'string' ? code : 'none' })
      if (typeof limit === 'string') limits.inc({ limit, action: 'refused' })
    }
  }
}

function countSocketOperations(count: CountOperation): () => void {
  const started = new WeakMap<object, number>()
  const observe = (message: unknown): void => {
    const trace = message as OperationTrace
    const startedAt = started.get(trace)
    if (startedAt === undefined || trace.result === undefined) return
    started.delete(trace)
    count(trace, startedAt)
  }
  return subscribe('graphwire:operation', {
    start: (message) => void started.set(message, performance.now()),
    end: observe,
    asyncEnd: observe,
  })
}

/** Methods that clients invent must not become labels. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}

const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'QUERY',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])
