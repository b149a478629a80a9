import {
  fieldValue,
  isStream,
  toHeaderList,
  type Handler,
  type HttpResponse,
  type RequestHead,
} from '../http/message.js'
import { toHeaders } from '../http/to-headers.js'
import { checkOptions, either, listOf, objectOf, recordOf } from '../shapes/shape.js'
import { anything, aString, checkFunction } from '../shapes/shapes.js'
import { aHandler } from './host-options.js'
import { onceAborted, toReadableStream } from './readable-stream.js'

/** A request of a test. With a body it is a POST by default; `json` sets the body. */
export interface TestRequest {
  readonly method?: string | undefined
  /** Default: '/graphql'. */
  readonly target?: string | undefined
  readonly headers?: { readonly [name: string]: string | readonly string[] } | undefined
  readonly json?: unknown
  readonly body?: string | Uint8Array | undefined
  /** The runtime's own request, `head.raw`. */
  readonly raw?: unknown
  /** Aborting it simulates a client that disconnects. */
  readonly signal?: AbortSignal | undefined
}

const requestShape = objectOf<TestRequest>('{ json: { query } }', {
  method: aString,
  target: aString,
  headers: recordOf(
    '{ Authorization: "..." }',
    either(aString, listOf('a list of strings', aString)),
  ),
  json: anything,
  body: {
    expected: 'a string or bytes',
    fits: (value) => typeof value === 'string' || value instanceof Uint8Array,
  },
  raw: anything,
  signal: { expected: 'an AbortSignal', fits: (value) => value instanceof AbortSignal },
})

/** What a client would have received. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  /** The whole body; empty for a stream. */
  readonly body: string
  /** The pieces of a stream, as they come; undefined for other bodies. Ending the loop disconnects. */
  readonly stream: ReadableStream<Uint8Array> | undefined
  /** The parsed body, of a type that you choose: `json<{ data: { hello: string } }>()`. */
  json<Body = unknown>(): Body
  /** The results as they come: the events of a subscription, the parts of a result, or the only one. Ending the loop disconnects. */
  results<Result = unknown>(): AsyncIterable<Result>
}

/** Returns a function that sends requests to a handler without a socket. */
export function testClient(
  handler: Handler<never>,
): (request?: TestRequest) => Promise<TestResponse> {
  checkFunction('testClient', aHandler, handler)
  return async (request = {}) => {
    checkOptions('A request of testClient', request, requestShape)
    // As from a client, it comes after the head.
    const body = { read: () => Promise.resolve(bodyOf(request)) }
    const sent = { ...(toHead(request) as RequestHead<never>), body }
    return toTestResponse(await handler(sent), request)
  }
}

function toHead(request: TestRequest): RequestHead {
  const { headers = {}, signal, json, body, target = '/graphql' } = request
  const hasBody = json !== undefined || body !== undefined
  const list = toHeaderList(headers)
  const typed = fieldValue(list, 'content-type') !== undefined
  if (json !== undefined && !typed) list.push('Content-Type', 'application/json')
  return {
    method: request.method ?? (hasBody ? 'POST' : 'GET'),
    target,
    headers: list,
    raw: request.raw,
    onClientGone: (listener) => onceAborted(signal, () => void listener()),
  }
}

function bodyOf({ json, body = '' }: TestRequest): Uint8Array {
  const content = json === undefined ? body : JSON.stringify(json)
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

function toTestResponse(response: HttpResponse, { method, signal }: TestRequest): TestResponse {
  const { status, body: content } = response
  const isHead = method === 'HEAD'
  if (isHead && isStream(content)) content.discard()
  const stream = isHead || !isStream(content) ? undefined : toReadableStream(content, signal)
  const bytes = isHead || isStream(content) ? '' : content
  const body = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)
  const whole = { status, headers: toHeaders(response.headers), body, stream }
  return { ...whole, json: () => JSON.parse(body), results: () => readResults(whole) }
}

/** The results in a response, as they come: events, parts, or the only one. */
async function* readResults<Result>({
  headers,
  body,
  stream,
}: Pick<TestResponse, 'headers' | 'body' | 'stream'>): AsyncGenerator<Result, void, undefined> {
  const { delimiter, textOf } = readerFor(headers.get('content-type') ?? '')
  const decoder = new TextDecoder()
  let rest = body
  for await (const chunk of stream ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const pieces = delimiter === undefined ? [rest] : rest.split(delimiter)
    rest = pieces.pop() ?? ''
    for (const piece of pieces) yield* toResult<Result>(textOf(piece))
  }
  const pieces = delimiter === undefined ? [rest] : rest.split(delimiter)
  for (const piece of pieces) yield* toResult<Result>(textOf(piece))
}

/** How a body is divided into pieces, and which text of a piece is JSON. */
function readerFor(contentType: string): {
  readonly delimiter: string | undefined
  readonly textOf: (piece: string) => string | undefined
} {
  const [, type = ''] = /^([^;\s]+)/.exec(contentType) ?? []
  if (type === 'text/event-stream') {
    return { delimiter: '\n\n', textOf: (piece) => /^data: ?([^\n]+)/m.exec(piece)?.[1] }
  }
  if (type === 'multipart/mixed') {
    const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? '-'
    return { delimiter: `\r\n--${boundary}`, textOf: (piece) => piece.split('\r\n\r\n')[1] }
  }
  return { delimiter: type === 'application/jsonl' ? '\n' : undefined, textOf: (piece) => piece }
}

/** Multipart has events in `payload`, with other errors than those of the operation beside it, and an empty object to keep the connection open. */
function* toResult<Result>(text: string | undefined): Generator<Result> {
  if (text === undefined || text.trim() === '') return
  const json = JSON.parse(text) as { readonly payload?: unknown; readonly errors?: unknown }
  if (typeof json !== 'object' || json === null || !('payload' in json)) {
    if (text !== '{}') yield json as Result
  } else yield (json.payload ?? { errors: json.errors }) as Result
}
