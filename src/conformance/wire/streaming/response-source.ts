import type { Connections } from '../connections.js'
import type { FieldLine } from '../exchange.js'
import { toFieldLines } from '../send-request.js'
import type { WireRequest } from '../to-wire-request.js'

/** A response whose body is still coming. */
export interface OpenResponse {
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
export function sendOverHttp1(connections: Connections, request: WireRequest): ResponseSource {
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
