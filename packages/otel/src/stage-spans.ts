import { cutText } from 'graphwire/base'
import { context, trace, type Span, type Tracer } from '@opentelemetry/api'
import type { RequestFacts } from 'graphwire'
import { subscribe } from './channel.js'

/** The settings of the spans of stages. */
export interface StageSettings {
  readonly tracer: Pick<Tracer, 'startSpan'>
  /** The spans of the requests that are recorded. That of a context is its active span, which resolvers can replace. */
  readonly requests: WeakSet<Span>
}

/**
 * Makes spans for the documents that are not in the cache. What has no request, such as the documents of routes at the start,
 * has none, and neither has what resolvers parse themselves.
 */
export function traceDocuments(settings: StageSettings): readonly (() => void)[] {
  return [traceStage('parse', settings), traceStage('validate', settings)]
}

function traceStage(stage: 'parse' | 'validate', { tracer, requests }: StageSettings): () => void {
  const open = new WeakMap<object, Span>()
  return subscribe(`graphql:${stage}`, {
    start(message: object) {
      const request = trace.getSpan(context.active())
      if (request !== undefined && requests.has(request)) open.set(message, tracer.startSpan(stage))
    },
    end(message: object) {
      open.get(message)?.end()
    },
  })
}

/** GraphQL has few types of operations, but clients choose the names. */
export function spanName(
  { operationType, operationName }: Pick<RequestFacts, 'operationType' | 'operationName'>,
  hasName: boolean,
): string {
  const type = operationType ?? 'graphql'
  return hasName && operationName !== undefined ? `${type} ${cutText(operationName, 100)}` : type
}
