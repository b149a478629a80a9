import type { Facts } from '../road/facts.js'
import { askForHeaders, withHookHeaders, withResultHeaders } from './layer-headers.js'
import type { HttpResponse } from '../../http/message.js'
import { overlayHeaders } from '../../http/overlay-headers.js'
import { reportBug } from '../../options/report.js'
import type { Settings } from '../../options/settings.js'
import type { GraphQLFormattedError } from 'graphql'
import { ResponseHeaders } from '../../http/response-headers.js'
import { isPromise } from '../../base/promise.js'
import type { CompletedRequest } from '../../options/request-info.js'
import type { ResultInfo } from '../../options/result-info.js'

/** Finishes each response, including refusals. Undefined if nothing is to be done. */
export type Finisher = (response: HttpResponse, facts: Facts) => HttpResponse

/** Responses get the headers of CORS and of `responseHeaders`, and are reported to `onResult`. */
export function createFinisher(settings: Settings): Finisher | undefined {
  const addHeaders = createHeaderAdder(settings)
  const reportResult = createResultReporter(settings, 'http')
  if (addHeaders === undefined && reportResult === undefined) return undefined
  return (response, facts) => {
    const whole = addHeaders?.(response, facts) ?? response
    return reportResult?.(whole, facts) ?? whole
  }
}

/** Adds the headers of CORS and of `responseHeaders`; undefined without both. */
function createHeaderAdder(settings: Settings): Finisher | undefined {
  const { cors, responseHeaders } = settings
  const { headersFor } = cors
  if (headersFor === undefined && responseHeaders.length === 0) return undefined
  return (response, facts) => {
    const { head } = facts
    const lines = headersFor?.(head) ?? []
    let headers = lines.length === 0 ? response.headers : overlayHeaders(response.headers, lines)
    for (const hook of responseHeaders) {
      const shown = { ...response, headers }
      const set = askForHeaders(
        'responseHeaders',
        () => hook(shown, head, facts),
        (bug) => void reportBug(settings, bug, facts),
      )
      if (set !== undefined) headers = withHookHeaders(headers, set)
    }
    return headers === response.headers ? response : { ...response, headers }
  }
}

/**
 * Reports the outcome of a request to `onResult`, and returns the response with the headers that the hook
 * sets. Undefined without the hook.
 */
export function createResultReporter(
  settings: Settings,
  transport: ResultInfo['transport'],
): Finisher | undefined {
  const { onResult } = settings
  if (onResult === undefined) return undefined
  return (response, facts) => {
    // A request that was refused before its parameters were read is not a GraphQL request.
    if (!hasParams(facts)) return response
    const failed = (bug: unknown): void => void reportBug(settings, bug, facts)
    try {
      const result = describeResult(response, facts, transport)
      const returned = onResult(facts, result, facts.contextValue)
      if (isPromise(returned)) Promise.resolve(returned).then(undefined, failed)
      const lines = result.headers.toLines()
      return lines.length === 0
        ? response
        : { ...response, headers: withResultHeaders(response.headers, result.headers) }
    } catch (bug) {
      failed(bug)
      return response
    }
  }
}

function hasParams(facts: Facts): facts is Facts & CompletedRequest {
  return facts.params !== undefined
}

function describeResult(
  { status, body }: HttpResponse,
  facts: Facts & CompletedRequest,
  transport: ResultInfo['transport'],
): ResultInfo {
  const { operation, params, cost, errors, hasData, startedAt, execution } = facts
  return {
    status,
    operationName: operation?.name?.value,
    operationType: operation?.operation,
    document: params.query,
    documentId: params.documentId,
    errors,
    errorCodes: errors.map(codeOf),
    hasData,
    duration: performance.now() - startedAt,
    cost,
    execution,
    documentCached: facts.documentCached,
    transport,
    // The body is encoded only if the hook reads its size; a getter, since spread and JSON must include it
    // too.
    get size() {
      return typeof body === 'string' ? new TextEncoder().encode(body).byteLength : 0
    },
    headers: new ResponseHeaders(),
  }
}

function codeOf({ extensions }: GraphQLFormattedError): string {
  const code = extensions?.['code']
  return typeof code === 'string' ? code : 'UNKNOWN'
}
