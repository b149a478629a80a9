import type { ParsedJson } from '../../http/message.js'
import type { Incoming } from './exchange.js'

/** The body that a framework has put on the request: parsed JSON, or the bytes of a raw or text parser. */
export function parsedBody(incoming: Incoming): Uint8Array | ParsedJson | undefined {
  const body = (incoming as { body?: unknown }).body
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  // A parser for other types leaves an empty object behind and the stream as it was.
  if (isEmptyObject(body) && !incoming.readableDidRead && !incoming.readableEnded) return undefined
  return { json: body }
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}
