import { connect, constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import type { TargetConnections } from '../connections.js'
import type { FieldLine } from '../exchange.js'
import { toFieldLines } from '../send-request.js'
import type { Target } from '../target.js'
import type { WireRequest } from '../to-wire-request.js'

/** A response whose body is still coming. */
interface OpenResponse {
  readonly status: number
  readonly headers: readonly FieldLine[]
  readonly body: AsyncIterable<Uint8Array>
}

/** One request on a connection of its own. */
export interface ResponseSource {
  readonly response: Promise<OpenResponse>
  /** Tells the target that the rest is not wanted, as a client of that version of HTTP does. */
  cancel(): Promise<void>
  /** Closes the connection. */
  destroy(): Promise<void>
}

/** Sends a request over HTTP/1.1, where closing the connection is the only way to cancel. */
export function sendOverHttp1(
  connections: TargetConnections,
  request: WireRequest,
): ResponseSource {
  const { client, framing } = connections.open()
  const send = async (): Promise<OpenResponse> => {
    framing.begin()
    const { statusCode, headers, body } = await client.request({
      path: request.target,
      method: request.method,
      headers: request.headers.flat(),
      body: request.body ?? null,
      responseHeaders: 'raw',
    })
    const lines = toFieldLines(headers as unknown as readonly string[])
    return { status: statusCode, headers: lines, body }
  }
  const destroy = (): Promise<void> => client.destroy()
  return { response: send(), cancel: destroy, destroy }
}

/**
 * Sends a request over HTTP/2: with TLS if the target has it, otherwise by prior knowledge (RFC 9113 section 3.3). Only
 * what has answered over HTTP/2 before is asked more: Node 22 can abort when the head of a response is malformed.
 */
export function sendOverHttp2(
  target: Target,
  request: WireRequest,
  insecure: boolean,
): ResponseSource {
  const session = connect(target.origin, { rejectUnauthorized: !insecure })
  // The stream has the same error, unless the session had it before.
  const broken = new Promise<never>((_, reject) => session.once('error', reject))
  const stream = session.request({
    ':method': request.method,
    ':path': request.target,
    ':authority': target.host,
    ...toRecord(request.headers),
  })
  stream.end(request.body)
  return {
    response: Promise.race([broken, responseOf(stream)]),
    cancel: async () => stream.close(constants.NGHTTP2_CANCEL),
    destroy: async () => session.destroy(),
  }
}

function responseOf(stream: ClientHttp2Stream): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    stream.once('response', (headers) => {
      resolve({ status: headers[':status'] ?? 0, headers: toLines(headers), body: stream })
    })
    stream.on('error', reject)
    stream.once('close', () => reject(new Error('the stream was closed without a response')))
  })
}

function toRecord(lines: readonly FieldLine[]): Record<string, string[]> {
  const record: Record<string, string[]> = {}
  for (const [name, value] of lines) (record[name.toLowerCase()] ??= []).push(value)
  return record
}

function toLines(headers: IncomingHttpHeaders): readonly FieldLine[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') ? [] : [value ?? []].flat().map((line): FieldLine => [name, line]),
  )
}
