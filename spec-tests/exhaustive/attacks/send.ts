import { request, type OutgoingHttpHeaders, type RequestOptions } from 'node:http'

interface SendOptions extends RequestOptions {
  readonly port: number
  readonly headers?: OutgoingHttpHeaders
}

/** Sends a request to `/graphql`, by POST and over a connection of its own by default. */
export function send(
  { headers, ...options }: SendOptions,
  content = '',
): Promise<{ readonly status: number; readonly body: string }> {
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
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }))
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(content)
  })
}
