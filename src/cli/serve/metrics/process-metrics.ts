import { tracingChannel } from 'node:diagnostics_channel'
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { HostFigures } from '../../../hosts/node/index.js'
import type { MetricFamily } from './metric-family.js'
import { counter } from './request-metrics.js'

/** Metrics of a process, apart from its requests. */
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

function gauge(
  name: string,
  help: string,
  merge: MetricFamily['merge'],
  value: number,
): MetricFamily {
  return { name, type: 'gauge', help, merge, samples: [{ value }] }
}
