import type { HttpResponse } from '../../../index.js'
import type { MetricFamily } from './metric-family.js'
import type { RequestRecord } from './request-record.js'

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
  const buckets = seconds.map(() => 0)
  let [inFlight, count, sum] = [0, 0, 0]
  return {
    begun: () => void (inFlight += 1),
    dropped: () => void (inFlight -= 1),
    ended({ head, response, duration, operation }) {
      inFlight -= 1
      count += 1
      sum += duration / 1000
      for (const [at, bound] of seconds.entries()) {
        if (duration / 1000 <= bound) buckets[at] = (buckets[at] ?? 0) + 1
      }
      requests.add(knownMethod(head.method), String(response.status))
      if (operation !== undefined) operations.add(operation.operation)
      else if (response.status >= 400) refused.add(codeOf(response))
    },
    families: () => [
      counter('graphwire_requests_total', 'Requests answered.', requests.samples()),
      counter('graphwire_operations_total', 'Operations selected.', operations.samples()),
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
      {
        name: 'graphwire_requests_in_flight',
        type: 'gauge',
        help: 'Requests in progress.',
        merge: 'sum',
        samples: [{ value: inFlight }],
      },
    ],
  }
}

export function counter(
  name: string,
  help: string,
  samples: MetricFamily['samples'],
): MetricFamily {
  return { name, type: 'counter', help, merge: 'sum', samples }
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
  const [, code = 'none'] = /"extensions":\{"code":"([A-Z_]{1,64})"/.exec(body) ?? []
  return code
}
