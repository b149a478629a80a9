import type { RequestHead } from '../http/message.js'

/** The head of a request of the web, whose client may leave. */
export function toRequestHead(request: Request, leaving: Leaving): RequestHead<Request> {
  return {
    ...toHandshakeHead(request),
    onClientGone: (listener) => leaving.once(() => void listener()),
  }
}

/** The head of a handshake. The signal is left out: for some runtimes the request is over when it is answered. */
export function toHandshakeHead(request: Request): RequestHead<Request> {
  const { host, target } = partsOf(request.url)
  const headers = [...request.headers].flat()
  // Not every runtime keeps the field from which the URL was made.
  if (!request.headers.has('host')) headers.push('host', host)
  return {
    method: request.method,
    target,
    headers,
    raw: request,
  }
}

/** Reports that the client left before its response, not after it: some runtimes abort requests that are answered. */
export class Leaving {
  readonly #request: Request
  #signal: AbortSignal | undefined
  readonly #listeners: (() => void)[] = []

  constructor(request: Request) {
    this.#request = request
  }

  once(listener: () => void): void {
    // Runtimes make a signal when it is first read, and not every one provides it.
    this.#signal = this.#request.signal as AbortSignal | undefined
    if (this.#signal?.aborted) return listener()
    this.#listeners.push(listener)
    this.#signal?.addEventListener('abort', listener, { once: true })
  }

  /** The response is out. */
  stop(): void {
    for (const listener of this.#listeners) this.#signal?.removeEventListener('abort', listener)
  }
}

/** The two parts of a URL that an HTTP client sends; that of a `Request` always has both. */
function partsOf(url: string): { readonly host: string; readonly target: string } {
  const hostAt = url.indexOf('://') + 3
  const targetAt = url.indexOf('/', hostAt)
  return { host: url.slice(hostAt, targetAt), target: url.slice(targetAt) }
}
