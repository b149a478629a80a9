import { tracingChannel } from 'node:diagnostics_channel'
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { HostFigures } from '../../../hosts/node/index.js'
import { counter, gauge, type MetricFamily } from './metric-family.js'
import type { StreamEnd, EndpointStats, HttpResponse } from '../../../index.js'
import type { RequestRecord } from './request-record.js'

/** Metrics of a process, apart from its requests and streams. */
export interface ProcessMetrics {
  /** Counts an unexpected error that was masked. */
  masked(): void
  families(host: HostFigures | undefined): readonly MetricFamily[]
}

export function createProcessMetrics(version: string): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: samplingMs })
  delay.enable()
  let [masked, parsed] = [0, 0]
  // Documents that are found in the cache are not parsed.
  tracingChannel('graphql:parse').start.subscribe(() => void (parsed += 1))
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
        counter(
          'graphwire_documents_parsed_total',
          'Documents parsed because they were not in the cache.',
          [{ value: parsed }],
        ),
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

export interface StreamMetrics {
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

export interface RequestMetrics {
  begun(): void
  ended(record: RequestRecord): void
  dropped(): void
  families(): readonly MetricFamily[]
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts requests. Clients cannot invent labels, so that their number is bounded. */
export function createRequestMetrics(): RequestMetrics {
  const requests = createCounts(['method', 'status'], Infinity)
  const refused = createCounts(['code'], maxCodes)
  const operations = createCounts(['type'], Infinity)
  const executed = createCounts(['execution'], Infinity)
  const buckets = seconds.map(() => 0)
  let [inFlight, count, sum] = [0, 0, 0]
  return {
    begun: () => void (inFlight += 1),
    dropped: () => void (inFlight -= 1),
    ended({ head, response, duration, operation, execution }) {
      inFlight -= 1
      count += 1
      sum += duration / 1000
      for (const [at, bound] of seconds.entries()) {
        if (duration / 1000 <= bound) buckets[at] = (buckets[at] ?? 0) + 1
      }
      requests.add(knownMethod(head.method), String(response.status))
      if (execution !== undefined) executed.add(execution)
      if (operation !== undefined) operations.add(operation.operation)
      else if (response.status >= 400) refused.add(codeOf(response))
    },
    families: () => [
      counter('graphwire_requests_total', 'Requests answered.', requests.samples()),
      counter('graphwire_operations_total', 'Operations selected.', operations.samples()),
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
      {
        name: 'graphwire_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the request head to the response.',
        merge: 'sum',
        samples: [
          ...seconds.map((bound, at) => ({
            suffix: '_bucket',
            labels: { le: String(bound) },
            value: buckets[at] ?? 0,
          })),
          { suffix: '_bucket', labels: { le: '+Inf' }, value: count },
          { suffix: '_sum', value: sum },
          { suffix: '_count', value: count },
        ],
      },
      gauge('graphwire_requests_in_flight', 'Requests in progress.', 'sum', inFlight),
    ],
  }
}

/** More codes than an application is likely to have. */
const maxCodes = 64

function createCounts(names: readonly string[], most: number) {
  const counts = new Map<string, { readonly values: readonly string[]; value: number }>()
  const add = (...values: readonly string[]): void => {
    const key = values.join(' ')
    const found = counts.get(key)
    if (found !== undefined) found.value += 1
    else if (counts.size < most || key === other) counts.set(key, { values, value: 1 })
    else add(other)
  }
  const samples = (): MetricFamily['samples'] =>
    Array.from(counts.values(), ({ values, value }) => ({
      labels: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])),
      value,
    }))
  return { add, samples }
}

const other = 'other'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'QUERY', 'OPTIONS'])

function knownMethod(method: string): string {
  return methods.has(method) ? method : other
}

/** The code of the first error, which refusals have. */
function codeOf({ body }: HttpResponse): string {
  if (typeof body !== 'string') return 'none'
  const [, code = 'none'] = /"extensions":\{"code":"([A-Z_]{1,64})"/.exec(body) ?? []
  return code
}
