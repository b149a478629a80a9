import { connect, constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import { Readable } from 'node:stream'
import type { TargetConnection } from '../connection.js'
import type { FieldLine } from '../exchange.js'
import { ResponseReader } from '../read-response.js'
import type { Target } from '../target.js'
import { toBytes, type WireRequest } from '../to-wire-request.js'

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
  connection: TargetConnection,
  request: WireRequest,
  host: string,
): ResponseSource {
  const body = new Readable({ read() {} })
  // The reader of the body gets this error, too.
  body.on('error', () => {})
  let isWhole = false
  const response = new Promise<OpenResponse>((resolve, reject) => {
    const reader = new ResponseReader(false, {
      onHead: ({ status, headers }) => status >= 200 && resolve({ status, headers, body }),
      onBody: (bytes) => body.push(bytes),
      onResponse: ({ status }) => {
        isWhole ||= status >= 200 && !body.push(null)
      },
    })
    const fail = (reason: string): void => {
      if (isWhole) return
      const error = new Error(reason)
      reject(error)
      body.destroy(error)
    }
    connection.onBytes = (bytes) => {
      reader.add(bytes)
      if (reader.problem !== undefined) fail(reader.problem)
    }
    connection.onEnd = () => {
      reader.end()
      fail(connection.failure)
    }
  })
  connection.write(toBytes(request, host))
  const destroy = async (): Promise<void> => connection.destroy()
  return { response, cancel: destroy, destroy }
}

/**
 * Sends a request over HTTP/2: with TLS if the target has it, otherwise by prior knowledge (RFC 9113 section 3.3). Only
 * after a response over HTTP/2 are more requests sent: Node 22 can abort when the head of a response is malformed.
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
