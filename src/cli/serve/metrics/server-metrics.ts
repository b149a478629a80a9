import { channel } from 'node:diagnostics_channel'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { limitNames } from '../../../graphql/limits/limits.js'
import type { HostFigures } from '../../../hosts/node/index.js'
import { pathOf, type EndpointStats, type LimitReport, type ResultInfo } from '../../../index.js'
import { Tally, type Samples } from './samples.js'
import type { Observer, RequestEvent, ServerEvent } from './observe.js'

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const operationSeconds = [0.0005, 0.001, 0.0025, ...requestSeconds]

/** More codes than an application is likely to have. */
const maxCodes = 64

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'QUERY', 'OPTIONS'])

const samplingMs = 20

/** Counts the events of a server. Clients cannot invent labels, so their number is bounded. */
export class ServerMetrics {
  readonly #path: string
  readonly #tally = new Tally()
  readonly #codes = new Set<string>()
  readonly #delay = monitorEventLoopDelay({ resolution: samplingMs })
  #inFlight = 0

  /** `path` is that of GraphQL, the only one that is a label. */
  constructor(path: string, version: string) {
    this.#path = path
    this.#delay.enable()
    for (const name of ['errors_masked', 'document_cache_hits', 'document_cache_misses']) {
      this.#tally.add(`graphwire_${name}_total`, {}, 0)
    }
    this.#tally.add('graphwire_build_info', { version, node: process.version })
    channel('graphwire:limit').subscribe((report) => {
      const { limit } = report as LimitReport
      this.#tally.add('graphwire_limits_exceeded_total', { limit, action: 'reported' })
    })
  }

  readonly observe: Observer = (event: ServerEvent) => {
    switch (event.kind) {
      case 'begun':
        this.#inFlight += 1
        return
      case 'masked':
        return this.#tally.add('graphwire_errors_masked_total')
      case 'request':
        return this.#countRequest(event)
      case 'operation':
        return this.#countOperation(event.result)
      case 'stream': {
        const { transport, cause, events } = event.end
        this.#tally.add('graphwire_streams_ended_total', { transport, cause })
        this.#tally.add('graphwire_stream_events_total', {}, events)
      }
    }
  }

  #countRequest({ head, response: { status }, duration, operation, codes }: RequestEvent): void {
    this.#inFlight -= 1
    const labels = {
      // The name of OpenTelemetry for methods that clients invent.
      http_request_method: methods.has(head.method) ? head.method : '_OTHER',
      http_response_status_code: String(status),
      http_route: pathOf(head.target) === this.#path ? this.#path : undefined,
    }
    this.#tally.observe('http_server_request_duration_seconds', labels, duration, requestSeconds)
    if (operation === undefined && status >= 400) this.#countRefused(codes[0])
  }

  #countRefused(code = 'none'): void {
    if (this.#codes.size < maxCodes) this.#codes.add(code)
    const known = this.#codes.has(code) ? code : 'other'
    this.#tally.add('graphwire_requests_refused_total', { code: known })
  }

  #countOperation(result: ResultInfo): void {
    const { operationType: type, execution, errorCodes, errors, documentCached, duration } = result
    if (type !== undefined) {
      // Clients choose the names of their operations.
      const labels = { type, name: 'other' }
      this.#tally.observe('graphql_operation_duration_seconds', labels, duration, operationSeconds)
    } else if (result.transport === 'websocket') this.#countRefused(errorCodes[0])
    if (execution !== undefined)
      this.#tally.add('graphwire_operations_executed_total', { execution })
    if (documentCached !== undefined) {
      this.#tally.add(`graphwire_document_cache_${documentCached ? 'hits' : 'misses'}_total`)
    }
    for (const { extensions } of errors) {
      const limit = limitNames.find((name) => name === extensions?.['limit'])
      if (limit !== undefined) {
        this.#tally.add('graphwire_limits_exceeded_total', { limit, action: 'refused' })
      }
    }
  }

  /** The metrics of this process; `host` is undefined before the server listens. */
  measure(stats: EndpointStats, host: HostFigures | undefined): Samples {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const values: { readonly [metric: string]: number } = {
      http_server_active_requests: this.#inFlight,
      graphwire_sockets_open: stats.sockets,
      graphwire_streams_open: stats.open,
      graphwire_streams_returning: stats.returning,
      graphwire_streams_stuck: stats.stuck.length,
      graphwire_connections_open: host?.connections ?? 0,
      graphwire_connections_refused_total: host?.refusedConnections ?? 0,
      graphwire_processes: 1,
      nodejs_eventloop_lag_p50_seconds: toLag(this.#delay.percentile(50)),
      nodejs_eventloop_lag_p99_seconds: toLag(this.#delay.percentile(99)),
      nodejs_eventloop_lag_max_seconds: toLag(this.#delay.max),
      process_cpu_seconds_total: (user + system) / 1e6,
      process_resident_memory_bytes: rss,
      nodejs_heap_size_used_bytes: heapUsed,
      process_start_time_seconds: Date.now() / 1000 - process.uptime(),
    }
    this.#delay.reset()
    const measured = Object.entries(values).map(([name, value]) => [name, { '': value }] as const)
    return { ...this.#tally.samples, ...Object.fromEntries(measured) }
  }
}

/** The interval between two samples is part of what is measured. */
function toLag(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - samplingMs / 1000)
}
