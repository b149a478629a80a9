import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { headersOf, methodOf, piecesOf, type Client, type HostAnswer } from './exchange.js'

/** A client of HTTP/1.1 with a connection for each request; `ca` is for https. */
export function http1Client(endpoint: string, ca?: string): Client {
  const { protocol, hostname, port, pathname } = new URL(endpoint)
  const start = protocol === 'https:' ? requestSecure : requestPlain
  return (request, signal) =>
    new Promise((resolve, reject) => {
      const outgoing = start({
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: methodOf(request),
        path: pathname + (request.query ?? ''),
        headers: headersOf(request),
        agent: false,
        ...(ca !== undefined && { ca }),
        ...(signal !== undefined && { signal }),
      })
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { statusCode: status = 0, statusMessage: statusText = '' } = incoming
          const headers = incoming.rawHeaders
          resolve({ status, statusText, headers, body: Buffer.concat(chunks) } satisfies HostAnswer)
        })
      })
      for (const piece of piecesOf(request)) outgoing.write(piece)
      outgoing.end()
    })
}
