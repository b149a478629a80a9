import { request as requestPlain, type RequestOptions } from 'node:http'
import { request as requestSecure } from 'node:https'
import { headersOf, methodOf, piecesOf, type Client } from './exchange.js'

/** A client of HTTP/1.1 with a connection for each request; `ca` is for https. */
export function http1Client(endpoint: string, ca?: string): Client {
  const { protocol, hostname, port, pathname } = new URL(endpoint)
  const place = { hostname: hostname.replace(/^\[|\]$/g, ''), port }
  const start = protocol === 'https:' ? requestSecure : requestPlain
  return clientOf(start, { ...place, ...(ca !== undefined && { ca }) }, pathname)
}

export function unixClient(socketPath: string, path: string): Client {
  return clientOf(requestPlain, { socketPath }, path)
}

function clientOf(start: typeof requestPlain, place: RequestOptions, path: string): Client {
  return (request, signal) =>
    new Promise((resolve, reject) => {
      const outgoing = start({
        ...place,
        method: methodOf(request),
        path: path + (request.query ?? ''),
        headers: headersOf(request),
        agent: false,
        ...(signal !== undefined && { signal }),
      })
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming
          resolve({ status, statusText, headers: rawHeaders, body: Buffer.concat(chunks) })
        })
      })
      for (const piece of piecesOf(request)) outgoing.write(piece)
      outgoing.end()
    })
}
