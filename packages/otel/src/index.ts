import { metrics, trace, type Meter, type Tracer } from '@opentelemetry/api'
import { checkOptions, objectOf, type Shape, oneOf } from 'graphwire/base'
import type { DocumentDetail } from './attributes.js'
import { traceHttp, traceSocketOperations, type SpanSettings } from './request-spans.js'
import { traceStages } from './stage-spans.js'

/** The options of `instrument`. */
export interface InstrumentOptions {
  /** Makes the spans. Default: the tracer `graphwire` of the global provider. */
  readonly tracer?: Tracer | undefined
  /** Makes the metric. Default: the meter `graphwire` of the global provider. */
  readonly meter?: Meter | undefined
  /** What spans say of documents: nothing, the SHA-256, or the text without its values. Default: 'none'. */
  readonly document?: DocumentDetail | undefined
  /** Whether spans of operations are named by their type alone, or also by the name that the client chose. Default: 'type'. */
  readonly nameSpans?: 'type' | 'type-and-name' | undefined
}

const aTracer: Shape = {
  expected: 'a Tracer of @opentelemetry/api',
  fits: (value) => hasMethod(value, 'startSpan'),
}

const aMeter: Shape = {
  expected: 'a Meter of @opentelemetry/api',
  fits: (value) => hasMethod(value, 'createHistogram'),
}

const instrumentShape = objectOf<InstrumentOptions>("{ document: 'hash' }", {
  tracer: aTracer,
  meter: aMeter,
  document: oneOf(['none', 'hash', 'text']),
  nameSpans: oneOf(['type', 'type-and-name']),
})

function hasMethod(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return typeof (value as { readonly [member: string]: unknown })[name] === 'function'
}

/**
 * Makes spans and a metric of OpenTelemetry for the requests of all handlers in this process, until the returned
 * function is called.
 */
export function instrument(options: InstrumentOptions = {}): () => void {
  checkOptions('instrument', options, instrumentShape)
  const {
    tracer = trace.getTracer('graphwire'),
    meter = metrics.getMeter('graphwire'),
    document = 'none',
    nameSpans = 'type',
  } = options
  const settings: SpanSettings = {
    tracer,
    requests: new WeakMap(),
    duration: meter.createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: { explicitBucketBoundaries },
    }),
    document,
    hasNames: nameSpans === 'type-and-name',
  }
  const stops = [traceHttp(settings), traceSocketOperations(settings), ...traceStages(settings)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Those of the semantic conventions, in seconds. */
const explicitBucketBoundaries = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
