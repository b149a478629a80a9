import { context, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api'
import type { ExecuteTrace } from 'graphwire'
import { subscribe } from './channel.js'
import { surround } from './contexts.js'
import { spanName, type SpanSettings, type TracedRequest } from './request-spans.js'

/**
 * Makes spans for the stages of a request. What has no request, such as the documents of routes at the start, has
 * none, and neither has what resolvers parse or execute themselves.
 */
export function traceStages(settings: SpanSettings): readonly (() => void)[] {
  return [
    traceStage('parse', settings),
    traceStage('validate', settings),
    traceExecution('execute', settings),
    traceExecution('subscribe', settings),
  ]
}

function traceStage(stage: 'parse' | 'validate', { tracer, requests }: SpanSettings): () => void {
  const open = new WeakMap<object, Span>()
  return subscribe(`graphql:${stage}`, {
    start(message: object) {
      if (activeRequest(requests) !== undefined) open.set(message, tracer.startSpan(stage))
    },
    end(message: object) {
      open.get(message)?.end()
    },
  })
}

function traceExecution(stage: 'execute' | 'subscribe', settings: SpanSettings): () => void {
  const { tracer, requests, hasNames } = settings
  const open = new WeakMap<object, TracedRequest>()
  const finish = (message: object): void => {
    // At the end of the synchronous part, resolvers may still be running.
    if (!('result' in message) && !('error' in message)) return
    const request = open.get(message)
    if (request === undefined) return
    open.delete(message)
    if ('error' in message) request.executing?.setStatus({ code: SpanStatusCode.ERROR })
    request.executing?.end()
    request.executing = undefined
  }
  return subscribe(`graphql:${stage}`, {
    start(message: Omit<ExecuteTrace, 'result'>) {
      const request = activeRequest(requests)
      if (request === undefined) return
      const { operationType } = message
      const parent = context.active()
      const span = tracer.startSpan(spanName(message, hasNames), internal, parent)
      // Later than with its start, the SDK checks attributes once instead of three times.
      if (operationType !== undefined) span.setAttribute('graphql.operation.type', operationType)
      request.executing = span
      open.set(message, request)
      surround(message, parent, span)
    },
    end: finish,
    asyncEnd: finish,
  })
}

const internal = { kind: SpanKind.INTERNAL }

function activeRequest(requests: SpanSettings['requests']): TracedRequest | undefined {
  const span = trace.getSpan(context.active())
  return span && requests.get(span)
}
