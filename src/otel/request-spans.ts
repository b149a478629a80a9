import {
  context,
  createContextKey,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Histogram,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { cutText } from '../base/cut-text.js'
import type { OperationTrace, RequestTrace } from '../handler/trace-messages.js'
import { pathOf } from '../http/target.js'
import { codesOf, describeFacts, knownMethod, maxErrors, schemeOf } from './attributes.js'
import type { DocumentDetail } from './attributes.js'
import { subscribe } from './channel.js'
import { findHttpSpan, findParent, type HttpSpan } from './parent.js'

/** A request whose stages are traced. */
export interface TracedRequest {
  /** The span of its execution, while that is open. */
  executing: Span | undefined
}

/** The request that a context belongs to; undefined within its execution. */
export const requestKey: symbol = createContextKey('graphwire request')

/** A request, and where its facts go. */
interface OpenRequest extends TracedRequest {
  readonly span: Span
  /** Set if the span is that of an instrumentation of HTTP. */
  readonly http: HttpSpan | undefined
  readonly startedAt: number
}

/** What all spans share. */
export interface SpanSettings {
  readonly tracer: Tracer
  readonly duration: Histogram
  readonly document: DocumentDetail
  readonly hasNames: boolean
}

/** Makes one span for each request of HTTP, unless something else has: then its facts are added to that. */
export function traceHttp({ tracer, duration, document }: SpanSettings): () => void {
  const open = new WeakMap<RequestTrace, OpenRequest>()
  const finish = (message: RequestTrace): void => {
    const request = open.get(message)
    if (request === undefined) return
    open.delete(message)
    const { span, http, startedAt } = request
    const { head, route, result } = message
    request.executing?.end()
    span.setAttributes(describeFacts(message, document))
    addErrors(span, message)
    if (route !== undefined) http?.setRoute(route)
    if (http !== undefined) return
    const method = knownMethod(head.method)
    const facts = {
      'http.route': route,
      'http.response.status_code': result?.status,
      'error.type': errorTypeOf(result?.status),
    }
    if (route !== undefined) span.updateName(`${nameOf(method)} ${route}`)
    span.setAttributes(facts)
    setStatus(span, result?.status)
    span.end()
    const labels = { 'http.request.method': method, 'url.scheme': schemeOf(head), ...facts }
    duration.record((performance.now() - startedAt) / 1000, labels)
  }
  return subscribe('graphwire:request', {
    start(message) {
      const { head, target } = message
      const active = context.active()
      const http = findHttpSpan(active)
      const parent = http === undefined ? findParent(active, head) : active
      const method = knownMethod(head.method)
      const span =
        http?.span ??
        tracer.startSpan(
          nameOf(method),
          {
            kind: SpanKind.SERVER,
            attributes: {
              'http.request.method': method,
              'http.request.method_original':
                method === head.method ? undefined : cutText(head.method, 64),
              'url.path': cutText(pathOf(target), 1000),
              'url.scheme': schemeOf(head),
            },
          },
          parent,
        )
      const request = { span, http, startedAt: performance.now(), executing: undefined }
      open.set(message, request)
      surround(message, trace.setSpan(parent, span).setValue(requestKey, request))
    },
    end(message) {
      if (message.result !== undefined) finish(message)
    },
    asyncEnd: finish,
  })
}

/** Makes one span for each operation over a WebSocket, whose handshake is a request of its own. */
export function traceSocketOperations(settings: SpanSettings): () => void {
  const { tracer, document, hasNames } = settings
  const open = new WeakMap<OperationTrace, OpenRequest>()
  const finish = (message: OperationTrace): void => {
    const request = open.get(message)
    const { result, route, operationType } = message
    if (request === undefined || result === undefined) return
    open.delete(message)
    request.executing?.end()
    const { span } = request
    if (operationType !== undefined) span.updateName(spanName(message, hasNames))
    span.setAttributes({
      ...describeFacts(message, document),
      'http.route': route,
      'error.type': errorTypeOf(result.status),
    })
    addErrors(span, message)
    setStatus(span, result.status)
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
      const request = { span, http: undefined, startedAt: 0, executing: undefined }
      open.set(message, request)
      surround(message, trace.setSpan(parent, span).setValue(requestKey, request))
    },
    end: finish,
    asyncEnd: finish,
  })
}

/** Lets the work of a message run in a context of OpenTelemetry. */
export function surround(message: Pick<RequestTrace, 'around'>, own: Context): void {
  const { around } = message
  message.around = (work) => context.with(own, around === undefined ? work : () => around(work))
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

/** Requests that were rejected have no data. Errors of fields are counted by their codes only. */
function addErrors(span: Span, { errors = [], hasData }: RequestTrace | OperationTrace): void {
  if (hasData === true || !span.isRecording()) return
  for (const error of errors.slice(0, maxErrors)) {
    const [code] = codesOf([error])
    span.addEvent('graphwire.request_error', {
      'graphwire.error.code': code,
      'graphwire.error.message': cutText(error.message, 300),
    })
  }
}

/** Without a status the client has gone. */
function errorTypeOf(status: number | undefined): string | undefined {
  if (status === undefined) return 'client_gone'
  return status >= 500 ? String(status) : undefined
}

function setStatus(span: Span, status: number | undefined): void {
  if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}
