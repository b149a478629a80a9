import { pathOf, problem, type Handler, type HttpResponse, type RequestHead } from 'graphwire'
import type { Metrics } from './metrics.js'
import type { RequestRecord, RequestRecords } from './log.js'

/** The handlers of the service by path; all other paths are resources. */
export interface FrontParts {
  readonly records: RequestRecords
  readonly byPath: { readonly [path: string]: Handler }
  readonly resources: Handler
  readonly metrics: Metrics
}

/** Chooses the handler of each request, and gives the request an id and a record. */
export function createFront(parts: FrontParts): Handler {
  const { records, byPath, resources, metrics } = parts
  return async (request) => {
    const record = records.begin(request)
    metrics.activeRequests.inc()
    const path = pathOf(request.target)
    const own = Object.hasOwn(byPath, path) ? byPath[path] : undefined
    // The names of assets change with each release, and metrics by route must not.
    record.route = own && path.replace(/^\/assets\/.*/, '/assets')
    /** Once per request, when its status is known or its client has gone. */
    const end = (status: number): void => {
      if (record.isOver) return
      record.isOver = true
      metrics.activeRequests.dec()
      endRequest(parts, request, record, status)
    }
    // Also while its body is arriving. There will never be a response: load balancers log 499 then.
    request.onClientGone?.(() => end(499))
    const finish = (response: HttpResponse): HttpResponse => {
      end(response.status)
      return { ...response, headers: [...response.headers, 'X-Request-Id', record.id] }
    }
    try {
      return finish(await (own ?? resources)(request))
    } catch (bug) {
      records.onBug(bug, { id: record.id }, { head: request })
      const detail = 'Internal server error; the log of the server has it under this id.'
      return finish(problem({ status: 500, code: 'INTERNAL_SERVER_ERROR', detail, id: record.id }))
    }
  }
}

export function endRequest(
  { metrics, records }: Pick<FrontParts, 'metrics' | 'records'>,
  head: RequestHead,
  record: RequestRecord,
  status: number,
): void {
  const { operation, idempotency, startedAt } = record
  const ms = performance.now() - startedAt
  metrics.countRequest(head, record, status, ms)
  records.log('request', head, { method: head.method, operation, status, ms, idempotency })
}
