import { headersOf, methodOf, piecesOf, type Client } from './exchange.js'

type Answer = (request: Request) => Response | Promise<Response>

export function fetchClient(endpoint: string, answer: Answer): Client {
  return async (request, signal) => {
    // The pieces stay pieces, as they do on the way from a socket.
    const pieces = ReadableStream.from(piecesOf(request))
    const sent = new Request(endpoint + (request.query ?? ''), {
      method: methodOf(request),
      headers: headersOf(request),
      ...(request.body !== undefined && { body: pieces, duplex: 'half' as const }),
      ...(signal !== undefined && { signal }),
    })
    const response = await answer(sent)
    const { status, statusText } = response
    const body = Buffer.from(await response.arrayBuffer())
    return { status, statusText, headers: [...response.headers].flat(), body }
  }
}
