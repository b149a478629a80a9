import type { HasStreamDefect } from './defects.js'

/** How payloads become the bytes of a response. */
export interface Encoding {
  readonly type: string
  begin(): string
  write(payload: object): string
  /** Something that keeps the connection alive. */
  beat(): string
  end(): string
}

/** text/event-stream. */
export function eventStream(has: HasStreamDefect): Encoding {
  const data = (payload: object): string => {
    const content = has('sse-data-wrapped') ? { id: '1', payload } : payload
    return has('sse-raw-line-breaks') ? JSON.stringify(content, null, 2) : JSON.stringify(content)
  }
  return {
    type: has('sse-type-odd') ? 'text/x-event-stream' : 'text/event-stream',
    begin: () => (has('sse-retry-in-words') ? 'retry: soon\n\n' : ':\n\n'),
    write: (payload) =>
      `${has('sse-event-unnamed') ? '' : 'event: next\n'}data: ${data(payload)}\n\n`,
    beat: () => (has('sse-heartbeat-missing') ? '' : ':\n\n'),
    end: () => {
      if (has('sse-complete-missing')) return ''
      const field = has('sse-complete-without-data') ? '' : 'data:\n'
      return `event: complete\n${field}${has('sse-blank-line-missing') ? '' : '\n'}`
    },
  }
}

/** What can be wrong with a multipart body. */
interface PartDefects {
  readonly isLate: boolean
  readonly isUnended: boolean
  readonly hasEmptyPart: boolean
  readonly lineEnd: '\r\n' | '\n'
  /** The media type of the parts; none if it is undefined. */
  readonly type: string | undefined
  readonly beat: string
}

/** multipart/mixed: the delimiter is sent right behind each part. */
function multipart(boundary: string, defects: PartDefects): Encoding {
  const { isLate, isUnended, hasEmptyPart, lineEnd, type } = defects
  const delimiter = `${lineEnd}--${boundary}`
  const fields = type === undefined ? '' : `Content-Type: ${type}${lineEnd}`
  const part = (content: string): string => {
    const body = `${lineEnd}${fields}${lineEnd}${content}`
    return isLate ? delimiter + body : body + delimiter
  }
  return {
    type: `multipart/mixed; boundary="${boundary}"`,
    begin: () => (isLate ? '' : delimiter),
    write: (payload) => part(JSON.stringify(payload)),
    beat: () => (defects.beat === '' ? '' : part(defects.beat)),
    end: () => {
      const empty = hasEmptyPart ? `${lineEnd}${delimiter}` : ''
      if (isUnended) return empty
      return `${empty}${isLate ? delimiter : ''}--${lineEnd}`
    },
  }
}

/** application/jsonl. */
export function jsonLines(has: HasStreamDefect): Encoding {
  return {
    type: 'application/jsonl',
    begin: () => '',
    write: (payload) =>
      `${has('inc-jsonl-printed') ? JSON.stringify(payload, null, 1) : JSON.stringify(payload)}\n`,
    beat: () => '',
    end: () => '',
  }
}

/** The multipart of incremental delivery. */
export function incrementalParts(has: HasStreamDefect): Encoding {
  const type = has('inc-part-of-text') ? 'text/plain' : 'application/json; charset=utf-8'
  return multipart('-', {
    isLate: has('inc-boundary-late'),
    isUnended: has('inc-boundary-missing'),
    hasEmptyPart: has('inc-part-empty'),
    lineEnd: has('inc-lf-only') ? '\n' : '\r\n',
    type: has('inc-part-without-fields') ? undefined : type,
    beat: '',
  })
}

/** The multipart of subscriptions. */
export function subscriptionParts(has: HasStreamDefect): Encoding {
  const encoding = multipart(has('mps-boundary-odd') ? 'odd' : 'graphql', {
    isLate: has('mps-boundary-late'),
    isUnended: has('mps-boundary-missing'),
    hasEmptyPart: has('mps-part-empty'),
    lineEnd: '\r\n',
    type: has('mps-part-without-fields') ? undefined : 'application/json',
    beat: has('mps-heartbeat-missing') ? '' : '{}',
  })
  let isFirst = true
  return {
    ...encoding,
    write(payload) {
      const isBare = has('mps-other-protocol') || (has('mps-payload-once') && !isFirst)
      isFirst = false
      return encoding.write(isBare ? payload : { payload })
    },
  }
}
