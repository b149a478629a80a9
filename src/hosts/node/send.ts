import type { ServerResponse } from 'node:http'
import type { HttpResponse } from '../../http/message.js'
import { isGone, isHttp2, type Incoming, type Outgoing } from './exchange.js'
import { closeUnread, linger, unreadBody } from './linger.js'
import { mergeHeaders } from './merge-headers.js'
import type { NodeHostSettings } from './node-host-options.js'
import { reasonPhrase } from './reason-phrase.js'
import { boundSending } from './send-timeout.js'

/**
 * Writes a response: one head, exact length, no body for HEAD and the statuses that have none. Tells
 * whether the connection will close behind it because the client was still sending.
 */
export function send(
  response: HttpResponse,
  incoming: Incoming,
  outgoing: Outgoing,
  settings: NodeHostSettings,
): boolean {
  if (isGone(incoming, outgoing) || outgoing.writableEnded) return false
  const { status, body } = response
  const bodiless = status === 204 || status === 304
  const length = Buffer.byteLength(body)
  const content = incoming.method === 'HEAD' || bodiless ? '' : body
  // Where every character is one byte, latin1 spares Node the encoding of UTF-8.
  const encoding = content.length === length ? 'latin1' : 'utf8'
  const headers = [...response.headers]
  if (!bodiless) headers.push('Content-Length', String(length))

  if (isHttp2(incoming)) {
    if (incoming.readableDidRead && !incoming.complete) closeUnread(incoming)
    setHeaders(headers, outgoing)
    outgoing.writeHead(status)
    outgoing.end(content, encoding)
    boundSending(incoming, outgoing, settings.sendTimeout)
    return false
  }
  const http1 = outgoing as ServerResponse
  const closes = unreadBody(incoming, http1) === 'much'
  if (closes) headers.push('Connection', 'close')
  writeHead(status, headers, http1)
  if (closes) {
    linger(content, incoming, http1, settings)
  } else {
    sendBody(content, encoding, http1)
    boundSending(incoming, http1, settings.sendTimeout)
  }
  return closes
}

function sendBody(content: string, encoding: 'latin1' | 'utf8', outgoing: ServerResponse): void {
  // Who has put a function of its own around `end` wants to see the body there.
  if (content === '' || Object.hasOwn(outgoing, 'end')) return void outgoing.end(content, encoding)
  // Given the body, `end` writes an empty chunk behind it: two chunks at once cost the system call
  // for many, and 6 % of a small request. Corked, the head and the body are one.
  outgoing.cork()
  outgoing.write(content, encoding)
  outgoing.uncork()
  outgoing.end()
}

function writeHead(status: number, headers: string[], outgoing: ServerResponse): void {
  const phrase = reasonPhrase(status)
  // The flat list is the cheapest way, but Node 20 drops the first of two lines when headers were set
  // before, and the wrappers that middleware puts around `writeHead` often do not know the form.
  const plain = outgoing.getHeaderNames().length === 0 && !Object.hasOwn(outgoing, 'writeHead')
  if (!plain) setHeaders(headers, outgoing)
  const list = plain ? headers : undefined
  if (phrase === undefined) outgoing.writeHead(status, list)
  else outgoing.writeHead(status, phrase, list)
}

function setHeaders(headers: readonly string[], outgoing: Outgoing): void {
  for (const [name, value] of mergeHeaders(headers, (field) => outgoing.getHeader(field))) {
    outgoing.setHeader(name, value)
  }
}
