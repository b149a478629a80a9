import {
  context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  propagation,
  SpanKind,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type TextMapGetter,
} from '@opentelemetry/api'
import type { RequestTrace } from 'graphwire'
import {
  fieldLines,
  fieldValue,
  type HeaderList,
  type RequestHead,
  parseTraceParent,
} from 'graphwire/http'

/** The span of the HTTP server in which a request arrived, if something else traces that. */
export interface HttpSpan {
  readonly span: Span
  /** Passes the route to the owner of the span, who adds it to the name. */
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

/** The spans of the SDK have a kind, which the API does not expose. */
function isServerSpan(span: Span): boolean {
  return 'kind' in span && span.kind === SpanKind.SERVER && span.isRecording()
}

/** The context of a request's span: that of the server, or else that of the caller, by its header. */
export function findParent(active: Context, { headers }: RequestHead): Context {
  if (trace.getSpanContext(active) !== undefined) return active
  if (propagation.fields().length > 0) return propagation.extract(active, headers, headerGetter)
  // Without a propagator, W3C is the standard.
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

/** A context with a span. `trace.setSpan` copies all values of the parent; here they are copied only when one is set. */
class SpanContext implements Context {
  readonly #parent: Context
  readonly #span: Span

  constructor(parent: Context, span: Span) {
    this.#parent = parent
    this.#span = span
  }

  getValue(key: symbol): unknown {
    return key === spanKey ? this.#span : this.#parent.getValue(key)
  }

  setValue(key: symbol, value: unknown): Context {
    return trace.setSpan(this.#parent, this.#span).setValue(key, value)
  }

  deleteValue(key: symbol): Context {
    return trace.setSpan(this.#parent, this.#span).deleteValue(key)
  }
}

/** The key is private to the API, which passes it to any context. */
const spanKey = ((): symbol | undefined => {
  let found: symbol | undefined
  const probe: Context = {
    getValue: () => undefined,
    setValue: (key) => ((found = key), probe),
    deleteValue: () => probe,
  }
  trace.setSpan(probe, trace.wrapSpanContext(INVALID_SPAN_CONTEXT))
  return found
})()

/** Lets the work of a message run with an active span. */
export function surround(message: Pick<RequestTrace, 'around'>, parent: Context, span: Span): void {
  const own = new SpanContext(parent, span)
  const { around } = message
  message.around = (work) => context.with(own, around === undefined ? work : () => around(work))
}
