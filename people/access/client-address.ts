import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { fieldValue, type RequestHead } from 'graphwire'

/** Finds the address of the client. */
export type AddressReader = (head: RequestHead<IncomingMessage>) => string

/**
 * The address of the socket, or the one that the outermost trusted proxy reports. Each proxy appends the
 * address of its client to X-Forwarded-For; clients can forge the entries before those.
 */
export function createAddressReader(trustedProxies: number): AddressReader {
  return ({ raw, headers }) => {
    const socket = normalAddress(raw.socket.remoteAddress ?? '') ?? 'local'
    if (trustedProxies === 0) return socket
    const entries = (fieldValue(headers, 'x-forwarded-for') ?? '').split(',')
    return normalAddress(withoutPort(entries.at(-trustedProxies)?.trim() ?? '')) ?? socket
  }
}

/** The part of an address that identifies a client: all of an IPv4 address, the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [front = '', back] = address.split('::')
  const groups = front === '' ? [] : front.split(':')
  if (back !== undefined) {
    const rest = back === '' ? 0 : back.split(':').length
    while (groups.length < Math.min(4, 8 - rest)) groups.push('0')
    if (back !== '') groups.push(...back.split(':'))
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The canonical form of an address; undefined for anything else. */
function normalAddress(text: string): string | undefined {
  const [address = ''] = text.split('%')
  const version = isIP(address)
  if (version === 0) return undefined
  if (version === 4) return address
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short)
  if (mapped === null) return short
  const [high, low] = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '', 16))
  return [Number(high) >> 8, Number(high) & 255, Number(low) >> 8, Number(low) & 255].join('.')
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, address = entry] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? /^([\d.]+):\d+$/.exec(entry) ?? []
  return address
}
