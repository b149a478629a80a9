import { wantsBody, type Handler, type HttpResponse, type RequestHead } from '../http/message.js'
import { toHeaders } from '../http/to-headers.js'
import { checkOptions, objectOf } from '../shapes/shape.js'
import { checkFunction } from '../shapes/shapes.js'
import { aHandler, hostShapes, resolveHostOptions, type HostOptions } from './host-options.js'
import { defaultMaxSmallChunks, GatheredBody } from './gathered-body.js'
import { internalError, tooManyChunks } from './host-error.js'

export type { HostOptions } from './host-options.js'

/** A fetch-style function, as Bun, Deno, workers, Hono and Next call it. */
export type FetchHandler = (request: Request) => Promise<Response>

const fetchShape = objectOf<HostOptions>('{ onBug }', hostShapes)

/** Turns a handler into a fetch-style function, which never rejects. Imports nothing of Node. */
export function toFetch(handler: Handler<Request>, options: HostOptions = {}): FetchHandler {
  checkFunction('toFetch', aHandler, handler)
  checkOptions('toFetch', options, fetchShape)
  const { createId, onBug } = resolveHostOptions(options)
  return async (request) => {
    try {
      const reply = await handler(toHead(request))
      if (!wantsBody(reply)) return toResponse(reply, request.method)
      const body = await readBody(request, reply.maxBytes)
      // The client disconnected during its request: no response will be read.
      if (body === undefined) return new Response(null, { status: 400 })
      if (body === 'too-many-chunks') {
        return toResponse(tooManyChunks(defaultMaxSmallChunks), request.method)
      }
      return toResponse(await reply.proceed(body), request.method)
    } catch (bug) {
      const id = createId()
      onBug(bug, { id })
      return toResponse(internalError(id), request.method)
    }
  }
}

function toHead(request: Request): RequestHead<Request> {
  const { host, target } = partsOf(request.url)
  const headers = [...request.headers].flat()
  // Not every runtime keeps the field from which the URL was made.
  if (!request.headers.has('host')) headers.push('host', host)
  return {
    method: request.method,
    target,
    headers,
    raw: request,
    onClientGone: (listener) => {
      if (request.signal?.aborted) listener()
      else request.signal?.addEventListener('abort', listener, { once: true })
    },
  }
}

/** The two parts of a URL that an HTTP client sends; that of a `Request` always has both. */
function partsOf(url: string): { readonly host: string; readonly target: string } {
  const hostAt = url.indexOf('://') + 3
  const targetAt = url.indexOf('/', hostAt)
  return { host: url.slice(hostAt, targetAt), target: url.slice(targetAt) }
}

/**
 * Reads no more than one chunk beyond the limit; `arrayBuffer` has none. Undefined if the body is cut off.
 */
async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | 'too-many-chunks' | undefined> {
  if (request.bodyUsed) throw new Error(consumed)
  const body = new GatheredBody(() => maxBytes)
  let isBinary = true
  const reader = request.body?.getReader()
  // Not every runtime provides a signal.
  const signal = request.signal as AbortSignal | undefined
  // A source may hang when its client has disconnected, so cancelling it is not awaited.
  const stop = (): void => void reader?.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    while (reader !== undefined && isWithin(body, maxBytes)) {
      const { done, value } = await reader.read()
      if (done) break
      isBinary = isUint8Array(value)
      if (!isBinary) break
      body.add(value)
    }
  } catch {
    return undefined
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  if (signal?.aborted) return undefined
  if (!isBinary) {
    stop()
    throw new TypeError(notBinary)
  }
  if (!isWithin(body, maxBytes)) stop()
  return body.smallChunks > defaultMaxSmallChunks ? 'too-many-chunks' : body.take()
}

function isWithin({ size, smallChunks }: GatheredBody, maxBytes: number): boolean {
  return size <= maxBytes && smallChunks <= defaultMaxSmallChunks
}

const consumed =
  'The body was read before graphwire got the request. Read it from a clone, `request.clone()`, or ' +
  'give graphwire a request with the body put back: `new Request(request, { body })`.'

const notBinary =
  'The body of the request is a stream of something else than Uint8Array. Encode its chunks, for ' +
  'example with `stream.pipeThrough(new TextEncoderStream())`.'

/** By its tag, since the class may come from another realm. */
function isUint8Array(value: unknown): boolean {
  return (value as { [Symbol.toStringTag]?: unknown } | null)?.[Symbol.toStringTag] === 'Uint8Array'
}

const utf8 = new TextEncoder()

function toResponse({ status, headers: list, body }: HttpResponse, method: string): Response {
  const headers = toHeaders(list)
  const bodiless = status === 204 || status === 304
  const bytes = utf8.encode(body)
  // Runtimes count the bytes themselves, but not for HEAD, which needs the length of GET.
  if (!bodiless) headers.set('Content-Length', String(bytes.byteLength))
  return new Response(bodiless || method === 'HEAD' ? null : bytes, {
    status,
    headers,
    ...(status === 294 && { statusText: 'Partial Success' }),
  })
}
