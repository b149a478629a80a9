import type { GraphQLFormattedError } from 'graphql'
import type { HttpResponse } from '../../http/message.js'
import { ResponseHeaders } from '../../http/response-headers.js'
import { withLastWord } from './layer-headers.js'
import { isPromise } from '../../base/promise.js'
import { reportBug } from '../../options/report.js'
import type { AnsweredRequest } from '../../options/request-info.js'
import type { Exchange } from './exchange.js'
import type { ResultInfo } from '../../options/result-info.js'
import type { Settings } from '../../options/settings.js'

/** The start time of a request; 0 if no hook measures durations, which avoids reading the clock. */
export function createClock({ onResult }: Settings): () => number {
  return onResult === undefined ? () => 0 : () => performance.now()
}

/**
 * Reports the outcome of a request to `onResult`, and returns the response with the headers that the hook
 * sets.
 */
export type ResultTeller = (response: HttpResponse, exchange: Exchange) => HttpResponse

/** Returns undefined without `onResult`. */
export function createResultTeller(settings: Settings): ResultTeller | undefined {
  const { onResult } = settings
  if (onResult === undefined) return undefined
  return (response, exchange) => {
    // What HTTP refused before its parameters were read is not a GraphQL request.
    if (!isAsked(exchange)) return response
    const failed = (bug: unknown): void => void reportBug(settings, bug, exchange)
    try {
      const result = describeResult(response, exchange)
      const returned = onResult(exchange, result)
      if (isPromise(returned)) returned.then(undefined, failed)
      const lines = result.headers.toLines()
      return lines.length === 0
        ? response
        : { ...response, headers: withLastWord(response.headers, result.headers) }
    } catch (bug) {
      failed(bug)
      return response
    }
  }
}

function isAsked(exchange: Exchange): exchange is Exchange & AnsweredRequest {
  return exchange.params !== undefined
}

function describeResult(
  { status, body }: HttpResponse,
  { operation, params, cost, errors, hasData, startedAt }: Exchange & AnsweredRequest,
): ResultInfo {
  return {
    status,
    operationName: operation?.name?.value,
    operationType: operation?.operation,
    document: params.query,
    errors,
    errorCodes: errors.map(codeOf),
    hasData,
    duration: performance.now() - startedAt,
    cost,
    // The body is encoded only if the hook reads its size; a getter, since spread and JSON must include it
    // too.
    get size() {
      return new TextEncoder().encode(body).byteLength
    },
    headers: new ResponseHeaders(),
  }
}

function codeOf({ extensions }: GraphQLFormattedError): string {
  const code = extensions?.['code']
  return typeof code === 'string' ? code : 'UNKNOWN'
}
