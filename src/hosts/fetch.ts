import {
  isStream,
  type Body,
  type BodyChunks,
  type GoneListener,
  type Handler,
  type HttpResponse,
  type RefusedBody,
} from '../http/message.js'
import { toHeaders } from '../http/to-headers.js'
import { checkHost, resolveHostOptions, type HostOptions } from './host-options.js'
import { closesOnUnread, defaultMaxSmallChunks, GatheredBody, readOn } from './gathered-body.js'
import { internalError, tooManyChunks } from './host-error.js'
import { mergeHeaders } from './merge-headers.js'
import { onceAborted, toReadableStream } from './readable-stream.js'
import { reasonPhrases } from './reason-phrase.js'
import { toRequestHead } from './request-head.js'

/** A fetch-style function, as Bun, Deno, workers, Hono and Next call it. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Turns a handler into a fetch-style function, which never rejects. Imports nothing of Node. */
export function toFetch(handler: Handler<Request>, options: HostOptions = {}): FetchHandler {
  checkHost('toFetch', handler, options)
  const { createId, onBug } = resolveHostOptions(options)
  const readsOn = closesOnUnread()
  return async (request) => {
    const watching: (() => void)[] = []
    const onClientGone = (listener: GoneListener): void => {
      // Runtimes make a signal when it is first read.
      watching.push(onceAborted(request.signal, () => void listener()))
    }
    try {
      const body = new WebBody(request)
      const response = await handler({ ...toRequestHead(request), onClientGone, body })
      await body.leave(readsOn)
      return toResponse(response, request)
    } catch (bug) {
      const id = createId()
      onBug(bug, { id })
      return toResponse(internalError(id), request)
    } finally {
      // Some runtimes abort requests that are answered.
      for (const stop of watching) stop()
    }
  }
}

/**
 * Sets the headers of our response on those of a framework's response, which may already have some, from
 * middleware for example. Ours replace those, but cookies and `Vary` of both are kept, and caches may store no
 * more than both sides allow.
 */
export function setHeaders(ours: Headers, framework: Headers): void {
  for (const [name, value] of mergeHeaders([...ours].flat(), framework)) {
    framework.delete(name)
    for (const line of [value ?? []].flat()) framework.append(name, line)
  }
}

const tooMany: RefusedBody = { refused: tooManyChunks(defaultMaxSmallChunks) }

/** The client disconnected during its request: no response will be read. */
const cutOff: RefusedBody = { refused: { status: 400, headers: [], body: '' } }

const consumed =
  'The body was read before graphwire got the request. Read it from a clone, `request.clone()`, or ' +
  'give graphwire a request with the body put back: `new Request(request, { body })`.'

const notBinary =
  'The body of the request is a stream of something else than Uint8Array. Encode its chunks, for ' +
  'example with `stream.pipeThrough(new TextEncoderStream())`.'

/** By its tag, since the class may come from another realm. */
function isUint8Array(value: unknown): value is Uint8Array {
  return (value as { [Symbol.toStringTag]?: unknown } | null)?.[Symbol.toStringTag] === 'Uint8Array'
}

const utf8 = new TextEncoder()

function toResponse(response: HttpResponse, request: Request): Response {
  const { status, body } = response
  const { method } = request
  const headers = headersOf(response)
  const statusText = reasonPhrases[status] ?? ''
  if (isStream(body)) {
    if (method === 'HEAD') body.discard()
    const stream = method === 'HEAD' ? null : toReadableStream(body, request.signal)
    return new Response(stream, { status, headers })
  }
  const bodiless = status === 204 || status === 304
  const bytes = typeof body === 'string' ? utf8.encode(body) : body
  // Some servers add a type to a body without one, even if it is empty.
  const isEmpty = bodiless || method === 'HEAD' || bytes.byteLength === 0
  // Runtimes count the bytes, but not for HEAD, which needs the length of GET.
  if (!bodiless) headers.set('Content-Length', String(bytes.byteLength))
  return new Response(isEmpty ? null : bytes, { status, headers, statusText })
}

/** A stream whose headers are invalid is discarded, since it is never opened. */
function headersOf({ headers, body }: HttpResponse): Headers {
  try {
    return toHeaders(headers)
  } catch (bug) {
    if (isStream(body)) body.discard()
    throw bug
  }
}

class WebBody implements Body {
  readonly #request: Request
  /** Undefined until it is read. */
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #signal: AbortSignal | undefined
  #stopWatching: (() => void) | undefined
  /** Cancels the reading: the rest stays with the client. */
  readonly #cancel = (): void =>
    void this.#reader?.cancel(this.#signal?.reason).catch(() => undefined)
  #reading: ChunkReading | undefined
  #isOver = false

  constructor(request: Request) {
    this.#request = request
  }

  /** `arrayBuffer` of the request has no limit. */
  async read(maxBytes: number): Promise<Uint8Array | RefusedBody> {
    this.#open()
    const body = new GatheredBody(() => maxBytes)
    while (body.size <= maxBytes) {
      const chunk = await this.#next().catch(() => cutOff)
      if (chunk === undefined) break
      if (chunk === cutOff) return cutOff
      if (!isUint8Array(chunk)) throw new TypeError(notBinary)
      body.add(chunk)
      if (body.smallChunks > defaultMaxSmallChunks) return tooMany
    }
    return body.take()
  }

  chunks(): BodyChunks {
    this.#open()
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const value = await this.#next()
      return value === undefined ? over : { done: false, value }
    }
    // What is left at the end is read or cancelled when there is a response.
    const iterator = { next, return: () => Promise.resolve(over) }
    return { [Symbol.asyncIterator]: () => iterator }
  }

  /**
   * Called once there is a response. What is left of a body that was begun is read and dropped, since cancelling it would cut
   * the connection on Node. One that was not begun is left to the runtime, unless that would close the connection too soon.
   */
  leave(readsOn: boolean): Promise<void> | undefined {
    this.#stopWatching?.()
    if (this.#isOver) return undefined
    const { body } = this.#request
    const isOurs = readsOn && body?.locked === false
    const reader = this.#reader ?? (isOurs ? body.getReader() : undefined)
    if (reader === undefined) return undefined
    return readOn({ read: () => this.#read(reader), cancel: () => reader.cancel() })
  }

  #open(): void {
    const request = this.#request
    if (request.bodyUsed) throw new Error(consumed)
    this.#reader = request.body?.getReader()
    this.#signal = request.signal as AbortSignal | undefined
    // A source may hang when its client has disconnected.
    this.#stopWatching = onceAborted(this.#signal, this.#cancel)
  }

  /** Workers allow one read at a time, so one that still waits is shared. */
  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): ChunkReading {
    const reading = (this.#reading ??= reader.read())
    try {
      return await reading
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }

  /** Undefined at the end. */
  async #next(): Promise<Uint8Array | undefined> {
    const step = this.#reader && (await this.#read(this.#reader))
    if (this.#signal?.aborted === true) throw new Error('The body was cut off.')
    if (step?.done === false) return step.value
    this.#isOver = true
    return undefined
  }
}

type ChunkReading = ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>

const over: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined }
