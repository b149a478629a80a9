/** The span of another service that caused a request: the field `traceparent` of W3C Trace Context. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the caller may have recorded the trace. */
  readonly isSampled: boolean
}

/**
 * Parses a `traceparent`; undefined if it is absent or invalid, which starts a new trace. A higher version may have
 * further members, which are ignored (W3C Trace Context, section 4.3).
 */
export function parseTraceParent(value: string | undefined): TraceParent | undefined {
  const found = syntax.exec(value ?? '')
  if (found === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = found
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

const syntax = /^[\t ]*([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?[\t ]*$/
