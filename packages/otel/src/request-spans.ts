import { subscribe as subscribeTo, unsubscribe } from 'node:diagnostics_channel'
import {
  context,
  isSpanContextValid,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Histogram,
  type Span,
} from '@opentelemetry/api'
import { cutText } from 'graphwire/base'
import type { Arrival, ExecuteTrace, FollowedTrace, Follower } from 'graphwire'
import { pathOf, type RequestHead } from 'graphwire/http'
import { addFacts, knownMethod, schemeOf, type DocumentDetail } from './attributes.js'
import { findHttpSpan, findParent, surround } from './contexts.js'
import { errorTypeOf, Measured } from './measured.js'
import type { RequestSampler } from './sampler.js'
import { spanName, traceDocuments, type StageSettings } from './stage-spans.js'

/** The settings of all spans. */
export interface SpanSettings extends StageSettings {
  /** Whether the tracer can record: its provider may be registered later. */
  readonly isTracing: () => boolean
  /** Decides before a span is made; without it, the tracer decides. */
  readonly sampler: RequestSampler | undefined
  /** Undefined without a provider of meters. */
  readonly duration: Histogram | undefined
  readonly document: DocumentDetail
  readonly hasNames: boolean
}

/** Makes spans for the requests that are recorded, and only measures the others. */
export function traceRequests(settings: SpanSettings): () => void {
  const channel = 'graphwire:arrival'
  const arrived = (message: unknown): void => {
    const arrival = message as Arrival
    const isHttp = arrival.transport === 'http'
    const span = isHttp ? beginRequest(arrival, settings) : beginOperation(arrival, settings)
    if (span !== undefined) arrival.followers.push(span)
  }
  subscribeTo(channel, arrived)
  const stops = traceDocuments(settings)
  return () => {
    unsubscribe(channel, arrived)
    for (const stop of stops) stop()
  }
}

/** Begins the span of an HTTP request, or uses that of an HTTP instrumentation. */
function beginRequest({ head, followers }: Arrival, settings: SpanSettings): OpenSpan | undefined {
  const active = context.active()
  const http = findHttpSpan(active)
  if (http !== undefined) {
    // The owner of the span also ends it, and measures the duration.
    const end = ({ route }: FollowedTrace): void => {
      if (route !== undefined) http.setRoute(route)
    }
    if (http.span.isRecording()) return new OpenSpan(http.span, active, settings, end)
    followers.push({ end })
    return undefined
  }
  const { duration } = settings
  const parent = findParent(active, head)
  const name = nameOf(knownMethod(head.method))
  const span = startSpan(name, () => describeRequest(head), parent, settings)
  if (span === undefined && duration === undefined) return undefined
  const measured = new Measured(head, duration)
  if (span !== undefined) {
    return new OpenSpan(span, parent, settings, (message) => {
      endRequest(span, name, message)
      measured.end(message)
    })
  }
  followers.push(measured)
  return undefined
}

/** Begins the span of an operation without a request of its own, such as over a WebSocket. */
function beginOperation(
  { head, transport }: Arrival,
  settings: SpanSettings,
): OpenSpan | undefined {
  const parent = findParent(context.active(), head)
  const describe = (): Attributes =>
    transport === 'websocket'
      ? { 'network.protocol.name': 'websocket', 'url.path': urlPath(head) }
      : {}
  const span = startSpan('graphql', describe, parent, settings)
  return (
    span &&
    new OpenSpan(span, parent, settings, (message) => {
      endOperation(span, message, settings.hasNames)
    })
  )
}

/** Starts a span; undefined if it is not recorded, and has nothing to tell what the request calls. */
function startSpan(
  name: string,
  describe: () => Attributes,
  parent: Context,
  { sampler, tracer, isTracing }: SpanSettings,
): Span | undefined {
  // Without a provider, spans only pass on the caller's context.
  if (!isTracing() && trace.getSpanContext(parent) === undefined) return undefined
  if (sampler?.samples(parent) === false) return undefined
  const start = (): Span =>
    tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: describe() }, parent)
  const span = sampler === undefined ? start() : sampler.begin(start)
  return span.isRecording() || isSpanContextValid(span.spanContext()) ? span : undefined
}

/** The attributes for samplers. */
function describeRequest(head: RequestHead): Attributes {
  const method = knownMethod(head.method)
  const scheme = schemeOf(head)
  const attributes: Attributes = { 'http.request.method': method, 'url.path': urlPath(head) }
  if (scheme !== undefined) attributes['url.scheme'] = scheme
  if (method !== head.method) attributes['http.request.method_original'] = cutText(head.method, 64)
  return attributes
}

function urlPath({ originalTarget, target }: RequestHead): string {
  return cutText(pathOf(originalTarget ?? target), 1000)
}

/** A span in whose context a request runs, and the spans of its executions, of which a batch has several. */
class OpenSpan implements Follower {
  readonly execute?: (message: ExecuteTrace) => () => void
  readonly #executing = new Set<Span>()
  readonly #span: Span
  readonly #parent: Context
  readonly #settings: SpanSettings
  readonly #end: (message: FollowedTrace) => void

  constructor(
    span: Span,
    parent: Context,
    settings: SpanSettings,
    end: (message: FollowedTrace) => void,
  ) {
    // What is not recorded costs nothing more.
    if (span.isRecording()) this.execute = (message) => this.#execute(message)
    this.#span = span
    this.#parent = parent
    this.#settings = settings
    this.#end = end
  }

  begin(message: FollowedTrace): void {
    if (this.execute !== undefined) this.#settings.requests.add(this.#span)
    // That of a server may be active already.
    if (this.#span !== trace.getSpan(this.#parent)) surround(message, this.#parent, this.#span)
  }

  end(message: FollowedTrace): void {
    if (this.execute !== undefined) {
      for (const span of this.#executing) span.end()
      this.#executing.clear()
      addFacts(this.#span, message, this.#settings.document)
    }
    this.#end(message)
  }

  #execute(message: ExecuteTrace): () => void {
    const { tracer, hasNames } = this.#settings
    const { operationType } = message
    const parent = context.active()
    const span = tracer.startSpan(spanName(message, hasNames), internal, parent)
    // Later than with its start, the SDK checks attributes once instead of three times.
    if (operationType !== undefined) span.setAttribute('graphql.operation.type', operationType)
    this.#executing.add(span)
    surround(message, parent, span)
    return () => {
      // It ends with its request, if that ends first.
      if (!this.#executing.delete(span)) return
      if ('error' in message) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }
}

const internal = { kind: SpanKind.INTERNAL }

function endRequest(span: Span, name: string, { route, result }: FollowedTrace): void {
  if (route !== undefined) {
    span.updateName(`${name} ${route}`)
    span.setAttribute('http.route', route)
  }
  if (result !== undefined) span.setAttribute('http.response.status_code', result.status)
  setOutcome(span, result?.status)
  span.end()
}

function endOperation(span: Span, message: FollowedTrace, hasName: boolean): void {
  const { result, route, operationType } = message
  if (operationType !== undefined) span.updateName(spanName(message, hasName))
  if (route !== undefined) span.setAttribute('http.route', route)
  setOutcome(span, result?.status)
  span.end()
}

function nameOf(method: string): string {
  return method === '_OTHER' ? 'HTTP' : method
}

function setOutcome(span: Span, status: number | undefined): void {
  const errorType = errorTypeOf(status)
  if (errorType === undefined) return
  span.setAttribute('error.type', errorType)
  if (status !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
}
