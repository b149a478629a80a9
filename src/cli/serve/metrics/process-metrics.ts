import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { HostFigures } from '../../../hosts/node/index.js'
import { counter, gauge, type MetricFamily } from './metric-family.js'
import type { StreamEnd, EndpointStats } from '../../../index.js'

/** Metrics of a process, apart from its requests and streams. */
export interface ProcessMetrics {
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
