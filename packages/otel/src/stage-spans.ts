import { cutText } from 'graphwire/base'
import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type { ExecuteTrace, RequestFacts } from 'graphwire'
import { subscribe } from './channel.js'
import { surround } from './contexts.js'

/** A request whose stages are traced. */
export interface TracedRequest {
  /** The open spans of its executions, of which a batch has several. */
  readonly executing: Set<Span>
}

/** The settings of the spans of stages. */
export interface StageSettings {
  readonly tracer: Tracer
  /**
   * The recorded requests by their spans. The request of a context is found by its active span, which resolvers can replace.
   * Requests that are not recorded have no spans of stages.
   */
  readonly requests: WeakMap<Span, TracedRequest>
  readonly stages: Stages
  readonly hasNames: boolean
}

/**
 * Subscribes to the channels of stages once a request is recorded, until many in a row are not: with a subscriber, each
 * request publishes there; and to change it for each that is recorded would let V8 compile again what publishes.
 */
export class Stages {
  #stops: readonly (() => void)[] = []
  #open = 0
  #unrecorded = 0

  /** Whether no request is recorded now. */
  get isIdle(): boolean {
    return this.#open === 0
  }

  begin(settings: StageSettings): void {
    this.#open += 1
    this.#unrecorded = 0
    if (this.#stops.length === 0) this.#stops = traceStages(settings)
  }

  end(): void {
    this.#open -= 1
  }

  /** A request has come that is not recorded. */
  rest(): void {
    this.#unrecorded += 1
    if (this.#unrecorded > 1_000 && this.isIdle) this.stop()
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#stops = []
  }
}

/**
 * Makes spans for the stages of a request. What has no request, such as the documents of routes at the start, has
 * none, and neither has what resolvers parse or execute themselves.
 */
function traceStages(settings: StageSettings): readonly (() => void)[] {
  return [
    traceStage('parse', settings),
    traceStage('validate', settings),
    traceExecution('execute', settings),
    traceExecution('subscribe', settings),
  ]
}

function traceStage(stage: 'parse' | 'validate', settings: StageSettings): () => void {
  const { tracer } = settings
  const open = new WeakMap<object, Span>()
  return subscribe(`graphql:${stage}`, {
    start(message: object) {
      if (activeRequest(settings) !== undefined) open.set(message, tracer.startSpan(stage))
    },
    end(message: object) {
      open.get(message)?.end()
    },
  })
}

function traceExecution(stage: 'execute' | 'subscribe', settings: StageSettings): () => void {
  const { tracer, stages, hasNames } = settings
  const open = new WeakMap<object, { readonly span: Span; readonly request: TracedRequest }>()
  const finish = (message: object): void => {
    // At the end of the synchronous part, resolvers may still be running.
    if (stages.isIdle || !('result' in message || 'error' in message)) return
    const { span, request } = open.get(message) ?? {}
    if (span === undefined || request?.executing.delete(span) !== true) return
    if ('error' in message) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
  return subscribe(`graphql:${stage}`, {
    start(message: Omit<ExecuteTrace, 'result'>) {
      const request = activeRequest(settings)
      if (request === undefined) return
      const { operationType } = message
      const parent = context.active()
      const span = tracer.startSpan(spanName(message, hasNames), internal, parent)
      // Later than with its start, the SDK checks attributes once instead of three times.
      if (operationType !== undefined) span.setAttribute('graphql.operation.type', operationType)
      request.executing.add(span)
      open.set(message, { span, request })
      surround(message, parent, span)
    },
    end: finish,
    asyncEnd: finish,
  })
}

const internal = { kind: SpanKind.INTERNAL }

function activeRequest({ stages, requests }: StageSettings): TracedRequest | undefined {
  if (stages.isIdle) return undefined
  const span = trace.getSpan(context.active())
  return span && requests.get(span)
}

/** GraphQL has few types of operations, but clients choose the names. */
export function spanName(
  { operationType, operationName }: Pick<RequestFacts, 'operationType' | 'operationName'>,
  hasName: boolean,
): string {
  const type = operationType ?? 'graphql'
  return hasName && operationName !== undefined ? `${type} ${cutText(operationName, 100)}` : type
}
