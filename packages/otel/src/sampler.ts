import { SamplingDecision, SpanKind, trace, TraceFlags, type Context } from '@opentelemetry/api'
import type { SamplingResult, Span } from '@opentelemetry/api'

/**
 * Decides which requests are recorded before anything is made for them: as the caller decided if it traces, otherwise this
 * share. Pass it to the provider of tracers and to `instrument`.
 *
 * What is not recorded has no context. So spans that begin a trace within it are not recorded either, unless they are those
 * of another server, or of a consumer of messages: of these, too, the share is recorded.
 */
export class RequestSampler {
  readonly #share: number
  readonly #random: () => number
  #isDecided = false

  constructor(share: number, random: () => number = Math.random) {
    if (!(share >= 0 && share <= 1)) {
      throw new RangeError(`RequestSampler: expected a share from 0 to 1, got ${String(share)}.`)
    }
    this.#share = share
    this.#random = random
  }

  /** Whether a request with this parent is recorded. */
  samples(parent: Context): boolean {
    const context = trace.getSpanContext(parent)
    if (context === undefined) return this.#random() < this.#share
    return (context.traceFlags & TraceFlags.SAMPLED) !== 0
  }

  /** Begins the span of a request that is recorded. */
  begin(start: () => Span): Span {
    this.#isDecided = true
    try {
      return start()
    } finally {
      this.#isDecided = false
    }
  }

  shouldSample(parent: Context, _traceId: string, _name: string, kind: SpanKind): SamplingResult {
    const begins = trace.getSpanContext(parent) === undefined
    const isEntry = kind === SpanKind.SERVER || kind === SpanKind.CONSUMER
    const isRecorded = this.#isDecided || ((!begins || isEntry) && this.samples(parent))
    return {
      decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }
  }

  toString(): string {
    return `RequestSampler{${this.#share}}`
  }
}
