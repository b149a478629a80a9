import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Histogram,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'
import { cutText } from 'graphwire/base'
import type { OperationTrace, RequestTrace } from 'graphwire'
import { pathOf } from 'graphwire/http'
import { addFacts, knownMethod, schemeOf, type DocumentDetail } from './attributes.js'
import { subscribe } from './channel.js'
import { findHttpSpan, findParent, surround, type HttpSpan } from './contexts.js'

/** A request whose stages are traced. */
export interface TracedRequest {
  /** The span of its execution, while that is open. */
  executing: Span | undefined
}

/** A request or an operation, and where its facts go. */
interface OpenOperation extends TracedRequest {
  readonly span: Span
}

interface OpenRequest extends OpenOperation {
  /** Set if the span is that of an instrumentation of HTTP. */
  readonly http: HttpSpan | undefined
  readonly startedAt: number
  readonly method: string
  readonly scheme: string | undefined
}

/** What all spans share. */
export interface SpanSettings {
  readonly tracer: Tracer
  /**
   * The requests that are recorded by their spans: that of a context is found by its active span, which is another one
   * in resolvers. The others have no spans of stages.
   */
  readonly requests: WeakMap<Span, TracedRequest>
  readonly duration: Histogram
  readonly document: DocumentDetail
  readonly hasNames: boolean
}

/** Makes one span for each request of HTTP, unless something else has: then its facts are added to that. */
export function traceHttp({ tracer, requests, duration, document }: SpanSettings): () => void {
  const open = new WeakMap<RequestTrace, OpenRequest>()
  const finish = (message: RequestTrace): void => {
    const request = open.get(message)
    if (request === undefined) return
    open.delete(message)
    const { span, http, startedAt, method, scheme } = request
    const { route, result } = message
    request.executing?.end()
    const isRecording = span.isRecording()
    if (isRecording) addFacts(span, message, document)
    if (http !== undefined) {
      if (route !== undefined) http.setRoute(route)
      return
    }
    const status = result?.status
    const errorType = errorTypeOf(status)
    if (isRecording) {
      if (route !== undefined) {
        span.updateName(`${nameOf(method)} ${route}`)
        span.setAttribute('http.route', route)
      }
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      setOutcome(span, status)
    }
    span.end()
    duration.record((performance.now() - startedAt) / 1000, {
      'http.request.method': method,
      'url.scheme': scheme,
      'http.route': route,
      'http.response.status_code': status,
      'error.type': errorType,
    })
  }
  return subscribe('graphwire:request', {
    start(message) {
      const { head } = message
      const active = context.active()
      const http = findHttpSpan(active)
      const parent = http === undefined ? findParent(active, head) : active
      const method = knownMethod(head.method)
      const scheme = schemeOf(head)
      const span =
        http?.span ??
        tracer.startSpan(nameOf(method), describeRequest(message, method, scheme), parent)
      const startedAt = performance.now()
      const request = { span, http, startedAt, method, scheme, executing: undefined }
      open.set(message, request)
      if (span.isRecording()) requests.set(span, request)
      // That of a server is active already.
      if (http === undefined || span !== trace.getSpan(parent)) surround(message, parent, span)
    },
    end(message) {
      if (message.result !== undefined) finish(message)
    },
    asyncEnd: finish,
  })
}

/** What samplers may see. */
function describeRequest(
  { head, target }: RequestTrace,
  method: string,
  scheme: string | undefined,
): SpanOptions {
  const attributes: Attributes = {
    'http.request.method': method,
    'url.path': cutText(pathOf(target), 1000),
  }
  if (scheme !== undefined) attributes['url.scheme'] = scheme
  if (method !== head.method) attributes['http.request.method_original'] = cutText(head.method, 64)
  return { kind: SpanKind.SERVER, attributes }
}

/** Makes one span for each operation over a WebSocket, whose handshake is a request of its own. */
export function traceSocketOperations(settings: SpanSettings): () => void {
  const { tracer, requests, document, hasNames } = settings
  const open = new WeakMap<OperationTrace, OpenOperation>()
  const finish = (message: OperationTrace): void => {
    const request = open.get(message)
    const { result, route, operationType } = message
    if (request === undefined || result === undefined) return
    open.delete(message)
    request.executing?.end()
    const { span } = request
    if (operationType !== undefined) span.updateName(spanName(message, hasNames))
    if (span.isRecording()) {
      addFacts(span, message, document)
      if (route !== undefined) span.setAttribute('http.route', route)
      setOutcome(span, result.status)
    }
    span.end()
  }
  return subscribe('graphwire:operation', {
    start(message) {
      const parent = findParent(context.active(), message.head)
      const attributes = {
        'network.protocol.name': 'websocket',
        'url.path': cutText(pathOf(message.target), 1000),
      }
      const span = tracer.startSpan('graphql', { kind: SpanKind.SERVER, attributes }, parent)
      const request = { span, executing: undefined }
      open.set(message, request)
      if (span.isRecording()) requests.set(span, request)
      surround(message, parent, span)
    },
    end: finish,
    asyncEnd: finish,
  })
}

/** GraphQL has few types of operations, but clients choose the names. */
export function spanName(
  { operationType, operationName }: Pick<RequestTrace, 'operationType' | 'operationName'>,
  hasName: boolean,
): string {
  const type = operationType ?? 'graphql'
  return hasName && operationName !== undefined ? `${type} ${cutText(operationName, 100)}` : type
}

function nameOf(method: string): string {
  return method === '_OTHER' ? 'HTTP' : method
}

/** Without a status the client has gone. */
function errorTypeOf(status: number | undefined): string | undefined {
  if (status === undefined) return 'client_gone'
  return status >= 500 ? String(status) : undefined
}

function setOutcome(span: Span, status: number | undefined): void {
  const errorType = errorTypeOf(status)
  if (errorType === undefined) return
  span.setAttribute('error.type', errorType)
  if (status !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
}
