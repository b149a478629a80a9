import { channel } from 'node:diagnostics_channel'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { limitNames } from '../../../graphql/limits/limits.js'
import type { HostFigures } from '../../../hosts/node/index.js'
import { pathOf, type EndpointStats, type LimitReport, type ResultInfo } from '../../../index.js'
import { counter, Counts, gauge, Histogram, type MetricFamily } from './families.js'
import type { Observer, RequestEvent, ServerEvent } from './observe.js'

/** Those of the semantic conventions of OpenTelemetry. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const operationSeconds = [0.0005, 0.001, 0.0025, ...requestSeconds]

/** More codes than an application is likely to have. */
const maxCodes = 64

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'QUERY', 'OPTIONS'])

/** Counts what happens in a server. Clients cannot invent labels, so that their number is bounded. */
export class ServerMetrics {
  readonly #path: string
  #inFlight = 0
  #masked = 0
  #cacheHits = 0
  #cacheMisses = 0
  #streamEvents = 0
  readonly #requests = new Histogram(requestSeconds)
  readonly #operations = new Histogram(operationSeconds)
  readonly #refused = new Counts(maxCodes)
  readonly #executed = new Counts()
  readonly #limits = new Counts()
  readonly #streams = new Counts()
  readonly #measureProcess: () => readonly MetricFamily[]

  /** `path` is that of GraphQL, the only one that is a label. */
  constructor(path: string, version: string) {
    this.#path = path
    this.#measureProcess = createProcessMetrics(version)
    channel('graphwire:limit').subscribe((report) => {
      this.#limits.add({ limit: (report as LimitReport).limit, action: 'reported' })
    })
  }

  readonly observe: Observer = (event: ServerEvent) => {
    switch (event.kind) {
      case 'begun':
        this.#inFlight += 1
        return
      case 'request':
        return this.#countRequest(event)
      case 'operation':
        return this.#countOperation(event.result)
      case 'stream':
        this.#streams.add({ transport: event.end.transport, cause: event.end.cause })
        this.#streamEvents += event.end.events
    }
  }

  /** Counts an unexpected error that was masked. */
  masked(): void {
    this.#masked += 1
  }

  #countRequest({ head, response: { status }, duration, operation, codes }: RequestEvent): void {
    this.#inFlight -= 1
    const labels = {
      // As OpenTelemetry names those that clients invent.
      http_request_method: methods.has(head.method) ? head.method : '_OTHER',
      http_response_status_code: String(status),
      http_route: pathOf(head.target) === this.#path ? this.#path : undefined,
    }
    this.#requests.observe(labels, duration)
    if (operation === undefined && status >= 400) this.#refused.add({ code: codes[0] ?? 'none' })
  }

  #countOperation(result: ResultInfo): void {
    const { operationType: type, execution, errorCodes, errors, documentCached } = result
    // Clients choose the names of their operations.
    if (type !== undefined) this.#operations.observe({ type, name: 'other' }, result.duration)
    else if (result.transport === 'websocket') this.#refused.add({ code: errorCodes[0] ?? 'none' })
    if (execution !== undefined) this.#executed.add({ execution })
    if (documentCached === true) this.#cacheHits += 1
    if (documentCached === false) this.#cacheMisses += 1
    for (const { extensions } of errors) {
      const limit = limitNames.find((name) => name === extensions?.['limit'])
      if (limit !== undefined) this.#limits.add({ limit, action: 'refused' })
    }
  }

  /** `host` is undefined before the server listens. */
  // oxfmt-ignore
  families({ open, returning, stuck, sockets }: EndpointStats, host: HostFigures | undefined): readonly MetricFamily[] {
    return [
      this.#requests.family('http_server_request_duration_seconds', 'Duration of HTTP server requests.'),
      gauge('http_server_active_requests', 'Requests in progress.', 'sum', this.#inFlight),
      this.#operations.family('graphql_operation_duration_seconds', 'Time from a request to the response of its operation.'),
      counter('graphwire_operations_executed_total', 'Operations executed: compiled, or by graphql-js for the reason given.', this.#executed.samples),
      counter('graphwire_requests_refused_total', 'Requests refused before an operation was selected, by error code.', this.#refused.samples),
      counter('graphwire_limits_exceeded_total', 'Documents beyond a limit, refused or only reported.', this.#limits.samples),
      counter('graphwire_document_cache_hits_total', 'Documents found in the cache.', this.#cacheHits),
      counter('graphwire_document_cache_misses_total', 'Documents parsed and validated.', this.#cacheMisses),
      gauge('graphwire_sockets_open', 'Open WebSockets.', 'sum', sockets),
      gauge('graphwire_streams_open', 'Open streams.', 'sum', open),
      gauge('graphwire_streams_returning', 'Streams that have ended, whose sources have not finished.', 'sum', returning),
      gauge('graphwire_streams_stuck', 'Those of them that should have finished long ago.', 'sum', stuck.length),
      counter('graphwire_streams_ended_total', 'Streams that have ended, by cause.', this.#streams.samples),
      counter('graphwire_stream_events_total', 'Events of streams that have ended.', this.#streamEvents),
      counter('graphwire_errors_masked_total', 'Unexpected errors that were masked.', this.#masked),
      gauge('graphwire_connections_open', 'Open connections.', 'sum', host?.connections ?? 0),
      counter('graphwire_connections_refused_total', 'Connections refused because of --max-sockets.', host?.refusedConnections ?? 0),
      ...this.#measureProcess(),
    ]
  }
}

const samplingMs = 20

function createProcessMetrics(version: string): () => readonly MetricFamily[] {
  const delay = monitorEventLoopDelay({ resolution: samplingMs })
  delay.enable()
  return () => {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const startTime = Date.now() / 1000 - process.uptime()
    const delays = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max }
    delay.reset()
    const lags = Object.entries(delays).map(([which, at]) => {
      // The interval between two samples is part of what is measured.
      const seconds = Math.max(0, at / 1e9 - samplingMs / 1000)
      const help = `Event loop lag since the last scrape (${which}).`
      return gauge(`nodejs_eventloop_lag_${which}_seconds`, help, 'max', seconds)
    })
    const labels = { version, node: process.version }
    return [
      gauge('graphwire_processes', 'Processes that serve requests.', 'sum', 1),
      gauge('graphwire_build_info', 'Versions of graphwire and Node.', 'max', 1, labels),
      ...lags,
      counter('process_cpu_seconds_total', 'CPU time.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory.', 'sum', rss),
      gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', 'sum', heapUsed),
      gauge('process_start_time_seconds', 'Start time in seconds since 1970.', 'min', startTime),
    ]
  }
}
