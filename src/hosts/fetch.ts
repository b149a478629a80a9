import { wantsBody, type Handler, type HttpResponse, type RequestHead } from '../http/message.js'
import { toHeaders } from '../http/to-headers.js'

/** What runtimes with a web-style server call: Bun, Deno, workers, and Hono or Next on any of them. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Makes a fetch-style function of the handler. It imports nothing of Node. */
export function toFetch(handler: Handler<Request>): FetchHandler {
  return async (request) => {
    const reply = await handler(toHead(request))
    if (!wantsBody(reply)) return toResponse(reply, request.method)
    const body = await readBody(request, reply.maxBytes)
    return toResponse(await reply.proceed(body), request.method)
  }
}

function toHead(request: Request): RequestHead<Request> {
  return {
    method: request.method,
    target: request.url,
    headers: [...request.headers].flat(),
    raw: request,
    onClientGone: (listener) => {
      if (request.signal.aborted) listener()
      else request.signal.addEventListener('abort', listener, { once: true })
    },
  }
}

/** Reads no more than one chunk beyond the limit; `arrayBuffer` would take whatever comes. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  while (reader !== undefined && size <= maxBytes) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.byteLength
  }
  if (size > maxBytes) await reader?.cancel()
  return concat(chunks, size)
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

function toResponse({ status, headers, body }: HttpResponse, method: string): Response {
  const bodiless = method === 'HEAD' || status === 204 || status === 304
  const response = new Response(bodiless ? null : body, {
    status,
    headers: toHeaders(headers),
    ...(status === 294 && { statusText: 'Partial Success' }),
  })
  if (method === 'HEAD' && status !== 204) {
    response.headers.set('Content-Length', String(new TextEncoder().encode(body).byteLength))
  }
  return response
}
