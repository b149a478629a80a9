import { connect } from 'node:http2'
import { headersOf, methodOf, piecesOf, type Client } from './exchange.js'

/** A client of HTTP/2 with one connection for all requests; `ca` is for https. */
export function http2Client(endpoint: string, ca?: string) {
  const { pathname, origin } = new URL(endpoint)
  const session = connect(origin, ca === undefined ? {} : { ca })
  const send: Client = (request, signal) =>
    new Promise((resolve, reject) => {
      const path = pathname + (request.query ?? '')
      const stream = session.request(
        { ':method': methodOf(request), ':path': path, ...headersOf(request) },
        { endStream: request.body === undefined, ...(signal !== undefined && { signal }) },
      )
      const headers: string[] = []
      const chunks: Buffer[] = []
      let status = 0
      stream.on('response', (fields) => {
        status = Number(fields[':status'])
        for (const [name, values] of Object.entries(fields)) {
          if (name.startsWith(':')) continue
          for (const value of [values].flat()) headers.push(name, String(value))
        }
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () => {
        if (status === 0) return reject(new Error(`The stream ended with ${stream.rstCode}.`))
        resolve({ status, statusText: '', headers, body: Buffer.concat(chunks) })
      })
      for (const piece of piecesOf(request)) stream.write(piece)
      if (request.body !== undefined) stream.end()
    })
  const close = () => new Promise<void>((resolve) => session.close(resolve))
  return { send, close, destroy: () => session.destroy() }
}
