import type { Flow, HeaderList, HttpResponse, Sink, StreamBody } from '../../http/message.js'
import type { Encoding, EventEncoding } from '../../over-http/response/choose-encoding.js'
import type {
  IncrementalEncoding,
  IncrementalType,
} from '../../over-http/response/choose-incremental.js'
import { incrementalHeaders, openParts } from '../../over-http/response/incremental-parts.js'
import {
  eventStreamHeaders,
  openEventStream,
  multipartEventHeaders,
  openMultipartEvents,
} from '../../over-http/response/event-stream.js'
import type { Outlet } from '../../streams/outlet.js'
import type { Program } from '../../streams/program.js'
import type { Settings } from '../../options/settings.js'
import type { StreamEnd, Streams } from '../../streams/streams.js'
import { forgetRequest, type Facts } from '../road/facts.js'
import { playStream } from './play-stream.js'

/** How a stream is written. */
export interface StreamFormat {
  readonly transport: StreamEnd['transport']
  readonly headers: HeaderList
  readonly open: (sink: Sink) => Outlet
}

const formats: { readonly [encoding in EventEncoding]: StreamFormat } = {
  'event-stream': { transport: 'event-stream', headers: eventStreamHeaders, open: openEventStream },
  multipart: { transport: 'multipart', headers: multipartEventHeaders, open: openMultipartEvents },
}

/** The format of the events of a subscription. */
export function formatOf({ events = 'event-stream' }: Encoding): StreamFormat {
  return formats[events]
}

/** The format of a result in parts; `close` is explained at `openParts`. */
export function formatOfParts(
  encoding: IncrementalEncoding,
  close: NonNullable<Program['close']> = () => undefined,
): StreamFormat {
  return {
    transport: transports[encoding.type],
    headers: incrementalHeaders(encoding),
    open: (sink) => openParts(encoding, sink, close),
  }
}

const transports: { readonly [type in IncrementalType]: StreamFormat['transport'] } = {
  'multipart/mixed': 'multipart',
  'text/event-stream': 'event-stream',
  'application/jsonl': 'json-lines',
}

/** The response to a subscription. It starts when the host has sent the head. */
export function respondWithStream(
  program: Program,
  { transport, headers, open }: StreamFormat,
  facts: Facts,
  settings: Settings,
  streams: Streams,
): HttpResponse & { readonly body: StreamBody } {
  return {
    status: 200,
    headers,
    body: {
      open(sink) {
        forgetRequest(facts)
        const outlet = open(sink)
        return playStream({ program, outlet, transport }, facts, settings, streams)
      },
      discard: () => streams.discard(program),
    },
  }
}

export function respondInParts(
  program: Program,
  { incremental }: Encoding,
  facts: Facts,
  settings: Settings,
  streams: Streams,
): HttpResponse {
  const format = formatOfParts(incremental as IncrementalEncoding, program.close)
  const response = respondWithStream(program, format, facts, settings, streams)
  const { open, discard } = response.body
  // Like other results it runs to its end while the server shuts down: it takes a limited time.
  const openToEnd = (sink: Sink): Flow => {
    const flow = open(sink)
    return { resume: () => flow.resume(), gone: () => flow.gone(), shutDown: () => undefined }
  }
  return { ...response, body: { open: openToEnd, discard } }
}

/** The response to HEAD: nothing is subscribed. */
export function describeStream({ headers }: StreamFormat): HttpResponse {
  return { status: 200, headers, body: empty }
}

/** HEAD has no body, and thus nothing to open. */
const empty: StreamBody = {
  open(sink) {
    sink.end()
    return { resume: () => undefined, gone: () => undefined, shutDown: () => undefined }
  },
  discard: () => undefined,
}
