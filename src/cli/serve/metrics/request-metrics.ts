import { channel } from 'node:diagnostics_channel'
import { limitNames } from '../../../graphql/limits/limits.js'
import { pathOf, type HttpResponse, type LimitReport } from '../../../index.js'
import { createCounts, createDurations } from './label-sets.js'
import { counter, gauge, type MetricFamily } from './metric-family.js'
import type { OperationRecord, RequestRecord } from './request-record.js'

export interface RequestMetrics {
  begun(): void
  ended(record: RequestRecord): void
  dropped(): void
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
    dropped: () => void (inFlight -= 1),
    ended({ head, response, duration, operation }) {
      inFlight -= 1
      const { status } = response
      const labels = {
        http_request_method: knownMethod(head.method),
        http_response_status_code: String(status),
        http_route: pathOf(head.target) === path ? path : undefined,
      }
      requests.observe(labels, duration)
      if (operation === undefined && status >= 400) refused.add({ code: codeOf(response) })
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

/** The code of the first error, which refusals have. */
function codeOf({ body }: HttpResponse): string {
  if (typeof body !== 'string') return 'none'
  const [, code = 'none'] = /"extensions":\{"code":"([A-Z_]{1,64})"/.exec(body) ?? []
  return code
}
