import { context, type Tracer } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
} from '@opentelemetry/sdk-trace-base'
import type { Test } from 'tap'

/** A tracer with an exporter in memory, and what it has exported. */
export interface Collected {
  readonly tracer: Tracer
  /** The spans so far, as a tree of names: children are indented, in the order in which they began. */
  tree(): string
  spans(): readonly ReadableSpan[]
  /** The only span of this name. */
  span(name: string): ReadableSpan
  reset(): void
}

/** Sets up OpenTelemetry until the end of a test. Without a sampler, all spans are recorded. */
export function collect(t: Test, sampler?: Sampler): Collected {
  const exporter = new InMemorySpanExporter()
  // The clock is too coarse to tell which of two spans began first.
  const begun: string[] = []
  const exporting = new SimpleSpanProcessor(exporter)
  const provider = new BasicTracerProvider({
    ...(sampler && { sampler }),
    spanProcessors: [
      {
        onStart: (span) => void begun.push(span.spanContext().spanId),
        onEnd: (span) => exporting.onEnd(span),
        forceFlush: () => exporting.forceFlush(),
        shutdown: () => exporting.shutdown(),
      },
    ],
  })
  context.disable()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  t.teardown(() => context.disable())
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans()
  return {
    tracer: provider.getTracer('test'),
    spans,
    tree: () => formatTree(spans(), begun),
    span(name) {
      const [found, ...others] = spans().filter((one) => one.name === name)
      if (found === undefined || others.length > 0) {
        throw new Error(`Expected one span ${name}, got:\n${formatTree(spans(), begun)}`)
      }
      return found
    },
    reset: () => exporter.reset(),
  }
}

function formatTree(spans: readonly ReadableSpan[], begun: readonly string[]): string {
  const startOf = (span: ReadableSpan): number => begun.indexOf(span.spanContext().spanId)
  const ids = new Set(spans.map((span) => span.spanContext().spanId))
  const byStart = spans.toSorted((one, other) => startOf(one) - startOf(other))
  const lines = (parent: string | undefined, depth: number): string[] =>
    byStart
      .filter(({ parentSpanContext: above }) =>
        parent === undefined ? !ids.has(above?.spanId ?? '') : above?.spanId === parent,
      )
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.name}`,
        ...lines(span.spanContext().spanId, depth + 1),
      ])
  return lines(undefined, 0).join('\n')
}
