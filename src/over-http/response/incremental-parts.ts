import type { HeaderList, Sink } from '../../http/message.js'
import type { Outlet } from '../../streams/outlet.js'
import type { IncrementalEncoding, IncrementalType } from './choose-incremental.js'
import { comment, complete, streamHeaders, toFields } from './event-stream.js'

/** How parts are written as a media type. */
interface PartWriter {
  readonly parameters: string
  readonly first: string
  readonly part: (json: string) => string
  /** Written from time to time; empty if clients would take it for a part. */
  readonly idle: string
  readonly last: string
}

/*
 * Parts are separated as in the protocol of subscriptions: clients deliver a part when they see the delimiter behind it, and
 * report that the result is incomplete if the last one is missing.
 */
const delimiter = '\r\n---'

const writers: { readonly [type in IncrementalType]: PartWriter } = {
  'multipart/mixed': {
    parameters: 'boundary="-"',
    first: delimiter,
    part: (json) => `\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${json}${delimiter}`,
    idle: '',
    last: '--\r\n',
  },
  'text/event-stream': {
    parameters: 'charset=utf-8',
    first: comment,
    part: (json) => `${toFields(json)}\n\n`,
    idle: comment,
    last: complete,
  },
  'application/jsonl': {
    parameters: 'charset=utf-8',
    first: '',
    part: (json) => `${json}\n`,
    idle: '',
    last: '',
  },
}

/** The headers of a result in parts; the type names the format. */
export function incrementalHeaders({ type, format }: IncrementalEncoding): HeaderList {
  const spec = format === 'v0.2' ? 'incrementalSpec=v0.2' : 'deferSpec=20220824'
  return streamHeaders(`${type}; ${writers[type].parameters}; ${spec}`)
}

/**
 * Writes the parts of a result. `close` makes the last part of a result that ends early from its errors;
 * undefined if the format has no such part.
 */
export function openParts(
  { type }: IncrementalEncoding,
  sink: Sink,
  close: (errors: string) => string | undefined,
): Outlet {
  const { first, part, idle, last } = writers[type]
  if (first !== '') sink.write(first)
  return {
    next: (result) => sink.write(part(result)),
    heartbeat: () => idle === '' || sink.write(idle),
    end(cause, errors) {
      if (cause === 'client-gone') return
      if (cause === 'slow-reader') return sink.cut()
      const closing = errors && close(errors)
      if (closing !== undefined) sink.write(part(closing))
      // Without such a part, only the missing end shows that the result is incomplete.
      if (closing !== undefined || cause === 'complete') sink.write(last)
      sink.end()
    },
  }
}

/** A result that came whole, for a client that accepts only parts. */
export function wholeInParts(result: string, { type }: IncrementalEncoding): string {
  const { first, part, last } = writers[type]
  return `${first}${part(`${result.slice(0, -1)},"hasNext":false}`)}${last}`
}
