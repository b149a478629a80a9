import type { ParsedJson } from '../../http/message.js'
import type { Incoming } from './exchange.js'

/** The body that a framework has put on the request: parsed JSON, or the bytes of a raw or text parser. */
export function parsedBody(incoming: Incoming): Uint8Array | ParsedJson | undefined {
  const { body } = incoming as { readonly body?: unknown }
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  // A parser for other types leaves an empty object or null behind, and the stream as it was.
  if (isEmpty(body) && !incoming.readableDidRead && !incoming.readableEnded) return undefined
  return { json: body }
}

function isEmpty(body: unknown): boolean {
  return body === null || (typeof body === 'object' && Object.keys(body).length === 0)
}
