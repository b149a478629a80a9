import { checkSize } from './transport.js'

// PostgreSQL's documentation of NOTIFY: a payload is shorter than 8,000 bytes; NAMEDATALEN is 64, with the last byte.
const maxPayloadBytes = 7999
const maxChannelBytes = 63

const prefix = 'graphwire-'
const encoder = new TextEncoder()

/**
 * The channel of a name. Long names share channels by a short hash, which can deliver too much but confuses nothing, since
 * payloads begin with the whole name.
 */
export function toChannel(name: string): string {
  return isShort(name) ? name : prefix + hash(name)
}

export function toPayload(name: string, text: string): string {
  const payload = isShort(name) ? text : `${name.length}:${name}${text}`
  checkSize(name, payload, maxPayloadBytes, 'a notification of PostgreSQL holds')
  return payload
}

/** The name and text of a notification; `undefined` if it is not one of ours. */
export function readNotification(
  channel: string,
  payload: string,
): { readonly name: string; readonly text: string } | undefined {
  if (!channel.startsWith(prefix)) return { name: channel, text: payload }
  const start = payload.indexOf(':') + 1
  const end = start + Number(payload.slice(0, start - 1))
  if (start === 0 || !(end > start)) return undefined
  return { name: payload.slice(start, end), text: payload.slice(end) }
}

/** As an identifier in SQL. */
export function quoteChannel(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`
}

function isShort(name: string): boolean {
  return encoder.encode(name).length <= maxChannelBytes && !name.startsWith(prefix)
}

/** FNV-1a of 32 bits. */
function hash(name: string): string {
  let value = 0x811c9dc5
  for (const byte of encoder.encode(name)) value = Math.imul(value ^ byte, 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
