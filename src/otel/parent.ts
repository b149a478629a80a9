import {
  createContextKey,
  propagation,
  SpanKind,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type TextMapGetter,
} from '@opentelemetry/api'
import { fieldLines, fieldValue, type HeaderList, type RequestHead } from '../http/message.js'
import { parseTraceParent } from '../http/trace-parent.js'

/** The span of the HTTP server in which a request arrived, if something else traces that. */
export interface HttpSpan {
  readonly span: Span
  /** Tells its owner the route, which becomes part of the name. */
  setRoute(route: string): void
}

/** What instrumentations of HTTP servers put into the context, by the key of @opentelemetry/core. */
interface RpcMetadata {
  readonly type?: unknown
  readonly span?: Span
  route?: string
}

const rpcMetadata = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')

export function findHttpSpan(active: Context): HttpSpan | undefined {
  const found = active.getValue(rpcMetadata) as RpcMetadata | undefined
  if (found?.type === 'http' && found.span !== undefined) {
    return { span: found.span, setRoute: (route) => void (found.route = route) }
  }
  const span = trace.getSpan(active)
  if (span === undefined || !isServerSpan(span)) return undefined
  return { span, setRoute: (route) => void span.setAttribute('http.route', route) }
}

/** The spans of the SDK show their kind, which is no part of the API. */
function isServerSpan(span: Span): boolean {
  return 'kind' in span && span.kind === SpanKind.SERVER && span.isRecording()
}

/** The context of a request's span: that of the server, or else that of the caller, by its header. */
export function findParent(active: Context, { headers }: RequestHead): Context {
  if (trace.getSpanContext(active) !== undefined) return active
  const extracted = propagation.extract(active, headers, headerGetter)
  // Without a propagator, W3C is the standard.
  if (propagation.fields().length > 0) return extracted
  const parent = parseTraceParent(fieldValue(headers, 'traceparent'))
  if (parent === undefined) return active
  const { traceId, spanId, isSampled } = parent
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(active, { traceId, spanId, traceFlags, isRemote: true })
}

const headerGetter: TextMapGetter<HeaderList> = {
  get: (headers, name) => fieldValue(headers, name.toLowerCase()),
  keys: (headers) => Array.from(fieldLines(headers), ([name]) => name.toLowerCase()),
}
