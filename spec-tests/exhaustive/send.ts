import { request, type OutgoingHttpHeaders, type RequestOptions } from 'node:http'

interface SendOptions extends RequestOptions {
  readonly port: number
  readonly headers?: OutgoingHttpHeaders
}

export interface Sent {
  readonly status: number
  readonly body: string
  /** Whether the server closes the connection. */
  readonly closes: boolean
}

/** Sends a request to `/graphql`, by POST and over a connection of its own by default. */
export function send({ headers, ...options }: SendOptions, content = ''): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const all = {
      host: '127.0.0.1',
      path: '/graphql',
      method: 'POST',
      agent: false,
      ...options,
      headers: { 'Content-Type': 'application/json', ...headers },
    }
    const outgoing = request(all, (incoming) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (text: string) => (body += text))
      const { statusCode: status = 0, headers: received } = incoming
      const closes = received.connection === 'close'
      incoming.on('end', () => resolve({ status, body, closes }))
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.end(content)
  })
}
