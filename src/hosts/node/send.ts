import type { ServerResponse } from 'node:http'
import { fieldLines, fieldValue, type HeaderList, type HttpResponse } from '../../http/message.js'
import { linger, unreadBody } from './linger.js'
import type { Incoming, Outgoing } from './exchange.js'

/** Writes a response: one head, exact length, no body for HEAD and the statuses that have none. */
export function send(response: HttpResponse, incoming: Incoming, outgoing: Outgoing): void {
  if (outgoing.destroyed || outgoing.writableEnded) return
  const { status, body } = response
  const bodiless = status === 204 || status === 304
  const length = Buffer.byteLength(body)
  const content = incoming.method === 'HEAD' || bodiless ? '' : body
  const headers = [...response.headers]
  if (!bodiless) headers.push('Content-Length', String(length))

  if (incoming.httpVersionMajor >= 2) {
    outgoing.writeHead(status, toRecord(mergeWithSet(headers, outgoing)))
    outgoing.end(content)
    return
  }
  const unread = unreadBody(incoming)
  if (unread === 'much') headers.push('Connection', 'close')
  const http1 = outgoing as ServerResponse
  const merged = mergeWithSet(headers, outgoing) as string[]
  if (status === 294) http1.writeHead(status, 'Partial Success', merged)
  else http1.writeHead(status, merged)
  if (unread === 'much') linger(content, incoming, http1)
  // Where every character is one byte, latin1 spares Node the encoding of UTF-8.
  else http1.end(content, content.length === length ? 'latin1' : 'utf8')
}

/**
 * A router's middleware may have set headers already: ours replace them, but `Vary` and `Set-Cookie`
 * hold what both sides said.
 */
function mergeWithSet(headers: HeaderList, outgoing: Outgoing): HeaderList {
  if (outgoing.getHeaderNames().length === 0) return headers
  const merged = [...headers]
  const vary = outgoing.getHeader('vary')
  const cookies = outgoing.getHeader('set-cookie')
  if (vary !== undefined) {
    const ours = fieldValue(headers, 'vary')
    const at = merged.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'vary')
    const joined = ours === undefined ? String(vary) : `${String(vary)}, ${ours}`
    if (at >= 0) merged[at + 1] = joined
  }
  if (cookies !== undefined) {
    for (const cookie of [cookies].flat()) merged.push('Set-Cookie', String(cookie))
  }
  return merged
}

/** HTTP/2 in Node takes several lines of a field as an array, not as a flat list. */
function toRecord(headers: HeaderList): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {}
  for (const [name, value] of fieldLines(headers)) {
    const before = record[name.toLowerCase()]
    record[name.toLowerCase()] = before === undefined ? value : [before, value].flat()
  }
  return record
}
