import { headersOf, methodOf, piecesOf, type Client, type HostRequest } from './exchange.js'

export function fetchClient(
  endpoint: string,
  answer: (request: Request) => Response | Promise<Response>,
): Client {
  return async (request, signal) => {
    const sent = new Request(endpoint + (request.query ?? ''), {
      method: methodOf(request),
      headers: headersOf(request),
      ...(request.body !== undefined && { body: streamOf(request), duplex: 'half' as const }),
      ...(signal !== undefined && { signal }),
    })
    const response = await answer(sent)
    const { status, statusText } = response
    const body = Buffer.from(await response.arrayBuffer())
    return { status, statusText, headers: [...response.headers].flat(), body }
  }
}

/** The pieces stay pieces, as they do on the way from a socket. */
function streamOf(request: HostRequest): ReadableStream<Uint8Array> {
  return ReadableStream.from(piecesOf(request))
}
