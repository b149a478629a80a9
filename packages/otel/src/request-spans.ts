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
import type { Arrival, FollowedTrace, Follower } from 'graphwire'
import { pathOf, type RequestHead } from 'graphwire/http'
import { addFacts, type DocumentDetail } from './attributes.js'
import { findHttpSpan, findParent, surround, type HttpSpan } from './contexts.js'
import { errorTypeOf, Measured } from './measured.js'
import type { RequestSampler } from './sampler.js'
import { spanName, type StageSettings, type TracedRequest } from './stage-spans.js'

/** The settings of all spans. */
export interface SpanSettings extends StageSettings {
  /** Decides before a span is made; without it, the tracer decides. */
  readonly sampler: RequestSampler | undefined
  /** Undefined without a provider of meters. */
  readonly duration: Histogram | undefined
  readonly document: DocumentDetail
}

/** Makes spans for the requests that are recorded, and only measures the others. */
export function traceRequests(settings: SpanSettings): () => void {
  const channel = 'graphwire:arrival'
  const arrived = (message: unknown): void => {
    const arrival = message as Arrival
    const isHttp = arrival.transport === 'http'
    const span = isHttp ? beginRequest(arrival, settings) : beginOperation(arrival.head, settings)
    if (span?.isRecorded !== true) settings.stages.rest()
    if (span !== undefined) arrival.followers.push(span)
  }
  subscribeTo(channel, arrived)
  return () => {
    unsubscribe(channel, arrived)
    settings.stages.stop()
  }
}

/** Begins the span of an HTTP request, or uses that of an HTTP instrumentation. */
function beginRequest(arrival: Arrival, settings: SpanSettings): OpenSpan | undefined {
  const { head, followers } = arrival
  const active = context.active()
  const http = findHttpSpan(active)
  if (http !== undefined) {
    if (http.span.isRecording()) return new ServerSpan(http, active, settings)
    // The owner of the span also measures the duration.
    followers.push({ end: ({ route }) => route !== undefined && http.setRoute(route) })
    return undefined
  }
  const { sampler, tracer, duration } = settings
  const parent = findParent(active, head)
  const isLeftOut = sampler?.samples(parent) === false
  if (isLeftOut && duration === undefined) return undefined
  const measured = new Measured(head, duration)
  if (!isLeftOut) {
    const span = startSpan(sampler, () => {
      const { method, scheme } = measured
      const attributes = describeRequest(head, method, scheme)
      return tracer.startSpan(nameOf(method), { kind: SpanKind.SERVER, attributes }, parent)
    })
    if (isUsed(span)) return new RequestSpan(span, parent, measured, settings)
  }
  if (duration !== undefined) followers.push(measured)
  return undefined
}

/** Begins the span of an operation over a WebSocket, whose handshake is a request of its own. */
function beginOperation(head: RequestHead, settings: SpanSettings): OpenSpan | undefined {
  const { sampler, tracer } = settings
  const parent = findParent(context.active(), head)
  if (sampler?.samples(parent) === false) return undefined
  const attributes = {
    'network.protocol.name': 'websocket',
    'url.path': cutText(pathOf(head.originalTarget ?? head.target), 1000),
  }
  const span = startSpan(sampler, () =>
    tracer.startSpan('graphql', { kind: SpanKind.SERVER, attributes }, parent),
  )
  return isUsed(span) ? new OperationSpan(span, parent, settings) : undefined
}

function startSpan(sampler: RequestSampler | undefined, start: () => Span): Span {
  return sampler === undefined ? start() : sampler.begin(start)
}

/** Whether it is recorded, or has to tell what the request calls that it is not. */
function isUsed(span: Span): boolean {
  return span.isRecording() || isSpanContextValid(span.spanContext())
}

/** The attributes for samplers. */
function describeRequest(
  head: RequestHead,
  method: string,
  scheme: string | undefined,
): Attributes {
  const attributes: Attributes = {
    'http.request.method': method,
    'url.path': cutText(pathOf(head.originalTarget ?? head.target), 1000),
  }
  if (scheme !== undefined) attributes['url.scheme'] = scheme
  if (method !== head.method) attributes['http.request.method_original'] = cutText(head.method, 64)
  return attributes
}

/** A span in whose context a request runs, and the span of its execution. */
abstract class OpenSpan implements Follower, TracedRequest {
  executing: Span | undefined
  protected readonly span: Span
  protected readonly settings: SpanSettings
  readonly isRecorded: boolean
  readonly #parent: Context

  constructor(span: Span, parent: Context, settings: SpanSettings) {
    this.span = span
    this.isRecorded = span.isRecording()
    this.#parent = parent
    this.settings = settings
  }

  begin(message: FollowedTrace): void {
    if (this.isRecorded) {
      this.settings.stages.begin(this.settings)
      this.settings.requests.set(this.span, this)
    }
    // That of a server may be active already.
    if (this.span !== trace.getSpan(this.#parent)) surround(message, this.#parent, this.span)
  }

  end(message: FollowedTrace): void {
    if (!this.isRecorded) return
    this.settings.stages.end()
    this.executing?.end()
    addFacts(this.span, message, this.settings.document)
  }
}

/** The span of an instrumentation of HTTP, which begins and ends it. */
class ServerSpan extends OpenSpan {
  readonly #http: HttpSpan

  constructor(http: HttpSpan, active: Context, settings: SpanSettings) {
    super(http.span, active, settings)
    this.#http = http
  }

  override end(message: FollowedTrace): void {
    super.end(message)
    if (message.route !== undefined) this.#http.setRoute(message.route)
  }
}

class RequestSpan extends OpenSpan {
  readonly #measured: Measured

  constructor(span: Span, parent: Context, measured: Measured, settings: SpanSettings) {
    super(span, parent, settings)
    this.#measured = measured
  }

  override end(message: FollowedTrace): void {
    super.end(message)
    const { span } = this
    const { route, result } = message
    const status = result?.status
    if (this.isRecorded) {
      if (route !== undefined) {
        span.updateName(`${nameOf(this.#measured.method)} ${route}`)
        span.setAttribute('http.route', route)
      }
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      setOutcome(span, status)
    }
    span.end()
    this.#measured.end(message)
  }
}

class OperationSpan extends OpenSpan {
  override end(message: FollowedTrace): void {
    super.end(message)
    const { span } = this
    const { result, route, operationType } = message
    if (operationType !== undefined) span.updateName(spanName(message, this.settings.hasNames))
    if (this.isRecorded) {
      if (route !== undefined) span.setAttribute('http.route', route)
      setOutcome(span, result?.status)
    }
    span.end()
  }
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
