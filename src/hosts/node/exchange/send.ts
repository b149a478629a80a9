import type { ServerResponse } from 'node:http'
import { isStream, type HttpResponse, type StreamBody } from '../../../http/message.js'
import { internalError } from '../../host-error.js'
import { mergeHeaders } from '../../merge-headers.js'
import { reasonPhrases } from '../../reason-phrase.js'
import {
  isGone,
  isHttp2,
  isStillSending,
  lastAnswered,
  type Incoming,
  type Outgoing,
} from './incoming.js'
import { closeUnread, linger, lingerWhileOpen } from './linger.js'
import type { NodeExchange } from './node-host-options.js'
import { openStream } from './open-stream.js'
import { boundSending, cutResponse } from './send-timeout.js'

/**
 * Writes a response: one head, exact length, no body for HEAD and the statuses that have none. The
 * connection closes after it where the client is still sending.
 */
export function send(response: HttpResponse, exchange: NodeExchange): void {
  const { status, body } = response
  const { incoming, outgoing } = exchange
  if (isGone(incoming, outgoing) || outgoing.writableEnded) {
    if (isStream(body)) body.discard()
    return
  }
  if (isStream(body)) return sendStream(body, response, exchange)
  const bodiless = status === 204 || status === 304
  const length = Buffer.byteLength(body)
  const content = incoming.method === 'HEAD' || bodiless ? '' : body
  // Where every character is one byte, latin1 spares Node the encoding of UTF-8.
  const encoding = content.length === length ? 'latin1' : 'utf8'
  // Node counts the unsent characters of a text, but keeps its bytes.
  const sent = encoding === 'utf8' && content.length > 32_768 ? Buffer.from(content) : content
  const headers = [...response.headers]
  if (!bodiless) headers.push('Content-Length', String(length))

  if (isHttp2(incoming)) closeUnread(incoming)
  const closes = writeHead(status, headers, incoming, outgoing)
  const http1 = outgoing as ServerResponse
  if (closes) return linger(sent, exchange)
  if (content === '' || Object.hasOwn(outgoing, 'end') || isHttp2(incoming)) {
    // Middleware that wraps `end` expects to get the body there.
    http1.end(sent, encoding)
  } else {
    // With the body as its argument, `end` writes an empty chunk after it, and two chunks at once cost the
    // system call for many: 6 % of a small request. Corked, head and body are one chunk.
    http1.cork()
    http1.write(sent, encoding)
    http1.uncork()
    http1.end()
  }
  if (outgoing.writableLength > 0) boundSending(exchange)
}

function sendStream(
  body: StreamBody,
  { status, headers }: HttpResponse,
  exchange: NodeExchange,
): void {
  const { incoming, outgoing } = exchange
  try {
    writeHead(status, [...headers], incoming, outgoing)
  } catch (bug) {
    // Node refuses a header, so the stream is never opened.
    body.discard()
    throw bug
  }
  if (incoming.method === 'HEAD') {
    body.discard()
    outgoing.end()
    return
  }
  openStream(body, exchange)
  lingerWhileOpen(exchange)
}

/** Writes a head; whether the connection closes behind the response. */
function writeHead(
  status: number,
  headers: string[],
  incoming: Incoming,
  outgoing: Outgoing,
): boolean {
  if (isHttp2(incoming)) {
    setHeaders(headers, outgoing)
    outgoing.writeHead(status)
    return false
  }
  const http1 = outgoing as ServerResponse
  const closes = isStillSending(incoming, http1)
  if (closes) {
    headers.push('Connection', 'close')
    lastAnswered.add(incoming.socket)
  }
  const phrase = reasonPhrases[status]
  // The flat list is cheapest, but Node 20 drops the first of two lines when headers were set before, and
  // wrappers that middleware puts around `writeHead` often do not support it.
  const plain = http1.getHeaderNames().length === 0 && !Object.hasOwn(http1, 'writeHead')
  if (!plain) setHeaders(headers, http1)
  const list = plain ? headers : undefined
  if (phrase === undefined) http1.writeHead(status, list)
  else http1.writeHead(status, phrase, list)
  return closes
}

function setHeaders(headers: readonly string[], outgoing: Outgoing): void {
  for (const [name, value] of mergeHeaders(headers, outgoing.getHeaders())) {
    if (value === undefined) outgoing.removeHeader(name)
    else outgoing.setHeader(name, value)
  }
}

/** Responds to a request whose listener failed, and reports the error. Never throws. */
export function sendFailure(bug: unknown, exchange: NodeExchange): void {
  const { settings } = exchange
  const id = settings.createId()
  try {
    send(internalError(id), exchange)
  } catch {
    // A normal end would make the response look complete.
    cutResponse(exchange)
  }
  settings.onBug(bug, { id })
}
