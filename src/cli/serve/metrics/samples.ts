/** Values by metric, then by the rest of the line: suffix (`_bucket`) and labels. Processes exchange them as JSON. */
export interface Samples {
  readonly [metric: string]: { readonly [key: string]: number }
}

type MutableSamples = { [metric: string]: { [key: string]: number } }

/** The labels of a value; those that are undefined are left out. */
type Labels = { readonly [name: string]: string | undefined }

/** The type and help of a metric, and how the values of several processes are combined, if not as a sum. */
type Metric = readonly [
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  merge?: 'max' | 'min',
]

/** Every metric, in the order of its lines. */
// oxfmt-ignore
const metrics: { readonly [name: string]: Metric } = {
  http_server_request_duration_seconds:  ['histogram', 'Duration of HTTP server requests.'],
  http_server_active_requests:           ['gauge',     'Requests in progress.'],
  graphql_operation_duration_seconds:    ['histogram', 'Time from a request to the response of its operation.'],
  graphwire_operations_executed_total:   ['counter',   'Operations executed: compiled, or by graphql-js for the reason given.'],
  graphwire_requests_refused_total:      ['counter',   'Requests refused before an operation was selected, by error code.'],
  graphwire_limits_exceeded_total:       ['counter',   'Documents beyond a limit, refused or only reported.'],
  graphwire_document_cache_hits_total:   ['counter',   'Documents found in the cache.'],
  graphwire_document_cache_misses_total: ['counter',   'Documents parsed and validated.'],
  graphwire_sockets_open:                ['gauge',     'Open WebSockets.'],
  graphwire_streams_open:                ['gauge',     'Open streams.'],
  graphwire_streams_returning:           ['gauge',     'Ended streams whose sources or resolvers have not finished.'],
  graphwire_streams_stuck:               ['gauge',     'Ended streams whose sources should have finished long ago.'],
  graphwire_streams_ended_total:         ['counter',   'Streams that have ended, by cause.'],
  graphwire_stream_events_total:         ['counter',   'Events of streams that have ended.'],
  graphwire_errors_masked_total:         ['counter',   'Unexpected errors that were masked.'],
  graphwire_connections_open:            ['gauge',     'Open connections.'],
  graphwire_connections_refused_total:   ['counter',   'Connections refused because of --max-sockets.'],
  graphwire_processes:                   ['gauge',     'Processes that serve requests.'],
  graphwire_build_info:                  ['gauge',     'Versions of graphwire and Node.', 'max'],
  nodejs_eventloop_lag_p50_seconds:      ['gauge',     'Event loop lag since the last scrape (p50).', 'max'],
  nodejs_eventloop_lag_p99_seconds:      ['gauge',     'Event loop lag since the last scrape (p99).', 'max'],
  nodejs_eventloop_lag_max_seconds:      ['gauge',     'Event loop lag since the last scrape (max).', 'max'],
  process_cpu_seconds_total:             ['counter',   'CPU time.'],
  process_resident_memory_bytes:         ['gauge',     'Resident memory.'],
  nodejs_heap_size_used_bytes:           ['gauge',     'JavaScript heap in use.'],
  process_start_time_seconds:            ['gauge',     'Start time in seconds since 1970.', 'min'],
}

export function mergeSamples(processes: readonly Samples[]): Samples {
  const merged: MutableSamples = {}
  for (const [name, values] of processes.flatMap((one) => Object.entries(one))) {
    const [, , merge] = metrics[name] ?? []
    const combine = merge ? Math[merge] : (one: number, other: number) => one + other
    const sums = (merged[name] ??= {})
    for (const [key, value] of Object.entries(values)) {
      const before = sums[key]
      sums[key] = before === undefined ? value : combine(before, value)
    }
  }
  return merged
}

/** Keeps the counts of a process that has ended, which must not go down, and drops its gauges. */
export function countsOf(samples: Samples): Samples {
  return Object.fromEntries(
    Object.entries(samples).filter(([name]) => metrics[name]?.[0] !== 'gauge'),
  )
}

/** The text format of Prometheus, version 0.0.4. */
export function formatSamples(samples: Samples): string {
  const parts = Object.entries(metrics).map(([name, [type, help]]) => {
    const values = Object.entries(samples[name] ?? {})
    const lines = values.map(([key, value]) => `${name}${key} ${value}\n`).join('')
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`
  })
  return parts.join('')
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).flatMap(([name, value]) => {
    const escaped = value?.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)
    return escaped === undefined ? [] : [`${name}="${escaped}"`]
  })
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** Counts and distributions that grow. */
export class Tally {
  readonly samples: MutableSamples = {}
  /** The keys of the buckets, by those of their distributions. */
  readonly #buckets = new Map<string, readonly string[]>()

  add(metric: string, labels: Labels = {}, by = 1): void {
    this.#addTo(metric, formatLabels(labels), by)
  }

  /** Counts a duration in milliseconds; the bounds of the buckets are in seconds. */
  observe(metric: string, labels: Labels, duration: number, bounds: readonly number[]): void {
    const key = formatLabels(labels)
    let buckets = this.#buckets.get(metric + key)
    if (buckets === undefined) {
      const ends = [...bounds.map(String), '+Inf']
      buckets = ends.map((le) => `_bucket${formatLabels({ ...labels, le })}`)
      this.#buckets.set(metric + key, buckets)
    }
    const seconds = duration / 1000
    for (const [at, bucket] of buckets.entries()) {
      this.#addTo(metric, bucket, seconds <= (bounds[at] ?? Infinity) ? 1 : 0)
    }
    this.#addTo(metric, `_sum${key}`, seconds)
    this.#addTo(metric, `_count${key}`, 1)
  }

  #addTo(metric: string, key: string, by: number): void {
    const values = (this.samples[metric] ??= {})
    values[key] = (values[key] ?? 0) + by
  }
}
