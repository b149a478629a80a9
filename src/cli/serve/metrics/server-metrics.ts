import { channel } from 'node:diagnostics_channel'
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import { limitNames } from '../../../graphql/limits/limits.js'
import type { HostFigures } from '../../../hosts/node/index.js'
import { pathOf, type EndpointStats, type LimitReport, type StreamEnd } from '../../../index.js'
import {
  counter,
  createCounts,
  createDurations,
  gauge,
  type MetricFamily,
} from './metric-family.js'
import type { OperationRecord, RequestRecord } from './request-record.js'

interface RequestMetrics {
  begun(): void
  ended(record: RequestRecord): void
  operationEnded(record: OperationRecord): void
  families(): readonly MetricFamily[]
}

/** Those of the semantic conventions of OpenTelemetry. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const operationSeconds = [0.0005, 0.001, 0.0025, ...requestSeconds]

/** Counts requests and operations. Clients cannot invent labels, so that their number is bounded. */
export function createRequestMetrics(path: string | undefined): RequestMetrics {
  const requests = createDurations<
    'http_request_method' | 'http_response_status_code' | 'http_route'
  >(requestSeconds)
  const operations = createDurations<'type' | 'name'>(operationSeconds)
  const refused = createCounts<'code'>(maxCodes)
  const executed = createCounts<'execution'>()
  const documents = createDocumentMetrics()
  let inFlight = 0
  return {
    begun: () => void (inFlight += 1),
    ended({ head, response, duration, operation, codes }) {
      inFlight -= 1
      const { status } = response
      const labels = {
        http_request_method: knownMethod(head.method),
        http_response_status_code: String(status),
        http_route: pathOf(head.target) === path ? path : undefined,
      }
      requests.observe(labels, duration)
      if (operation === undefined && status >= 400) refused.add({ code: codes[0] ?? 'none' })
    },
    operationEnded({ result }) {
      const { operationType: type, execution, errorCodes } = result
      // Clients choose the names of their operations.
      if (type !== undefined) operations.observe({ type, name: other }, result.duration)
      else if (result.transport === 'websocket') refused.add({ code: errorCodes[0] ?? 'none' })
      if (execution !== undefined) executed.add({ execution })
      documents.count(result)
    },
    families: () => [
      requests.family('http_server_request_duration_seconds', 'Duration of HTTP server requests.'),
      gauge('http_server_active_requests', 'Requests in progress.', 'sum', inFlight),
      operations.family(
        'graphql_operation_duration_seconds',
        'Time from a request to the response of its operation.',
      ),
      counter(
        'graphwire_operations_executed_total',
        'Operations executed: compiled, or by graphql-js for the reason given.',
        executed.samples(),
      ),
      counter(
        'graphwire_requests_refused_total',
        'Requests refused before an operation was selected, by error code.',
        refused.samples(),
      ),
      ...documents.families(),
    ],
  }
}

interface DocumentMetrics {
  count(result: OperationRecord['result']): void
  families(): readonly MetricFamily[]
}

/** Counts documents in the cache, and beyond limits. */
function createDocumentMetrics(): DocumentMetrics {
  const limits = createCounts<'limit' | 'action'>()
  let [hits, misses] = [0, 0]
  channel('graphwire:limit').subscribe((report) => {
    limits.add({ limit: (report as LimitReport).limit, action: 'reported' })
  })
  return {
    count({ documentCached, errors }) {
      if (documentCached === true) hits += 1
      if (documentCached === false) misses += 1
      for (const { extensions } of errors) {
        const limit = limitNames.find((name) => name === extensions?.['limit'])
        if (limit !== undefined) limits.add({ limit, action: 'refused' })
      }
    },
    families: () => [
      counter(
        'graphwire_limits_exceeded_total',
        'Documents beyond a limit, refused or only reported.',
        limits.samples(),
      ),
      counter('graphwire_document_cache_hits_total', 'Documents found in the cache.', [
        { value: hits },
      ]),
      counter('graphwire_document_cache_misses_total', 'Documents parsed and validated.', [
        { value: misses },
      ]),
    ],
  }
}

/** More codes than an application is likely to have. */
const maxCodes = 64

const other = 'other'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'QUERY', 'OPTIONS'])

/** As OpenTelemetry names those that clients invent. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}

/** Metrics of a process, apart from its requests and streams. */
interface ProcessMetrics {
  /** Counts an unexpected error that was masked. */
  masked(): void
  families(host: HostFigures | undefined): readonly MetricFamily[]
}

export function createProcessMetrics(version: string): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: samplingMs })
  delay.enable()
  let masked = 0
  return {
    masked: () => void (masked += 1),
    families(host) {
      const { rss, heapUsed } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      const startTime = Date.now() / 1000 - process.uptime()
      const lags = (['p50', 'p99', 'max'] as const).map((which) => loopDelay(which, delay))
      delay.reset()
      return [
        counter('graphwire_errors_masked_total', 'Unexpected errors that were masked.', [
          { value: masked },
        ]),
        gauge('graphwire_connections_open', 'Open connections.', 'sum', host?.connections ?? 0),
        counter(
          'graphwire_connections_refused_total',
          'Connections refused because of --max-sockets.',
          [{ value: host?.refusedConnections ?? 0 }],
        ),
        gauge('graphwire_processes', 'Processes that serve requests.', 'sum', 1),
        {
          ...gauge('graphwire_build_info', 'Versions of graphwire and Node.', 'max', 1),
          samples: [{ labels: { version, node: process.version }, value: 1 }],
        },
        ...lags,
        counter('process_cpu_seconds_total', 'CPU time.', [{ value: (user + system) / 1e6 }]),
        gauge('process_resident_memory_bytes', 'Resident memory.', 'sum', rss),
        gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', 'sum', heapUsed),
        gauge('process_start_time_seconds', 'Start time in seconds since 1970.', 'min', startTime),
      ]
    },
  }
}

const samplingMs = 20

function loopDelay(which: 'p50' | 'p99' | 'max', delay: IntervalHistogram): MetricFamily {
  const at = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max }[which]
  // The interval between two samples is part of what is measured.
  const seconds = Math.max(0, at / 1e9 - samplingMs / 1000)
  const help = `Event loop lag since the last scrape (${which}).`
  return gauge(`nodejs_eventloop_lag_${which}_seconds`, help, 'max', seconds)
}

interface StreamMetrics {
  ended(end: StreamEnd): void
  families(stats: EndpointStats): readonly MetricFamily[]
}

/** Counts streams. The labels are closed unions, so that their number is bounded. */
export function createStreamMetrics(): StreamMetrics {
  const ended = new Map<string, { readonly labels: Labels; value: number }>()
  let events = 0
  return {
    ended(end) {
      const { transport, cause } = end
      const key = `${transport} ${cause}`
      const count = ended.get(key) ?? { labels: { transport, cause }, value: 0 }
      count.value += 1
      ended.set(key, count)
      events += end.events
    },
    families: ({ open, returning, stuck, sockets }) => [
      gauge('graphwire_sockets_open', 'Open WebSockets.', 'sum', sockets),
      gauge('graphwire_streams_open', 'Open streams.', 'sum', open),
      gauge(
        'graphwire_streams_returning',
        'Streams that have ended, whose sources have not finished.',
        'sum',
        returning,
      ),
      gauge(
        'graphwire_streams_stuck',
        'Those of them that should have finished long ago.',
        'sum',
        stuck.length,
      ),
      counter('graphwire_streams_ended_total', 'Streams that have ended, by cause.', [
        ...ended.values(),
      ]),
      counter('graphwire_stream_events_total', 'Events of streams that have ended.', [
        { value: events },
      ]),
    ],
  }
}

type Labels = Pick<StreamEnd, 'transport' | 'cause'>
