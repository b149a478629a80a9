import type { GraphQLFormattedError } from 'graphql'
import { isJsonObject } from '../../base/json.js'
import { isPromise } from '../../base/promise.js'
import { fieldValue, isStream, type HeaderList, type HttpResponse } from '../../http/message.js'
import { overlayHeaders } from '../../http/overlay-headers.js'
import { ResponseHeaders, type HeaderRecord } from '../../http/response-headers.js'
import { forbidsStoring, withoutCaching, withoutStoring } from '../../http/storing.js'
import { reportBug } from '../../options/report.js'
import type { CompletedRequest } from '../../options/request-info.js'
import type { ResultInfo } from '../../options/result-info.js'
import type { Settings } from '../../options/settings.js'
import type { Facts } from '../road/facts.js'

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
    if (facts.params === undefined) return response
    const failed = (bug: unknown): void => void reportBug(settings, bug, facts)
    try {
      const result = describeResult(response, facts as CompletedFacts, transport)
      const returned = onResult(facts as CompletedFacts, result, facts.contextValue)
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

type CompletedFacts = Facts & CompletedRequest

function describeResult(
  { status, body }: HttpResponse,
  facts: CompletedFacts,
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
      if (isStream(body)) return 0
      return typeof body === 'string' ? new TextEncoder().encode(body).byteLength : body.byteLength
    },
    headers: new ResponseHeaders(),
  }
}

function codeOf({ extensions }: GraphQLFormattedError): string {
  const code = extensions?.['code']
  return typeof code === 'string' ? code : 'UNKNOWN'
}

/**
 * Adds the headers set by resolvers to a response. A resolver knows its field, not the whole response: it
 * cannot make a response cacheable that has errors, is that of a mutation, or sets a cookie.
 */
export function withResolverHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  if (set.has('set-cookie')) return withoutStoring(set.mergeInto(base))
  return forbidsStoring(base)
    ? overlayHeaders(base, withoutCaching(set.toLines()))
    : set.mergeInto(base)
}

/** Adds the headers of a route, which may also decide about caching, except for responses that set a cookie. */
export function withRouteHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  if (set.has('set-cookie')) return withoutStoring(set.mergeInto(base))
  return fieldValue(base, 'set-cookie') === undefined
    ? decide(base, set)
    : overlayHeaders(base, withoutCaching(set.toLines()))
}

/**
 * Adds the headers of `responseHeaders`, which sees all headers so far. It can make even a response with a
 * cookie cacheable, if it sets Cache-Control explicitly.
 */
function withHookHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  const merged = decide(base, set)
  return set.has('set-cookie') && !set.has('cache-control') ? withoutStoring(merged) : merged
}

/**
 * Adds the headers of `onResult`. It does not see the cookies of earlier layers, so it cannot make a
 * response cacheable that has one.
 */
function withResultHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  if (fieldValue(base, 'set-cookie') === undefined) return withHookHeaders(base, set)
  const lines = set.toLines()
  const merged = overlayHeaders(base, withoutCaching(lines))
  return set.has('set-cookie') || forbidsStoring(lines) ? withoutStoring(merged) : merged
}

/** A layer that sets Cache-Control decides alone: fields such as CDN-Cache-Control of earlier layers would override it. */
function decide(base: HeaderList, set: ResponseHeaders): HeaderList {
  return set.mergeInto(set.has('cache-control') ? withoutCaching(base) : base)
}

/**
 * Returns the headers that a hook returns, without invalid ones. The operation may already have changed
 * data, so mistakes here are reported and do not turn the response into a failure.
 */
export function askForHeaders(
  source: string,
  ask: () => HeaderRecord | undefined,
  failed: (bug: unknown) => void,
): ResponseHeaders | undefined {
  try {
    const record: unknown = ask()
    if (record === undefined) return undefined
    if (isPromise(record)) {
      void Promise.resolve(record).catch(() => undefined)
      throw new TypeError(
        `${source}: expected headers, got a promise. The hook must be synchronous.`,
      )
    }
    // The names of a Headers or a Map are not members.
    if (!isJsonObject(record) || Symbol.iterator in record) {
      throw new TypeError(`${source}: expected an object such as { 'X-Name': 'value' }.`)
    }
    const headers = new ResponseHeaders()
    for (const [name, value] of Object.entries(record)) {
      try {
        headers.assign({ [name]: value as HeaderRecord[string] })
      } catch (bug) {
        failed(bug)
      }
    }
    return headers
  } catch (bug) {
    failed(bug)
    return undefined
  }
}
