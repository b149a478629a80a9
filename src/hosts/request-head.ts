import type { RequestHead } from '../http/message.js'

/** The head of a request of the web. Without its signal: for some runtimes a handshake is over when it is answered. */
export function toRequestHead(request: Request): RequestHead<Request> {
  const { host, target } = partsOf(request.url)
  const headers = [...request.headers].flat()
  // Not every runtime keeps the field from which the URL was made.
  if (!request.headers.has('host')) headers.push('host', host)
  return { method: request.method, target, headers, raw: request }
}

/** The two parts of a URL that an HTTP client sends; that of a `Request` always has both. */
function partsOf(url: string): { readonly host: string; readonly target: string } {
  const hostAt = url.indexOf('://') + 3
  const targetAt = url.indexOf('/', hostAt)
  return { host: url.slice(hostAt, targetAt), target: url.slice(targetAt) }
}
