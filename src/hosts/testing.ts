import { wantsBody, type Handler, type HttpResponse, type RequestHead } from '../http/message.js'
import { toHeaders } from '../http/to-headers.js'

/** A request of a test. A body makes it a POST, and `json` makes the body. */
export interface TestRequest {
  readonly method?: string
  /** Default: '/graphql'. */
  readonly target?: string
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  readonly json?: unknown
  readonly body?: string | Uint8Array
  /** Stands in for the runtime's own request, as `head.raw`. */
  readonly raw?: unknown
  /** Aborting it is what a client that goes away does. */
  readonly signal?: AbortSignal
}

/** What a client would have received. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** The body, parsed. */
  json(): unknown
}

/** Makes a function that sends requests to a handler without a socket. */
export function testClient(
  handler: Handler<never>,
): (request?: TestRequest) => Promise<TestResponse> {
  return async (request = {}) => {
    const reply = await handler(toHead(request) as RequestHead<never>)
    if (!wantsBody(reply)) return toTestResponse(reply, request)
    return toTestResponse(await reply.proceed(bodyOf(request)), request)
  }
}

function toHead(request: TestRequest): RequestHead {
  const { headers = {}, signal, json, body, target = '/graphql' } = request
  const hasBody = json !== undefined || body !== undefined
  const list = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  )
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  if (json !== undefined && !typed) list.push('Content-Type', 'application/json')
  return {
    method: request.method ?? (hasBody ? 'POST' : 'GET'),
    target,
    headers: list,
    raw: request.raw,
    onClientGone: (listener) => {
      if (signal?.aborted) listener()
      else signal?.addEventListener('abort', listener, { once: true })
    },
  }
}

function bodyOf({ json, body = '' }: TestRequest): Uint8Array {
  const content = json === undefined ? body : JSON.stringify(json)
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

function toTestResponse(response: HttpResponse, { method }: TestRequest): TestResponse {
  const body = method === 'HEAD' ? '' : response.body
  const headers = toHeaders(response.headers)
  return { status: response.status, headers, body, json: () => JSON.parse(body) as unknown }
}
