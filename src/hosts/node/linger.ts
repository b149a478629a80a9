import type { IncomingMessage, ServerResponse } from 'node:http'
import { fieldValue } from '../../http/message.js'
import type { Incoming } from './exchange.js'

/** What is left of a body when it is answered early: up to this is read to keep the connection. */
const maxUnreadBytes = 64 * 1024
const maxLingerBytes = 16 * 1024 * 1024
const maxLingerMs = 3_000

/** How much of the body the client may still be sending. Of `little` Node reads the rest by itself. */
export function unreadBody(incoming: Incoming): 'nothing' | 'little' | 'much' {
  if (incoming.complete) return 'nothing'
  const { rawHeaders } = incoming
  if (fieldValue(rawHeaders, 'transfer-encoding') !== undefined) return 'much'
  const length = Number(fieldValue(rawHeaders, 'content-length') ?? 0)
  if (length === 0) return 'nothing'
  return length <= maxUnreadBytes ? 'little' : 'much'
}

/**
 * Sends the whole answer, then reads and drops what the client is still sending, and only then
 * closes: closing with unread bytes resets the connection, and the client loses the answer.
 */
export function linger(content: string, incoming: Incoming, outgoing: ServerResponse): void {
  if (content === '') outgoing.flushHeaders()
  else outgoing.write(content)
  let dropped = 0
  const finish = (): void => {
    clearTimeout(timer)
    incoming.off('data', drop)
    outgoing.end()
  }
  const drop = (chunk: Uint8Array): void => {
    dropped += chunk.length
    if (dropped > maxLingerBytes) finish()
  }
  const timer = setTimeout(finish, maxLingerMs)
  const stream = incoming as IncomingMessage
  stream.on('data', drop)
  stream.once('end', finish)
  stream.once('close', () => clearTimeout(timer))
  stream.resume()
}
