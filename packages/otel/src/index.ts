import {
  createNoopMeter,
  diag,
  INVALID_SPAN_CONTEXT,
  metrics,
  ProxyTracerProvider,
  trace,
  type Histogram,
  type Meter,
  type Tracer,
} from '@opentelemetry/api'
import { checkOptions, hasMethods, objectOf, type Shape, oneOf } from 'graphwire/base'
import type { DocumentDetail } from './attributes.js'
import { traceRequests, type SpanSettings } from './request-spans.js'
import { RequestSampler } from './sampler.js'

export { RequestSampler }

/** The options of `instrument`. */
export interface InstrumentOptions {
  /** Makes the spans. Default: the tracer `graphwire` of the global provider. */
  readonly tracer?: Tracer | undefined
  /** Decides which requests are recorded; the provider of the tracer needs it, too. Default: the tracer decides, by a span for each request. */
  readonly sampler?: RequestSampler | undefined
  /** Makes the metric. Default: the meter `graphwire` of the global provider. */
  readonly meter?: Meter | undefined
  /** How much of documents spans contain: nothing, the SHA-256, or the text without its values. Default: 'none'. */
  readonly document?: DocumentDetail | undefined
  /** Whether spans of operations are named by their type alone, or also by the name that the client chose. Default: 'type'. */
  readonly nameSpans?: 'type' | 'type-and-name' | undefined
}

const aTracer: Shape = {
  expected: 'a Tracer of @opentelemetry/api',
  fits: (value) => hasMethods(value, 'startSpan'),
}

const aMeter: Shape = {
  expected: 'a Meter of @opentelemetry/api',
  fits: (value) => hasMethods(value, 'createHistogram'),
}

const aSampler: Shape = {
  expected: 'a RequestSampler',
  fits: (value) => value instanceof RequestSampler,
}

const instrumentShape = objectOf<InstrumentOptions>("{ document: 'hash' }", {
  tracer: aTracer,
  sampler: aSampler,
  meter: aMeter,
  document: oneOf(['none', 'hash', 'text']),
  nameSpans: oneOf(['type', 'type-and-name']),
})

/**
 * Makes spans and a metric of OpenTelemetry for the requests of all handlers in this process, until the returned
 * function is called.
 */
export function instrument(options: InstrumentOptions = {}): () => void {
  checkOptions('instrument', options, instrumentShape)
  const {
    tracer = trace.getTracer('graphwire'),
    meter = metrics.getMeter('graphwire'),
    sampler,
    document = 'none',
    nameSpans = 'type',
  } = options
  const settings: SpanSettings = {
    tracer: guard(tracer),
    isTracing: options.tracer === undefined ? hasProvider : () => true,
    requests: new WeakSet(),
    sampler,
    duration: createDuration(meter),
    document,
    hasNames: nameSpans === 'type-and-name',
  }
  return traceRequests(settings)
}

/** Whether a global provider of tracers is registered. */
function hasProvider(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noProvider
}

const noProvider = new ProxyTracerProvider().getDelegate()

/** A sampler or a processor that throws must not end the process, as what throws in a diagnostics channel does. */
function guard(tracer: Tracer): Pick<Tracer, 'startSpan'> {
  return {
    startSpan(name, options, parent) {
      try {
        return tracer.startSpan(name, options, parent)
      } catch (error) {
        diag.error('graphwire: a span cannot be started.', error)
        return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
      }
    },
  }
}

/** The metric; undefined without a provider of meters. */
function createDuration(meter: Meter): Histogram | undefined {
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries },
  })
  return duration === createNoopMeter().createHistogram('') ? undefined : duration
}

/** The buckets of the semantic conventions, in seconds. */
const explicitBucketBoundaries = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
