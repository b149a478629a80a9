import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A request with its body. */
export interface Call {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** Each line of a field by itself. */
  readonly lines: IncomingMessage['headersDistinct']
  readonly body: Buffer
}

/** What is answered. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The parameters of a request, nothing of them checked. */
export interface Params {
  readonly [name: string]: unknown
}

/** Reads the whole request. */
export async function readCall(incoming: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = '', headers, headersDistinct: lines } = incoming
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  return { method, url, headers, lines, body: Buffer.concat(chunks) }
}

/** Whether the parameters come in the URL. */
export function isInUrl({ method }: Call): boolean {
  return method === 'GET' || method === 'HEAD'
}
